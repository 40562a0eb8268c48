package dev.postern.mapping.template;

/** Ends a rendering that has reached one of its bounds. An Error, so that nothing on the way takes it for a template's fault. */
final class BudgetExceededException extends Error {

    /** {@code sentence} is for a person and holds nothing of the payload. */
    BudgetExceededException(String sentence) {
        super(sentence, null, false, false);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}

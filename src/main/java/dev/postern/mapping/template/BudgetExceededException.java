package dev.postern.mapping.template;

/**
 * An error that ends a rendering at one of its limits. It is an {@code Error}, so that no code on its way takes it for an
 * error of the template.
 */
final class BudgetExceededException extends Error {

    /** @param sentence for a person; holds nothing of the payload */
    BudgetExceededException(String sentence) {
        super(sentence, null, false, false);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}

package dev.postern.console;

/** A question that can't be answered, since something in it is wrong; says what, and what to ask instead. */
final class UnfitException extends Exception {

    private static final long serialVersionUID = 1L;

    UnfitException(String sentence) {
        super(sentence);
    }
}

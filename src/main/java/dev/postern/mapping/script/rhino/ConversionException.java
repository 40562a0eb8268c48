package dev.postern.mapping.script.rhino;

/** What went into a script or came out of it can't be used; the message says why, to stand after the module's name. */
final class ConversionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConversionException(String sentence) {
        super(sentence, null, false, false);
    }
}

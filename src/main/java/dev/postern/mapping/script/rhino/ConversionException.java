package dev.postern.mapping.script.rhino;

/**
 * An exception for a script's input, export or result that can't be used. The message says why, and follows the module's
 * name.
 */
final class ConversionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConversionException(String sentence) {
        super(sentence, null, false, false);
    }
}

package dev.postern.console;

import jakarta.ws.rs.BadRequestException;

/** An exception for a parameter that is not valid. Its message says what is wrong and what to send instead. */
final class ParameterException extends BadRequestException {

    private static final long serialVersionUID = 1L;

    ParameterException(String sentence) {
        super(sentence);
    }
}

package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks to see.
 *
 * @param id of the one thing that is asked for; empty where all are
 */
record Question(String id, HttpServletRequest request) {

    private static final int LONGEST = 200;

    /** The query's parameter called {@code name}; null where it is missing or empty. */
    @Nullable
    String parameter(String name) throws UnfitException {
        @Nullable String value = request.getParameter(name);
        if (value == null || value.isBlank()) {
            return null;
        }
        if (value.length() > LONGEST) {
            throw new UnfitException(name + " is longer than " + LONGEST + " characters.");
        }
        return value.strip();
    }
}

package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
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

    /** The number that the parameter called {@code name} is; null where it is missing or empty. */
    @Nullable
    Long number(String name) throws UnfitException {
        @Nullable String value = parameter(name);
        try {
            return value == null ? null : Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new UnfitException(name + " is not a whole number.");
        }
    }

    /**
     * The one of {@code choices} that the parameter called {@code name} is; null where it is missing or empty.
     *
     * @param word how a choice is spelled
     */
    <T> @Nullable T choice(String name, T[] choices, Function<T, String> word) throws UnfitException {
        @Nullable String value = parameter(name);
        for (T choice : choices) {
            if (word.apply(choice).equals(value)) {
                return choice;
            }
        }
        if (value == null) {
            return null;
        }
        throw new UnfitException(
                name + " is none of " + Arrays.stream(choices).map(word).collect(Collectors.joining(", ")) + ".");
    }
}

package dev.postern.console;

import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.model.Visible;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks to see.
 *
 * @param id of the one thing that is asked for; empty where all are
 * @param sent the members of the JSON object that a program has sent; empty where there is none
 */
record Question(String id, HttpServletRequest request, Map<String, String> sent) {

    private static final int LONGEST = 200;

    Question(HttpServletRequest request) {
        this("", request, Map.of());
    }

    /** The same about the thing called {@code id}. */
    Question about(String id) {
        return new Question(id, request, sent);
    }

    /** The address of the client, as the server resolved it. */
    String client() {
        return request.getRemoteAddr();
    }

    /** The parameter called {@code name}; null where it is missing or empty. */
    @Nullable
    String parameter(String name) throws UnfitException {
        @Nullable String value = text(name, LONGEST);
        return value == null ? null : value.strip();
    }

    /**
     * The parameter called {@code name} as it was sent; null where it is missing or blank.
     *
     * @param longest in characters
     */
    @Nullable
    String text(String name, int longest) throws UnfitException {
        @Nullable String value = sent.containsKey(name) ? sent.get(name) : request.getParameter(name);
        if (value == null || value.isBlank()) {
            return null;
        }
        if (value.length() > longest) {
            throw new UnfitException(name + " is longer than " + longest + " characters.");
        }
        return value;
    }

    /** The session whose id the parameter called {@code name} is, as it stands; null where it is missing or empty. */
    @Nullable
    SessionId sessionId(String name) throws UnfitException {
        @Nullable String value = visible(name, SessionId.MAX_LENGTH);
        return value == null ? null : new SessionId(value);
    }

    /** The session whose key the parameter called {@code name} is, as it stands; null where it is missing or empty. */
    @Nullable
    SessionKey session(String name) throws UnfitException {
        @Nullable String value = visible(name, SessionKey.MAX_LENGTH);
        return value == null ? null : new SessionKey(value);
    }

    private @Nullable String visible(String name, int longest) throws UnfitException {
        @Nullable String value = text(name, longest);
        if (value != null && (Visible.isNothing(value) || value.chars().anyMatch(Character::isISOControl))) {
            throw new UnfitException(
                    name + " is no session's key: it has something to see, and no control characters.");
        }
        return value;
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

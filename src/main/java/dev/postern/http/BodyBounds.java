package dev.postern.http;

import java.time.Duration;
import java.util.Map;

/**
 * How much of a body is taken, and for how long it is waited for.
 *
 * @param maxBytes at any hook
 * @param more what some hooks take instead of those who send a token
 * @param timeout from the request's headers to its body's last byte
 */
public record BodyBounds(int maxBytes, Map<String, Integer> more, Duration timeout) {

    public BodyBounds {
        more = Map.copyOf(more);
    }

    /**
     * How much is taken of a body for {@code hook}.
     *
     * @param isAdmitted false where only all of the body shows whether its sender is to be let in: nobody holds more of our
     *     memory than at any hook until that is known
     */
    int maxBytes(String hook, boolean isAdmitted) {
        return isAdmitted ? more.getOrDefault(hook, maxBytes) : maxBytes;
    }
}

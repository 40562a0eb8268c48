package dev.postern.http;

import dev.postern.access.BodyLimit;
import java.time.Duration;
import java.util.Map;

/**
 * The limits of bodies that are sent to hooks.
 *
 * @param maxBytes at any hook
 * @param more what some hooks take instead of those who send a token
 * @param timeout from the request's headers to its body's last byte
 */
public record BodyLimits(int maxBytes, Map<String, More> more, Duration timeout) {

    private static final String TIMEOUT = "hooks.bodyTimeoutSeconds";

    public BodyLimits {
        more = Map.copyOf(more);
    }

    /**
     * A larger limit of one hook.
     *
     * @param setting where it comes from
     */
    public record More(int maxBytes, String setting) {}

    /**
     * The limit of a body for {@code hook}.
     *
     * @param isAdmitted false where only all of the body shows whether its sender is to be let in: nobody holds more of our
     *     memory than at any hook until that is known
     */
    BodyLimit limit(String hook, boolean isAdmitted) {
        More own = more.get(hook);
        return own != null && isAdmitted
                ? new BodyLimit(own.maxBytes(), own.setting(), timeout, TIMEOUT, true)
                : new BodyLimit(maxBytes, "hooks.maxBodyBytes", timeout, TIMEOUT, isAdmitted);
    }

    /** The largest body that is taken at any hook, in bytes. */
    public int largest() {
        return Math.max(
                maxBytes, more.values().stream().mapToInt(More::maxBytes).max().orElse(0));
    }
}

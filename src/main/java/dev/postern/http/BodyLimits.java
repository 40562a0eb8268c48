package dev.postern.http;

import dev.postern.access.BodyLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The limits of bodies that are sent to hooks.
 *
 * @param maxBytes the maximum size at any hook, in bytes
 * @param more the larger maximum sizes of some hooks for senders that send a token, by hook
 * @param gzip the hooks that take compressed bodies
 * @param timeout the time from the request's headers to its body's last byte
 */
public record BodyLimits(int maxBytes, Map<String, More> more, Set<String> gzip, Duration timeout) {

    private static final String TIMEOUT = "hooks.bodyTimeoutSeconds";

    public BodyLimits {
        more = Map.copyOf(more);
        gzip = Set.copyOf(gzip);
    }

    /**
     * A larger limit of one hook.
     *
     * @param maxBytes the maximum size in bytes
     * @param setting the setting that defines it
     */
    public record More(int maxBytes, String setting) {}

    /**
     * The limit of a body for {@code hook}.
     *
     * @param isAdmitted false if only the whole body shows whether its sender is authenticated; until then it may hold
     *     no more memory than a body at any other hook
     */
    BodyLimit limit(String hook, boolean isAdmitted) {
        More own = more.get(hook);
        boolean takesGzip = gzip.contains(hook);
        return own != null && isAdmitted
                ? new BodyLimit(own.maxBytes(), own.setting(), timeout, TIMEOUT, true, takesGzip)
                : new BodyLimit(maxBytes, "hooks.maxBodyBytes", timeout, TIMEOUT, isAdmitted, takesGzip);
    }

    /** The largest body that any hook takes, in bytes. */
    public int largest() {
        return Math.max(
                maxBytes, more.values().stream().mapToInt(More::maxBytes).max().orElse(0));
    }
}

package dev.postern.config;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a sender: its tokens, the hooks that it may call, and the limits on what it may ask for.
 *
 * @param id the name under which runs, requests and metrics list it
 * @param tokenHashes the SHA-256 of each of its tokens in hex, lower case: one, or two while they are rotated
 * @param hooks the hooks that it may call: paths below the hook prefix, or {@code prefix/*} for all below {@code prefix/}
 * @param scope the limits beside those of {@link HookSettings} and of the agents
 * @param expires the time from which its tokens are unknown; null for never
 * @param disabled whether its tokens are unknown already
 * @param rate the most requests; null for any number
 * @param maxPending the most accepted and unfinished actions; null for any number
 */
public record SenderSettings(
        String id,
        List<String> tokenHashes,
        List<String> hooks,
        Scope scope,
        @Nullable Instant expires,
        boolean disabled,
        @Nullable Rate rate,
        @Nullable Integer maxPending) {

    /** The end of a pattern that stands for all hooks below a prefix. */
    static final String BELOW = "/*";

    public SenderSettings {
        tokenHashes = List.copyOf(tokenHashes);
        hooks = List.copyOf(hooks);
    }

    /** Whether the sender may call {@code hook}, the path below {@link HookSettings#path} as sent. */
    public boolean mayCall(String hook) {
        for (String pattern : hooks) {
            if (covers(pattern, hook)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the sender's tokens count at {@code now}. */
    public boolean isActive(Instant now) {
        return !disabled && (expires == null || now.isBefore(expires));
    }

    /** Whether {@code pattern}, an entry of {@link #hooks}, stands for {@code hook}. */
    static boolean covers(String pattern, String hook) {
        int prefix = pattern.length() - 1;
        return pattern.endsWith(BELOW)
                ? hook.length() > prefix && hook.regionMatches(0, pattern, 0, prefix)
                : pattern.equals(hook);
    }

    /**
     * The limits on the actions of a sender. Each is empty where nothing is narrowed.
     *
     * @param agents the ids of the agents whose sessions it may reach
     * @param sessionKeyPrefixes the beginnings of the session keys that it may reach, beside those that are generated
     * @param models the ids of the models that its turns may run on
     * @param channels the channels that replies to its turns may go to
     */
    public record Scope(
            Optional<List<String>> agents,
            Optional<List<String>> sessionKeyPrefixes,
            Optional<List<String>> models,
            Optional<List<String>> channels) {

        public Scope {
            agents = agents.map(List::copyOf);
            sessionKeyPrefixes = sessionKeyPrefixes.map(List::copyOf);
            models = models.map(List::copyOf);
            channels = channels.map(List::copyOf);
        }
    }

    /**
     * The rate of a token bucket: it holds {@code requests} at most, and fills up within {@code window}.
     *
     * @param requests 1 or more
     * @param window from a second to a day
     */
    public record Rate(int requests, Duration window) {

        /** The rate as the configuration spells it, such as {@code 60/1m}. */
        @Override
        public String toString() {
            return requests + "/" + DurationType.shortest(window);
        }
    }
}

package dev.postern.config;

import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gate: who is let in, what may be asked, how much is taken.
 *
 * @param path begins with a slash, ends without one, is not {@code /}
 * @param tokens one, or two while they are rotated; empty only when not {@code enabled}
 * @param tokenHeaders further headers that may carry a token, lower case
 * @param allowedAgentIds empty when any agent may be named; an empty list allows none
 * @param transformsRoot the directory that every script has to be in, absolute, {@code hooks.transformsDir} or else
 *     {@code hooks/transforms}; where it exists its symbolic links are resolved
 * @param mappings the operator's in their order, then the presets'
 * @param mailbox the mailbox that is to be watched while {@code enabled}; null for none
 */
public record HookSettings(
        boolean enabled,
        String path,
        List<Secret> tokens,
        List<String> tokenHeaders,
        Optional<List<String>> allowedAgentIds,
        SessionKeys sessionKeys,
        Bodies bodies,
        Throttle throttle,
        Duration idempotencyTtl,
        int maxPending,
        Path transformsRoot,
        List<MappingSettings> mappings,
        @Nullable MailboxSettings mailbox) {

    public HookSettings {
        tokens = List.copyOf(tokens);
        tokenHeaders = List.copyOf(tokenHeaders);
        allowedAgentIds = allowedAgentIds.map(List::copyOf);
        mappings = List.copyOf(mappings);
    }

    /** The mailbox to watch; null where there is none, and where hooks are not {@code enabled}. */
    public @Nullable MailboxSettings gmail() {
        return enabled ? mailbox : null;
    }

    /** True where {@code name} is one of the mappings that Postern brings along, whether it is on or not. */
    public static boolean isPreset(String name) {
        return PresetMappings.NAMES.contains(name);
    }

    /** Whether a request to {@code hook}, the path below {@link #path}, can be let in by its sender's signature. */
    public boolean isSigned(String hook) {
        return mappings.stream()
                .anyMatch(mapping ->
                        mapping.verify() != null && hook.equals(mapping.match().path()));
    }

    /** The request headers that no mapping gets to see, lower case: they carry a token, another credential or a signature. */
    public Set<String> withheldHeaders() {
        return CredentialHeaders.of(tokenHeaders, mappings);
    }

    /**
     * Which sessions agent runs go to.
     *
     * @param byDefault the key of runs for which nobody names one; null where each has its own
     * @param requestsMayName whether a request may name its key
     * @param prefixes what a key that is named has to begin with; empty when any is taken
     */
    public record SessionKeys(@Nullable String byDefault, boolean requestsMayName, Optional<List<String>> prefixes) {

        public SessionKeys {
            prefixes = prefixes.map(List::copyOf);
        }
    }

    /**
     * How large the bodies of requests may be, and how long they may take to arrive.
     *
     * @param maxMailBytes what {@code maxBytes} is for the hook {@link MailboxSettings#HOOK}
     */
    public record Bodies(int maxBytes, int maxMailBytes, Duration timeout) {

        /** How many bytes the body of a request to {@code hook}, the path below {@link HookSettings#path}, may have. */
        public int maxBytes(String hook) {
            return hook.equals(MailboxSettings.HOOK) ? maxMailBytes : maxBytes;
        }
    }

    /** So many {@code failures} within {@code window} lock a client out for {@code lockout}. */
    public record Throttle(int failures, Duration window, Duration lockout) {}
}

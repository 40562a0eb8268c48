package dev.postern.config;

import dev.postern.model.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of all hooks: the authentication of requests, the actions they may ask for, and their limits.
 *
 * @param path begins with a slash, ends without one, is not {@code /}
 * @param tokens the tokens that open every hook: one, or two while they are rotated; empty if only senders have tokens
 * @param tokenHeaders further headers that may carry a token, lower case
 * @param allowedAgentIds the agents that requests may name; empty for any, an empty list for none
 * @param transformsRoot the directory that has to contain every script, absolute: {@code hooks.transformsDir} or else
 *     {@code hooks/transforms}; its symbolic links are resolved if it exists
 * @param mappings the operator's mappings in their order, then those of the presets
 * @param mailbox the mailbox to watch while {@code enabled}; null for none
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

    /** The mailbox to watch; null if there is none or hooks are not {@code enabled}. */
    public @Nullable MailboxSettings watchedMailbox() {
        return enabled ? mailbox : null;
    }

    /** The paths below {@link #path} that are configured, and those that have a meaning of their own. */
    public Set<String> paths() {
        return Stream.concat(
                        Stream.of("wake", "agent", MailboxSettings.HOOK),
                        mappings.stream()
                                .flatMap(mapping ->
                                        Stream.ofNullable(mapping.match().path())))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The path below {@link #path} of the hook that a person names, without outer slashes.
     *
     * @param hook that path, or the whole one with the prefix and its leading slash
     */
    public String below(String hook) {
        String below = hook.startsWith(path + "/") ? hook.substring(path.length()) : hook;
        return below.replaceAll("^/+|/+$", "");
    }

    /** True where {@code name} is one of the mappings that Postern brings along, whether it is on or not. */
    public static boolean isPreset(String name) {
        return PresetMappings.NAMES.contains(name);
    }

    /** Whether requests to {@code hook}, the path below {@link #path}, can be authenticated by a signature. */
    public boolean isSigned(String hook) {
        return mappings.stream()
                .anyMatch(mapping ->
                        mapping.verify() != null && hook.equals(mapping.match().path()));
    }

    /** Whether a mapping takes forms at {@code hook}, the path below {@link #path}. */
    public boolean takesForms(String hook) {
        return mappings.stream()
                .anyMatch(mapping -> mapping.payload().body().form() != null
                        && hook.equals(mapping.match().path()));
    }

    /** The request headers that no mapping sees: they carry a token, another credential or a signature. */
    public CredentialHeaders withheldHeaders() {
        return CredentialHeaders.of(tokenHeaders, mappings);
    }

    /**
     * The rules for the session keys of agent runs.
     *
     * @param byDefault the key of runs without a named one; null if each of them has its own
     * @param requestsMayName whether a request may name its session key
     * @param prefixes the allowed beginnings of a named key; empty if any key is allowed
     */
    public record SessionKeys(@Nullable String byDefault, boolean requestsMayName, Optional<List<String>> prefixes) {

        public SessionKeys {
            prefixes = prefixes.map(List::copyOf);
        }
    }

    /**
     * The limits on request bodies.
     *
     * @param maxBytes the largest body, in bytes
     * @param maxMailBytes the same for the hook {@link MailboxSettings#HOOK}
     * @param timeout the longest time for a body to arrive
     */
    public record Bodies(int maxBytes, int maxMailBytes, Duration timeout) {

        /** The largest body of a request to {@code hook}, the path below {@link HookSettings#path}, in bytes. */
        public int maxBytes(String hook) {
            return hook.equals(MailboxSettings.HOOK) ? maxMailBytes : maxBytes;
        }
    }

    /**
     * The failure throttle: {@code failures} failed authentications within {@code window} lock a client out for
     * {@code lockout}.
     */
    public record Throttle(int failures, Duration window, Duration lockout) {}
}

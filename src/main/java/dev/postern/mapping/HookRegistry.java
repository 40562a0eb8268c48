package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.config.MappingSettings;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every hook there is: {@code wake} and {@code agent}, then the operator's mappings, then the presets'. The first mapping
 * that takes a payload decides. Safe for use by many threads.
 */
public final class HookRegistry {

    /** Longer than any that Slack sends. */
    private static final int MAX_CHALLENGE_LENGTH = 1_000;

    private static final byte[] NO_BODY = {};

    private final List<MappedHook> hooks;

    HookRegistry(List<MappedHook> hooks) {
        this.hooks = List.copyOf(hooks);
    }

    /**
     * Compiles {@code mappings}.
     *
     * @param scriptRegistry runs their transforms, and stays the caller's to close
     */
    public static Compilation compile(List<MappingSettings> mappings, ScriptRegistry scriptRegistry) {
        MappingCompiler compiler = new MappingCompiler(scriptRegistry, System::nanoTime);
        mappings.forEach(compiler::add);
        return compiler.result();
    }

    /** What {@code request} asks for, whose body is {@code payload}. */
    public MappingResult map(HookRequest request, JsonNode payload) {
        return take(request, payload).mapped();
    }

    /** The same, and which mapping says so. */
    public Taken take(HookRequest request, JsonNode payload) {
        return switch (request.hook()) {
            case FixedHooks.WAKE -> Taken.byNone(FixedHooks.wake(payload));
            case FixedHooks.AGENT -> Taken.byNone(FixedHooks.agent(payload));
            default -> mapped(request, payload);
        };
    }

    /** Which mappings were looked at for {@code request}, in order, up to the one that takes it; none for a fixed hook. */
    public List<Considered> considered(HookRequest request, JsonNode payload) {
        if (FixedHooks.NAMES.contains(request.hook())) {
            return List.of();
        }
        List<Considered> considered = new ArrayList<>();
        for (MappedHook hook : hooks) {
            MappingSettings mapping = hook.mapping();
            @Nullable String obstacle = hook.matching().obstacle(request, payload);
            considered.add(new Considered(mapping.id(), mapping.where(), obstacle));
            if (obstacle == null) {
                break;
            }
        }
        return considered;
    }

    /**
     * What the mapping called {@code id} makes of a sample, whether or not it would match, and which places of its templates the
     * sample leaves empty.
     */
    public Trial tryOut(String id, JsonNode sample, Instant now) {
        MappedHook hook = hooks.stream()
                .filter(candidate -> candidate.mapping().id().equals(id))
                .findFirst()
                .orElseThrow();
        @Nullable String path = hook.mapping().match().path();
        HookRequest request = new HookRequest(
                path == null ? "sample" : path,
                NO_BODY,
                hook.mapping().match().headers(),
                Map.of(),
                null,
                false,
                null,
                now);
        return new Trial(hook.map(request, sample), hook.gaps(request, sample));
    }

    private Taken mapped(HookRequest request, JsonNode payload) {
        Optional<String> challenge = challenge(request, payload);
        if (challenge.isPresent()) {
            return Taken.byNone(MappingResult.of(new HookResult.Handshake(challenge.get())));
        }
        for (MappedHook hook : hooks) {
            if (hook.matching().takes(request, payload)) {
                return new Taken(hook.map(request, payload), hook.mapping().id());
            }
        }
        return Taken.byNone(MappingResult.of(new HookResult.NoSuchHook()));
    }

    /** What Slack wants back before it sends anything to an address (api.slack.com/events/url_verification). */
    private Optional<String> challenge(HookRequest request, JsonNode payload) {
        if (!"url_verification".equals(payload.path("type").textValue())) {
            return Optional.empty();
        }
        @Nullable String challenge = payload.path("challenge").textValue();
        return challenge != null
                        && challenge.length() <= MAX_CHALLENGE_LENGTH
                        && hooks.stream().anyMatch(hook -> hook.shakesHandsAt(request.hook()))
                ? Optional.of(challenge)
                : Optional.empty();
    }

    /**
     * What a payload asks for.
     *
     * @param mapping the id of the mapping that took it; empty where none did, or none is needed
     */
    public record Taken(MappingResult mapped, String mapping) {

        /** What no mapping had to do with. */
        public static Taken byNone(MappingResult mapped) {
            return new Taken(mapped, "");
        }
    }

    /**
     * A mapping that was looked at.
     *
     * @param where it is configured
     * @param obstacle why it does not take the payload; null where it does
     */
    public record Considered(String id, String where, @Nullable String obstacle) {}

    /**
     * What came of a sample.
     *
     * @param gaps one line each
     */
    public record Trial(MappingResult mapped, List<String> gaps) {

        public Trial {
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * What came of compiling.
     *
     * @param mappings of use only where there are no problems
     * @param problems why a start has to be refused, each in one line with its place and what to write instead
     * @param warnings what the operator should know, likewise
     */
    public record Compilation(HookRegistry mappings, List<String> problems, List<String> warnings) {

        public Compilation {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}

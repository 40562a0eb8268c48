package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.config.CredentialHeaders;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.FormPayload;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry of all hooks: {@code wake} and {@code agent}, then the operator's mappings, then the presets. The first
 * mapping that matches a payload handles it. Safe for use by many threads.
 */
public final class HookRegistry {

    private static final byte[] NO_BODY = {};

    private final List<CompiledMapping> hooks;
    private final Map<String, FormPayload> forms = new HashMap<>();

    HookRegistry(List<CompiledMapping> hooks) {
        this.hooks = List.copyOf(hooks);
        for (CompiledMapping hook : hooks) {
            @Nullable String path = hook.mapping().match().path();
            @Nullable FormPayload form = hook.mapping().payload().body().form();
            if (path != null && form != null) {
                forms.put(path, form);
            }
        }
    }

    /**
     * Compiles {@code mappings}.
     *
     * @param withheld the headers that never reach a mapping; a template that names one gets a warning
     * @param scriptRegistry runs their transforms; the caller closes it
     */
    public static Compilation compile(
            List<MappingSettings> mappings, CredentialHeaders withheld, ScriptRegistry scriptRegistry) {
        MappingCompiler compiler = new MappingCompiler(scriptRegistry, withheld, System::nanoTime);
        mappings.forEach(compiler::add);
        return compiler.result();
    }

    /** Whether {@code hook} is one that Postern has without a mapping. */
    public static boolean isFixed(String hook) {
        return FixedHooks.NAMES.contains(hook);
    }

    /** The payload of a body that is sent to {@code hook} as a form; null if no form is taken there. */
    public @Nullable FormPayload form(String hook) {
        return forms.get(hook);
    }

    /** Maps {@code payload}, the body of {@code request}. */
    public MappingResult map(HookRequest request, JsonNode payload) {
        return match(request, payload).mapped();
    }

    /** Maps a payload like {@link #map}, and names the mapping that matched. */
    public MatchedResult match(HookRequest request, JsonNode payload) {
        return switch (request.hook()) {
            case FixedHooks.WAKE -> MatchedResult.withoutMapping(FixedHooks.wake(payload));
            case FixedHooks.AGENT -> MatchedResult.withoutMapping(FixedHooks.agent(payload));
            default -> mapped(request, payload);
        };
    }

    /**
     * The mappings that were checked for {@code request}, in order, up to the one that matches; none for a fixed hook or a
     * handshake.
     */
    public List<Considered> considered(HookRequest request, JsonNode payload) {
        if (FixedHooks.NAMES.contains(request.hook())
                || SenderHandshake.of(request, payload, hooks).isPresent()) {
            return List.of();
        }
        List<Considered> considered = new ArrayList<>();
        for (CompiledMapping hook : hooks) {
            MappingSettings mapping = hook.mapping();
            @Nullable String obstacle = hook.matcher().obstacle(request, payload);
            considered.add(new Considered(mapping.id(), mapping.where(), obstacle));
            if (obstacle == null) {
                break;
            }
        }
        return considered;
    }

    /**
     * Maps a sample with the mapping {@code id}, whether or not it would match. The result also lists the template
     * positions that have no value in the sample.
     */
    public Trial tryOut(String id, JsonNode sample, Instant now) {
        CompiledMapping hook = byId(id).orElseThrow();
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
        List<String> gaps = hook.gaps(request, sample, false).stream()
                .map(gap -> gap + " in the sample")
                .toList();
        return new Trial(hook.map(request, sample), gaps);
    }

    /** The positions of the mapping {@code id} that would show a value which {@code payload} lacks; none without such a mapping. */
    public List<String> gaps(String id, HookRequest request, JsonNode payload) {
        return byId(id).map(hook -> hook.gaps(request, payload, true)).orElse(List.of());
    }

    private Optional<CompiledMapping> byId(String id) {
        return hooks.stream()
                .filter(candidate -> candidate.mapping().id().equals(id))
                .findFirst();
    }

    /**
     * Whether every mapping at the path {@code hook} shows the agent's reply to a sender that only its signature
     * authenticates.
     */
    public boolean repliesToSender(String hook) {
        return hooks.stream()
                .filter(candidate -> candidate.isAt(hook))
                .allMatch(candidate -> candidate.mapping().response().replyToSender());
    }

    private MatchedResult mapped(HookRequest request, JsonNode payload) {
        Optional<HookResult.Handshake> handshake = SenderHandshake.of(request, payload, hooks);
        if (handshake.isPresent()) {
            return MatchedResult.withoutMapping(MappingResult.of(handshake.get()));
        }
        for (CompiledMapping hook : hooks) {
            if (hook.matcher().matches(request, payload)) {
                return new MatchedResult(
                        hook.map(request, payload), hook.mapping().id());
            }
        }
        return MatchedResult.withoutMapping(MappingResult.of(new HookResult.NoSuchHook()));
    }

    /**
     * A mapping result with the mapping that produced it.
     *
     * @param mapping the id of the mapping that matched; empty if none did, or none is needed
     */
    public record MatchedResult(MappingResult mapped, String mapping) {

        /** Wraps a result that no mapping produced. */
        public static MatchedResult withoutMapping(MappingResult mapped) {
            return new MatchedResult(mapped, "");
        }
    }

    /**
     * A mapping that was checked.
     *
     * @param where its place in the configuration
     * @param obstacle why it does not match the payload; null if it matches
     */
    public record Considered(String id, String where, @Nullable String obstacle) {}

    /**
     * A result of mapping a sample.
     *
     * @param gaps the template positions without a value, one line each
     */
    public record Trial(MappingResult mapped, List<String> gaps) {

        public Trial {
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * A result of compiling the mappings.
     *
     * @param mappings usable only if there are no problems
     * @param problems errors that prevent the start, one line each, with the position and what to write instead
     * @param warnings what the operator should know, in the same form
     */
    public record Compilation(HookRegistry mappings, List<String> problems, List<String> warnings) {

        public Compilation {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}

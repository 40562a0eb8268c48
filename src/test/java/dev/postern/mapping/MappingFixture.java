package dev.postern.mapping;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.config.CredentialHeaders;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.Match;
import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingSettings.Transform;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A fixture that compiles mappings as a test writes them down, and maps payloads with them. */
final class MappingFixture {

    static final Instant NOW = Instant.parse("2026-11-21T03:00:00Z");

    private static final CredentialHeaders WITHHELD = new CredentialHeaders(Set.of("x-own"));

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final HookRegistry hookRegistry;

    private MappingFixture(HookRegistry hookRegistry) {
        this.hookRegistry = hookRegistry;
    }

    static MappingFixture of(MappingBuilder... entries) {
        try (ScriptRegistry scriptRegistry = scripts(Path.of("nowhere"))) {
            return of(scriptRegistry, entries);
        }
    }

    static MappingFixture of(ScriptRegistry scriptRegistry, MappingBuilder... entries) {
        return of(compile(scriptRegistry, entries));
    }

    /** Makes mappings for which {@code nanoTime} is the clock. */
    static MappingFixture of(LongSupplier nanoTime, MappingBuilder... entries) {
        try (ScriptRegistry scriptRegistry = scripts(Path.of("nowhere"))) {
            MappingCompiler compiler = new MappingCompiler(scriptRegistry, WITHHELD, nanoTime);
            List.of(entries).forEach(mappingBuilder -> compiler.add(mappingBuilder.mapping()));
            return of(compiler.result());
        }
    }

    private static MappingFixture of(Compilation compilation) {
        if (!compilation.problems().isEmpty()) {
            throw new AssertionError(compilation.problems());
        }
        return new MappingFixture(compilation.mappings());
    }

    static Compilation compile(ScriptRegistry scriptRegistry, MappingBuilder... entries) {
        return HookRegistry.compile(
                List.of(entries).stream().map(MappingBuilder::mapping).toList(), WITHHELD, scriptRegistry);
    }

    static ScriptRegistry scripts(Path root) {
        return new ScriptRegistry(root, "postern-test", InstantSource.fixed(NOW));
    }

    static MappingBuilder agent(@Nullable String path, String message) {
        return new MappingBuilder(Action.AGENT).path(path).text(TextField.MESSAGE, message);
    }

    static MappingBuilder wake(@Nullable String path, String text) {
        return new MappingBuilder(Action.WAKE).path(path).text(TextField.TEXT, text);
    }

    HookRegistry mappings() {
        return hookRegistry;
    }

    MappingResult map(String hook, String payload, Map<String, String> headers) {
        return map(hook, payload, headers, Map.of("q", "1"), false);
    }

    private MappingResult map(
            String hook, String payload, Map<String, String> headers, Map<String, String> query, boolean bySignature) {
        HookRequest request = new HookRequest(hook, new byte[0], headers, query, null, bySignature, null, NOW);
        return hookRegistry.map(request, json(payload.replace('\'', '"')));
    }

    /** The final result of a request that asks for no action. */
    static HookResult result(MappingResult mapped) {
        return ((MappingResult.Final) mapped).result();
    }

    /** The result of a request that only its signature authenticates. */
    MappingResult mapSigned(String hook, String payload) {
        return map(hook, payload, Map.of(), Map.of(), true);
    }

    MappingResult map(String hook, String payload) {
        return map(hook, payload, Map.of());
    }

    List<HookAction> actions(String hook, String payload) {
        return ((MappingResult.Actions) map(hook, payload)).actions();
    }

    String message(String hook, byte[] payload) {
        MappingResult mapped;
        try {
            mapped = hookRegistry.map(HookRequest.bare(hook, payload, null, NOW), JSON.readTree(payload));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ((HookAction.AgentTurn)
                        ((MappingResult.Actions) mapped).actions().get(0))
                .message();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A builder of a mapping. */
    static final class MappingBuilder {

        private final Action action;
        private final Map<TextField, Text> texts = new EnumMap<>(TextField.class);
        private String id = "test";
        private Match match = new Match(null, null, Map.of());
        private @Nullable String forEach;
        private @Nullable Transform transform;
        private boolean trusted;
        private @Nullable String ownAccount;
        private boolean onlyToSource;

        private MappingBuilder(Action action) {
            this.action = action;
        }

        MappingBuilder id(String id) {
            this.id = id;
            return this;
        }

        MappingBuilder path(@Nullable String path) {
            match = new Match(path, match.source(), match.headers());
            return this;
        }

        MappingBuilder source(String source) {
            match = new Match(match.path(), source, match.headers());
            return this;
        }

        MappingBuilder header(String name, String value) {
            match = new Match(match.path(), match.source(), Map.of(name, value));
            return this;
        }

        MappingBuilder text(TextField field, String template) {
            texts.put(field, new Text(template, "hooks.mappings[0]." + field.settingName() + " [postern.yaml line 7]"));
            return this;
        }

        MappingBuilder forEach(String key) {
            forEach = key;
            return this;
        }

        MappingBuilder transform(Path module) {
            transform = new Transform(module, null, "hooks.mappings[0].transform.module [postern.yaml line 9]");
            return this;
        }

        MappingBuilder ownAccount(String account) {
            ownAccount = account;
            return this;
        }

        MappingBuilder onlyToSource() {
            onlyToSource = true;
            return this;
        }

        MappingBuilder trusted() {
            trusted = true;
            return this;
        }

        private MappingSettings mapping() {
            return new MappingSettings(
                    id,
                    /* where= */ "hooks.mappings[0] [postern.yaml line 5]",
                    match,
                    action,
                    texts,
                    forEach,
                    transform,
                    /* turn= */ MappingSettings.TurnOptions.NONE,
                    /* verify= */ null,
                    /* payload= */ MappingSettings.Payload.DEFAULT,
                    /* response= */ MappingSettings.Response.DEFAULT,
                    /* load= */ MappingSettings.Load.DEFAULT,
                    trusted,
                    /* replyToSource= */ new MappingSettings.ReplyToSource(ownAccount, onlyToSource));
        }
    }
}

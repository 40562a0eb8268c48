package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.config.ConfigurationFixture;
import dev.postern.config.HookSettings;
import dev.postern.it.InputCounter;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.MappingResult;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.mapping.template.Template;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A fuzz target of request bodies and their mapping. An input is a body's bytes. */
@Tag("fuzz")
class JsonBodyFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("request bodies");

    @TempDir
    private static Path home;

    @FuzzTest
    void isRejectedOrBecomesActions(byte[] body) {
        INPUTS.increment();
        Mappings.assertIsMapped(home, body);
    }

    /** The tested mappings. They are a class of their own, so that JUnit loads none of theirs before Jazzer is there. */
    private static final class Mappings {

        private static final Instant NOW = Instant.parse("2026-11-21T03:00:00Z");
        private static final List<String> HOOKS = List.of("wake", "agent", "plain", "each", "freemarker");
        private static final int MOST_ELEMENTS = 200;

        /** The characters of a body that one of its sentences may show. */
        private static final int SHOWN = 500;

        /** An exponent near the largest, which grows when the digits before it are written as one and a fraction. */
        private static final Pattern LARGEST_EXPONENT = Pattern.compile("E[+-]214748\\d{4}");

        private static final String CONFIGURATION =
                """
            hooks:
              enabled: true
              token: a-token-that-is-long-enough-01
              mappings:
                - match: {path: plain}
                  action: agent
                  messageTemplate: "Title: {{payload.title}}"
                  name: "{{payload.repository.name}}"
                  idempotencyKey: "{{payload.id}}"
                - match: {path: each}
                  action: wake
                  forEach: alerts
                  textTemplate: "{{item.labels.alertname}} of {{item.values[0]}}"
                - match: {path: freemarker}
                  action: agent
                  messageTemplate: "<#list payload.commits![] as c>${c.id} ${c.message?upper_case}<#sep>, </#list>."
            """;

        private static @Nullable HookRegistry hooks;

        private static HookRegistry hooks(Path home) {
            HookRegistry compiled = hooks;
            if (compiled == null) {
                try (ScriptRegistry scripts = new ScriptRegistry(home, "postern-test", InstantSource.fixed(NOW))) {
                    HookSettings settings = ConfigurationFixture.yaml(home, CONFIGURATION)
                            .settings()
                            .hooks();
                    HookRegistry.Compilation compilation =
                            HookRegistry.compile(settings.mappings(), settings.withheldHeaders(), scripts);
                    assertThat(compilation.problems()).isEmpty();
                    compiled = compilation.mappings();
                    hooks = compiled;
                }
            }
            return compiled;
        }

        static void assertIsMapped(Path home, byte[] body) {
            JsonBody read = JsonBody.read(body);
            if (read instanceof JsonBody.Malformed malformed) {
                assertThat(malformed.sentence()).matches("The body [^\\n]+ \\(line \\d+, column \\d+\\)\\.");
                return;
            }
            JsonNode json = ((JsonBody.Value) read).json();
            String written = json.toString();
            if (StandardCharsets.UTF_8.newEncoder().canEncode(written)
                    && !LARGEST_EXPONENT.matcher(written).find()) {
                assertThat(JsonBody.read(written.getBytes(StandardCharsets.UTF_8)))
                        .isInstanceOfSatisfying(JsonBody.Value.class, again -> assertThat(again.json())
                                .hasToString(written));
            }

            for (String hook : HOOKS) {
                MappingResult mapped = hooks(home).map(HookRequest.bare(hook, body, null, NOW), json);
                if (mapped instanceof MappingResult.Actions actions) {
                    assertThat(actions.actions()).hasSizeBetween(1, MOST_ELEMENTS);
                    actions.actions().forEach(action -> assertIsBounded(action, body));
                } else {
                    assertIsClear(((MappingResult.Final) mapped).result());
                }
            }
            JsonNode title = json.path("title");
            if (title.isTextual()
                    && !title.textValue().isEmpty()
                    && title.textValue().equals(title.textValue().strip())
                    && title.textValue().length() < SHOWN) {
                MappingResult mapped = hooks(home).map(HookRequest.bare("plain", body, null, NOW), json);
                assertThat(mapped).isInstanceOfSatisfying(MappingResult.Actions.class, actions -> assertThat(
                                ((HookAction.AgentTurn) actions.actions().get(0)).message())
                        .startsWith("Title: " + title.textValue()));
            }
        }

        private static void assertIsBounded(HookAction action, byte[] body) {
            String text =
                    action instanceof HookAction.Wake wake ? wake.text() : ((HookAction.AgentTurn) action).message();
            assertThat(text).isNotBlank();
            assertThat(text.length()).isLessThanOrEqualTo(Math.max(Template.MAX_OUTPUT, body.length));
        }

        private static void assertIsClear(HookResult result) {
            if (result instanceof HookResult.Rejected rejected) {
                assertThat(rejected.rejection().sentence()).isNotBlank().hasSizeLessThan(SHOWN);
            } else {
                assertThat(result).isInstanceOfAny(HookResult.Nothing.class, HookResult.Busy.class);
            }
        }
    }
}

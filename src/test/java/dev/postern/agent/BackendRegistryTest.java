package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.config.Settings;
import dev.postern.model.Provenance;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import dev.postern.model.ThinkingLevels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendRegistryTest {

    @TempDir
    Path scratch;

    @Test
    void sayWhichProviderIsNotConfigured() {
        assertThat(answer(Map.of(), "openai/gpt", "hello"))
                .isEqualTo(new Failed("providers.openai is not configured: add it with its kind, or choose a model of"
                        + " another provider"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt", "/gpt", ""})
    void sayThatAModelNamesNoProvider(String model) {
        assertThat(answer(Map.of(), model, "hello"))
                .isEqualTo(new Failed("model " + model + " names no provider: write <provider>/<model>"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "ollama", "gemini"})
    void leaveChatModelsToWhoeverKnowsThem(String kind) {
        Settings.Provider provider =
                new Settings.Provider("mine", kind, null, new Secret("k"), List.of(), ThinkingLevels.LEVELS);

        assertThat(answer(Map.of("mine", provider), "mine/large", "hello")).isEqualTo(new Replied("chat with " + kind));
    }

    @Test
    void runTheConfiguredCommand() {
        Settings.Provider provider =
                new Settings.Provider("local", "command", null, null, List.of("rev"), ThinkingLevels.LEVELS);

        assertThat(answer(Map.of("local", provider), "local/any/thing", "abc")).isEqualTo(new Replied("cba"));
    }

    @Test
    void echoOfflineWithoutConfiguration() {
        assertThat(answer(Map.of(), "offline/echo", " Deploy finished. "))
                .isEqualTo(new Replied("offline/echo: Deploy finished."));
    }

    @Test
    void echoOnlyTheBeginningOfALongMessage() {
        Replied reply = (Replied) answer(Map.of(), "offline/echo", "🎉".repeat(5_000));

        assertThat(reply.text()).hasSizeLessThan(2_100).endsWith("🎉…");
    }

    @Test
    void acknowledgeOfflineWhatTheyAreToAcknowledge() {
        assertThat(answer(Map.of(), "offline/ack", "Deploy finished.")).isEqualTo(new Replied("HEARTBEAT_OK"));
    }

    @Test
    void acknowledgeOfflineWhatHoldsNothingFromOutside() {
        PromptText own =
                new PromptText.Builder().addOperatorText("Look at the backups.").build();

        assertThat(answer(Map.of(), "offline/echo", own)).isEqualTo(new Replied("HEARTBEAT_OK"));
    }

    private TurnResult answer(Map<String, Settings.Provider> providers, String model, String message) {
        return answer(providers, model, PromptText.of(new Provenance("agent", true), message, null));
    }

    private TurnResult answer(Map<String, Settings.Provider> providers, String model, PromptText message) {
        BackendPrompt prompt = new BackendPrompt(
                /* turnId= */ "run_1",
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                /* workspace= */ scratch,
                model,
                /* thinking= */ null,
                /* instructions= */ "",
                /* history= */ List.of(),
                message,
                /* tools= */ ToolPermissions.NONE,
                /* journal= */ TurnJournal.of(ToolApprovals.UNAVAILABLE),
                /* maxTokens= */ null,
                /* recorder= */ new TurnRecorder());
        return BackendRegistry.of(providers, BackendRegistryTest::chat, scratch, "a database")
                .of(model)
                .takeTurn(prompt, new TurnCancellation(System::nanoTime, Duration.ofSeconds(20)));
    }

    private static Backend chat(Settings.Provider provider) {
        return (prompt, turnCancellation) -> new Replied("chat with " + provider.kind());
    }
}

package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Replied;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of complete turns: a chat model, played by a server that speaks its API, calls tools of the protocol's own trial
 * server.
 */
class EverythingTurnTest {

    @TempDir
    static Path work;

    private static EverythingServer everything;

    private final TurnRecorder log = new TurnRecorder();
    private final ModelTurnFixture turns = new ModelTurnFixture(work, everything.tools());

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        everything = new EverythingServer(work);
    }

    @AfterAll
    static void end() {
        if (everything != null) {
            everything.close();
        }
    }

    private TurnResult turn(String kind, ToolPermissions access, String... answers) throws IOException {
        return turns.take(kind, access, TurnJournal.of(ToolApprovals.UNAVAILABLE), log, List.of(answers));
    }

    private static String openAi(String message, String reason) {
        return """
                {"id": "1", "object": "chat.completion", "created": 1, "model": "large",
                    "choices": [{"index": 0, "message": %s, "finish_reason": "%s"}],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
                """
                .formatted(message, reason);
    }

    private static String call(String tool, String arguments) {
        String quoted = arguments.replace("\"", "\\\"");
        return openAi(
                """
                {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
                    "function": {"name": "%s", "arguments": "%s"}}]}
                """
                        .formatted(tool, quoted),
                "tool_calls");
    }

    private static String reply(String text) {
        return openAi("{\"role\": \"assistant\", \"content\": \"" + text + "\"}", "stop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void refusesAModelWhatItsAgentMayNotUse(String server) throws IOException {
        ToolPermissions access = ToolTurnFixture.access(List.of(server), List.of("echo"), null);

        assertThat(turn("openai", access, call("get-env", "{}"), reply("Nothing.")))
                .isEqualTo(new Replied("Nothing."));

        assertThat(log.record().toolCalls()).singleElement().satisfies(refused -> {
            assertThat(refused.tool()).isEmpty();
            assertThat(refused.outcome().wire()).isEqualTo("refused");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void letsAModelCallATool(String server) throws IOException {
        ToolPermissions access = ToolTurnFixture.access(List.of(server), List.of("echo"), null);

        assertThat(turn("openai", access, call("echo", "{\"message\":\"hello\"}"), reply("Hello.")))
                .isEqualTo(new Replied("Hello."));

        assertThat(turns.asked.remove().path("tools").findValuesAsText("name")).containsExactly("echo");
        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .contains("Echo: hello");
        assertThat(log.record().toolCalls()).singleElement().satisfies(called -> {
            assertThat(called.server()).isEqualTo(server);
            assertThat(called.outcome().wire()).isEqualTo("ok");
        });
    }

    @Test
    void tellsModelsOfEveryProviderOfAllItsTools() throws IOException {
        ToolPermissions all =
                new ToolPermissions(List.of("stdio", "http"), Optional.empty(), Optional.empty(), List.of(), 9);
        String anthropic =
                """
                {"id": "1", "type": "message", "role": "assistant", "model": "large", "stop_reason": "end_turn",
                    "content": [{"type": "text", "text": "Fine."}], "usage": {"input_tokens": 1, "output_tokens": 1}}
                """;
        String ollama =
                """
                {"model": "large", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
                    "message": {"role": "assistant", "content": "Fine."}, "prompt_eval_count": 1, "eval_count": 1}
                """;
        String gemini =
                """
                {"candidates": [{"content": {"role": "model", "parts": [{"text": "Fine."}]}, "finishReason": "STOP"}],
                    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
                """;

        assertThat(turn("openai", all, reply("Fine."))).isEqualTo(new Replied("Fine."));
        assertThat(turn("anthropic", all, anthropic)).isEqualTo(new Replied("Fine."));
        assertThat(turn("ollama", all, ollama)).isEqualTo(new Replied("Fine."));
        assertThat(turn("gemini", all, gemini)).isEqualTo(new Replied("Fine."));

        assertThat(turns.asked).hasSize(4).allSatisfy(request -> assertThat(request.findValuesAsText("name"))
                .contains("stdio__get-structured-content", "http__get-structured-content", "http__echo"));
    }
}

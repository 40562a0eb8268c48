package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.model.ApprovalDecision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of tool calls in a response that ended at the model's output limit. Only the last one may lack something. */
class CutToolCallTest {

    private static final String NOT_CALLED = "Not called: the answer was cut at the output limit.";
    private static final String NO_OBJECT = "Not called: the arguments have to be one JSON object of at most 1 MiB.";

    private static final Map<String, List<String>> RESPONSES = Map.of(
            "openai",
            List.of(
                    """
                    {"choices": [{"message": {"role": "assistant", "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "echo", "arguments": "{\\"text\\":\\"one\\"}"}},
                        {"id": "c2", "type": "function", "function": {"name": "echo", "arguments": "{\\"text\\":\\"two\\"}"}}]},
                        "finish_reason": "length"}]}
                    """,
                    """
                    {"choices": [{"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]}
                    """),
            "anthropic",
            List.of(
                    """
                    {"id": "1", "type": "message", "role": "assistant", "model": "large", "stop_reason": "max_tokens",
                        "content": [{"type": "tool_use", "id": "c1", "name": "echo", "input": {"text": "one"}},
                            {"type": "tool_use", "id": "c2", "name": "echo", "input": {"text": "two"}}],
                        "usage": {"input_tokens": 3, "output_tokens": 2}}
                    """,
                    """
                    {"id": "2", "type": "message", "role": "assistant", "model": "large", "stop_reason": "end_turn",
                        "content": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 3, "output_tokens": 2}}
                    """),
            "ollama",
            List.of(
                    """
                    {"model": "large", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "length",
                        "message": {"role": "assistant", "content": "", "tool_calls": [
                            {"function": {"name": "echo", "arguments": {"text": "one"}}},
                            {"function": {"name": "echo", "arguments": {"text": "two"}}}]}}
                    """,
                    """
                    {"model": "large", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
                        "message": {"role": "assistant", "content": "Done."}}
                    """),
            "gemini",
            List.of(
                    """
                    {"candidates": [{"content": {"role": "model", "parts": [
                        {"functionCall": {"name": "echo", "args": {"text": "one"}}},
                        {"functionCall": {"name": "echo", "args": {"text": "two"}}}]}, "finishReason": "MAX_TOKENS"}]}
                    """,
                    """
                    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}, "finishReason": "STOP"}]}
                    """));

    @TempDir
    Path work;

    private TurnRecorder log = new TurnRecorder();
    private HttpToolServer server;
    private ToolServerRegistry tools;
    private ModelTurnFixture turns;

    @BeforeEach
    void start() throws IOException {
        server = new HttpToolServer();
        tools = new ToolServerRegistry(
                Map.of("lab", ToolTurnFixture.httpServer("lab", server.url(), Map.of(), Duration.ofSeconds(60))),
                work,
                "test");
        turns = new ModelTurnFixture(work, tools);
    }

    @AfterEach
    void end() {
        tools.close();
        server.close();
    }

    private TurnResult turn(String kind, List<String> approved, TurnJournal journal, List<String> responses)
            throws IOException {
        ToolPermissions access = new ToolPermissions(List.of("lab"), Optional.empty(), Optional.empty(), approved, 9);
        return turns.take(kind, access, journal, log, responses);
    }

    private List<String> outcomes() {
        return log.record().toolCalls().stream()
                .map(call ->
                        call.server() + "/" + call.tool() + " " + call.outcome().wire())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "ollama", "gemini"})
    void makesEveryCallButTheOneThatWasCut(String kind) throws IOException {
        assertThat(turn(kind, List.of(), TurnJournal.of(ToolApprovals.UNAVAILABLE), RESPONSES.get(kind)))
                .isEqualTo(new Replied("Done."));
        assertThat(outcomes()).containsExactly("lab/echo ok", "lab/echo error");
        turns.asked.remove();
        assertThat(turns.asked.remove().toString()).containsOnlyOnce(NOT_CALLED);
    }

    /** A server that parses them could refuse the whole conversation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"text\":\"tw|length|" + NOT_CALLED,
                "{text: two}|tool_calls|" + NO_OBJECT,
                "{\"text\":\"two\"} {}|tool_calls|" + NO_OBJECT,
                "[\"two\"]|tool_calls|" + NO_OBJECT,
            })
    void sendsNoArgumentsBackThatAreNoObject(String arguments, String finishReason, String result) throws IOException {
        List<String> responses = RESPONSES.get("openai");
        String broken = responses.get(0).replace("{\\\"text\\\":\\\"two\\\"}", arguments.replace("\"", "\\\""));

        assertThat(turn(
                        "openai",
                        List.of(),
                        TurnJournal.of(ToolApprovals.UNAVAILABLE),
                        List.of(broken.replace("\"length\"", "\"" + finishReason + "\""), responses.get(1))))
                .isEqualTo(new Replied("Done."));
        assertThat(outcomes()).containsExactly("lab/echo ok", "lab/echo error");
        turns.asked.remove();
        JsonNode messages = turns.asked.remove().path("messages");
        assertThat(messages.at("/1/tool_calls/0/function/arguments").asText()).isEqualTo("{\"text\":\"one\"}");
        assertThat(messages.at("/1/tool_calls/1/function/arguments").asText()).isEqualTo("{}");
        assertThat(messages.at("/3/content").asText()).isEqualTo(result);
    }

    @Test
    void asksNoOperatorAboutACallThatWasCut() throws IOException {
        DecidedCalls decided = new DecidedCalls();
        TurnJournal first = TurnJournal.of(decided);
        List<String> responses = RESPONSES.get("anthropic");

        assertThat(turn("anthropic", List.of("lab/echo"), first, responses.subList(0, 1)))
                .isInstanceOfSatisfying(
                        Paused.class,
                        paused -> assertThat(paused.questions()).singleElement().satisfies(question -> {
                            assertThat(question.call()).isZero();
                            assertThat(question.arguments()).contains("one");
                        }));
        decided.all(ApprovalDecision.APPROVED);
        log = new TurnRecorder();
        assertThat(turn(
                        "anthropic",
                        List.of("lab/echo"),
                        TurnJournal.of(decided, first.encode()),
                        responses.subList(1, 2)))
                .isEqualTo(new Replied("Done."));
        assertThat(outcomes()).containsExactly("lab/echo ok", "lab/echo error");
    }
}

package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.TurnRecord.Outcome;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of turns that are paused before a tool call and go on later: the model is asked as if there had been no pause. The
 * model and the tool server are played by servers that speak their protocols.
 */
class PausedTurnTest {

    private static final Map<String, List<String>> ANSWERS = Map.of(
            "openai",
            List.of(
                    """
                    {"id": "1", "object": "chat.completion", "created": 1, "model": "large", "choices": [{"index": 0,
                        "message": {"role": "assistant", "content": "Well.", "reasoning_content": "hm", "tool_calls": [
                            {"id": "c1", "type": "function", "function": {"name": "echo", "arguments": "{\\"text\\":\\"one\\"}"}},
                            {"id": "c2", "type": "function", "function": {"name": "called", "arguments": "{}"}},
                            {"id": "c3", "type": "function", "function": {"name": "echo", "arguments": "{\\"text\\":\\"two\\"}"}}]},
                        "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}
                    """,
                    """
                    {"id": "2", "object": "chat.completion", "created": 1, "model": "large", "choices": [{"index": 0,
                        "message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}],
                        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}
                    """),
            "anthropic",
            List.of(
                    """
                    {"id": "1", "type": "message", "role": "assistant", "model": "large", "stop_reason": "tool_use",
                        "content": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"},
                            {"type": "text", "text": "Well."},
                            {"type": "tool_use", "id": "c1", "name": "echo", "input": {"text": "one"}},
                            {"type": "tool_use", "id": "c2", "name": "called", "input": {}},
                            {"type": "tool_use", "id": "c3", "name": "echo", "input": {"text": "two"}}],
                        "usage": {"input_tokens": 3, "output_tokens": 2}}
                    """,
                    """
                    {"id": "2", "type": "message", "role": "assistant", "model": "large", "stop_reason": "end_turn",
                        "content": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 3, "output_tokens": 2}}
                    """),
            "ollama",
            List.of(
                    """
                    {"model": "large", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
                        "message": {"role": "assistant", "content": "", "tool_calls": [
                            {"function": {"name": "echo", "arguments": {"text": "one"}}},
                            {"function": {"name": "called", "arguments": {}}},
                            {"function": {"name": "echo", "arguments": {"text": "two"}}}]},
                        "prompt_eval_count": 3, "eval_count": 2}
                    """,
                    """
                    {"model": "large", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
                        "message": {"role": "assistant", "content": "Done."}, "prompt_eval_count": 3, "eval_count": 2}
                    """),
            "gemini",
            List.of(
                    """
                    {"candidates": [{"content": {"role": "model", "parts": [
                        {"text": "hm", "thought": true},
                        {"functionCall": {"name": "echo", "args": {"text": "one"}}, "thoughtSignature": "c2lnbmVk"},
                        {"functionCall": {"name": "called", "args": {}}},
                        {"functionCall": {"name": "echo", "args": {"text": "two"}}}]}, "finishReason": "STOP"}],
                        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5}}
                    """,
                    """
                    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}, "finishReason": "STOP"}],
                        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5}}
                    """));

    @TempDir
    Path work;

    private final DecidedCalls decided = new DecidedCalls();
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

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "ollama", "gemini"})
    void asksTheModelAsIfThereHadBeenNoPause(String kind) throws IOException {
        List<String> answers = ANSWERS.get(kind);
        assertThat(turn(kind, List.of(), TurnJournal.of(ToolApprovals.UNAVAILABLE), answers))
                .isEqualTo(new Replied("Done."));
        List<JsonNode> expected = List.copyOf(turns.asked);
        turns.asked.clear();

        TurnJournal first = TurnJournal.of(decided);
        log = new TurnRecorder();
        assertThat(turn(kind, List.of("lab/echo"), first, answers.subList(0, 1)))
                .isInstanceOfSatisfying(Paused.class, paused -> assertThat(paused.questions())
                        .extracting(each -> each.call() + " " + each.server() + "/" + each.tool() + " "
                                + each.arguments().replaceAll("\\s", ""))
                        .containsExactly("0 lab/echo {\"text\":\"one\"}", "2 lab/echo {\"text\":\"two\"}"));
        assertThat(log.record().toolCalls()).isEmpty();
        decided.all(ApprovalDecision.APPROVED);
        log = new TurnRecorder();
        assertThat(turn(kind, List.of("lab/echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2)))
                .isEqualTo(new Replied("Done."));

        // The tool server counts its calls, of which there were three more by then.
        assertThat(turns.asked.stream().map(JsonNode::toString).map(PausedTurnTest::withoutCount))
                .containsExactlyElementsOf(expected.stream()
                        .map(JsonNode::toString)
                        .map(PausedTurnTest::withoutCount)
                        .toList());
        assertThat(log.record().inputTokens()).isEqualTo(6);
        assertThat(log.uses()).singleElement().satisfies(use -> assertThat(use.inputTokens())
                .isEqualTo(3));
        assertThat(log.record().toolCalls()).hasSize(3);
        assertThat(decided.made).containsExactly(0, 2);
    }

    @Test
    void tellsTheModelWhatWasNotApproved() throws IOException {
        List<String> answers = ANSWERS.get("openai");
        TurnJournal first = TurnJournal.of(decided);
        turn("openai", List.of("echo"), first, answers.subList(0, 1));
        decided.decide(0, ApprovalDecision.REFUSED);
        decided.decide(2, ApprovalDecision.EXPIRED);
        turns.asked.clear();

        turn("openai", List.of("echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2));

        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .contains(
                        "Not called: an operator has refused this call.",
                        "Not called: no operator has approved this call in time.");
        assertThat(decided.made).isEmpty();
    }

    @Test
    void callsNoOtherServersToolOfTheSameName() throws IOException {
        List<String> answers = ANSWERS.get("openai");
        TurnJournal first = TurnJournal.of(decided);
        turn("openai", List.of("echo"), first, answers.subList(0, 1));
        decided.all(ApprovalDecision.APPROVED);
        decided.server = "another";
        turns.asked.clear();

        turn("openai", List.of("echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2));

        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .contains("Not called: the tool that an operator has approved is not available now.")
                .doesNotContain("one", "two");
        assertThat(decided.made).isEmpty();
    }

    @Test
    void doesNotMakeACallAgainWhoseResultIsUnknown() throws IOException {
        List<String> answers = ANSWERS.get("openai");
        TurnJournal first = TurnJournal.of(decided);
        turn("openai", List.of("echo"), first, answers.subList(0, 1));
        decided.all(ApprovalDecision.APPROVED);
        decided.made.add(0);
        turns.asked.clear();

        turn("openai", List.of("echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2));

        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .anyMatch(text -> text.contains("It may have been made"))
                .contains("two");
        assertThat(log.record().notes()).anyMatch(note -> note.startsWith("A call of lab/echo was begun before"));
        assertThat(log.record().toolCalls()).hasSize(3);
        assertThat(log.newToolCalls()).isEqualTo(Map.of(Outcome.OK, 2L));
        assertThat(decided.made).containsExactly(0, 2);
    }

    @Test
    void usesTheResultThatAnEarlierAttemptHasWritten() throws IOException {
        List<String> answers = ANSWERS.get("openai");
        TurnJournal first = TurnJournal.of(decided);
        turn("openai", List.of("echo"), first, answers.subList(0, 1));
        decided.all(ApprovalDecision.APPROVED);
        turn("openai", List.of("echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2));
        turns.asked.clear();

        turn("openai", List.of("echo"), TurnJournal.of(decided, first.encode()), answers.subList(1, 2));

        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .contains("one", "two");
        assertThat(decided.made).containsExactly(0, 2);
    }

    @Test
    void refusesACallWhereTheTurnCannotWait() throws IOException {
        List<String> answers = ANSWERS.get("openai");

        assertThat(turn("openai", List.of("echo"), TurnJournal.of(ToolApprovals.UNAVAILABLE), answers))
                .isEqualTo(new Replied("Done."));

        turns.asked.remove();
        assertThat(turns.asked.remove().path("messages").findValuesAsText("content"))
                .contains("Not called: this tool needs an operator's approval, for which this turn can't wait.");
    }

    @Test
    void asksForNoCallThatWouldNotBeMade() throws IOException {
        String answer = ANSWERS.get("openai").get(0);
        ToolPermissions one =
                new ToolPermissions(List.of("lab"), Optional.empty(), Optional.empty(), List.of("echo"), 1);
        assertThat(turn("openai", one, TurnJournal.of(decided), List.of(answer)))
                .isInstanceOfSatisfying(
                        Paused.class, paused -> assertThat(paused.questions()).hasSize(1));

        String broken = answer.replace("{\\\"text\\\":\\\"one\\\"}", "[]");
        assertThat(turn("openai", List.of("echo"), TurnJournal.of(decided), List.of(broken)))
                .isInstanceOfSatisfying(Paused.class, paused -> assertThat(paused.questions())
                        .extracting(ApprovalQuestion::call)
                        .containsExactly(2));
    }

    private static String withoutCount(String request) {
        return request.replaceAll("[0-9]+ called", "n called");
    }

    private TurnResult turn(String kind, List<String> approve, TurnJournal journal, List<String> answers)
            throws IOException {
        ToolPermissions access = new ToolPermissions(List.of("lab"), Optional.empty(), Optional.empty(), approve, 9);
        return turn(kind, access, journal, answers);
    }

    private TurnResult turn(String kind, ToolPermissions access, TurnJournal journal, List<String> answers)
            throws IOException {
        return turns.take(kind, access, journal, log, answers);
    }
}

package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.agent.TurnResult.ToolServerDown;
import dev.postern.agent.tool.HttpToolServer.ResponseMode;
import dev.postern.model.ApprovalDecision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of turns that go on after a decision while the server of the tool is down, or has lost the tool. */
class ApprovedCallTest {

    private static final ToolServerDown DOWN = new ToolServerDown(
            "the approved call of lab/echo was not made: the tool server lab answered with status 503");

    /** The model looks, then claims what it only asks for, then replies. */
    private static final String LOOKS = response("", call("c1", "called", "{}"));

    private static final String CLAIMS =
            response("I have released it.", call("c2", "echo", "{\\\"text\\\": \\\"one\\\"}"));
    private static final String REPLIES = response("Done.", "");

    @TempDir
    Path work;

    private final DecidedCalls decided = new DecidedCalls();
    private final AtomicLong nanos = new AtomicLong();
    private HttpToolServer server;
    private ToolServerRegistry tools;
    private ModelTurnFixture turns;

    @BeforeEach
    void start() throws IOException {
        server = new HttpToolServer();
        tools = new ToolServerRegistry(
                Map.of("lab", ToolTurnFixture.httpServer("lab", server.url(), Map.of(), Duration.ofSeconds(60))),
                work,
                "test",
                nanos::get);
        turns = new ModelTurnFixture(work, tools);
    }

    @AfterEach
    void end() {
        tools.close();
        server.close();
    }

    private static String response(String text, String calls) {
        return """
                {"id": "1", "object": "chat.completion", "created": 1, "model": "large", "choices": [{"index": 0,
                    "message": {"role": "assistant", "content": "%s"%s}, "finish_reason": "%s"}],
                    "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}
                """
                .formatted(text, calls, calls.isEmpty() ? "stop" : "tool_calls");
    }

    private static String call(String id, String tool, String arguments) {
        return ", \"tool_calls\": [{\"id\": \"%s\", \"type\": \"function\", \"function\": {\"name\": \"%s\", \"arguments\": \"%s\"}}]"
                .formatted(id, tool, arguments);
    }

    @Test
    void turnWaitsForServerThatWasFoundDown() throws IOException {
        String journal = paused(LOOKS, CLAIMS);
        decided.decide(1, ApprovalDecision.APPROVED);
        server.sessions().clear();
        server.responseMode = ResponseMode.UNAVAILABLE;
        otherTurnFindsServerDown();

        assertThat(resumed(journal)).isEqualTo(DOWN);
        assertThat(decided.made).isEmpty();

        server.responseMode = ResponseMode.JSON;
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        assertThat(resumed(journal, REPLIES)).isEqualTo(new Replied("Done."));
        assertThat(decided.made).containsExactly(1);
        assertThat(contents()).contains("one");
    }

    @Test
    void turnWaitsForServerThatNobodyFoundDown() throws IOException {
        String journal = paused(LOOKS, CLAIMS);
        decided.decide(1, ApprovalDecision.APPROVED);
        server.responseMode = ResponseMode.UNAVAILABLE;

        assertThat(resumed(journal)).isEqualTo(DOWN);
        assertThat(decided.made).isEmpty();

        server.responseMode = ResponseMode.JSON;
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        assertThat(resumed(journal, REPLIES)).isEqualTo(new Replied("Done."));
        assertThat(decided.made).containsExactly(1);
    }

    @Test
    void turnWithoutServerDoesNotEndWithAnEarlierClaim() throws IOException {
        String journal = paused(LOOKS, CLAIMS);
        decided.decide(1, ApprovalDecision.REFUSED);
        server.sessions().clear();
        server.responseMode = ResponseMode.UNAVAILABLE;
        otherTurnFindsServerDown();

        assertThat(resumed(journal, REPLIES)).isEqualTo(new Replied("Done."));
        assertThat(contents()).contains("Not called: an operator has refused this call.");
    }

    @Test
    void modelIsToldThatAnApprovedToolIsGone() throws IOException {
        String journal = paused(CLAIMS);
        decided.decide(0, ApprovalDecision.APPROVED);
        ToolPermissions others =
                new ToolPermissions(List.of("lab"), Optional.of(List.of("called")), Optional.empty(), List.of(), 9);

        assertThat(turns.take("openai", others, TurnJournal.of(decided, journal), new TurnRecorder(), List.of(REPLIES)))
                .isEqualTo(new Replied("Done."));
        assertThat(contents()).contains("Not called: the tool that an operator has approved is not available now.");
        assertThat(decided.made).isEmpty();
    }

    @Test
    void turnWhoseCallHasBegunDoesNotWaitForItsServer() throws IOException {
        String journal = paused(LOOKS, CLAIMS);
        decided.decide(1, ApprovalDecision.APPROVED);
        decided.made.add(1);
        server.sessions().clear();
        server.responseMode = ResponseMode.UNAVAILABLE;
        otherTurnFindsServerDown();

        assertThat(resumed(journal, REPLIES)).isEqualTo(new Replied("Done."));
        assertThat(contents()).anyMatch(text -> text.contains("It may have been made"));
    }

    /** The journal of a turn that waits for a decision. */
    private String paused(String... responses) throws IOException {
        TurnJournal journal = TurnJournal.of(decided);
        assertThat(turns.take("openai", access(), journal, new TurnRecorder(), List.of(responses)))
                .isInstanceOf(Paused.class);
        turns.asked.clear();
        return journal.encode();
    }

    private TurnResult resumed(String journal, String... responses) throws IOException {
        return turns.take("openai", access(), TurnJournal.of(decided, journal), new TurnRecorder(), List.of(responses));
    }

    private void otherTurnFindsServerDown() {
        nanos.addAndGet(ToolServerConnection.FRESH.toNanos());
        try (ToolTurnFixture other = ToolTurnFixture.with(tools, "lab")) {
            assertThat(other.names()).isEmpty();
        }
    }

    private static ToolPermissions access() {
        return new ToolPermissions(List.of("lab"), Optional.empty(), Optional.empty(), List.of("echo"), 9);
    }

    private List<String> contents() {
        return turns.asked.remove().path("messages").findValuesAsText("content");
    }
}

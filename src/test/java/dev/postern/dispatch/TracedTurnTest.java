package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.postern.acceptance.Submission;
import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.TurnResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.SessionKey;
import dev.postern.model.TraceContext;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.model.WakeMode;
import dev.postern.store.TestDatabases;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A test of the spans of runs and heartbeats, and of what they leave for others to continue. */
class TracedTurnTest {

    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    private static final TraceContext CONTEXT =
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=1");

    @TempDir
    Path home;

    private DispatchFixture fixture;

    @BeforeEach
    void begin() {
        fixture = new DispatchFixture(home, TestDatabases.sqlite(home));
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void eachAttemptIsSpanOfRequestsTrace() throws Exception {
        fixture.backend.end("a secret", new TurnResult.Interrupted("a test"));
        fixture.start();
        RunId run = run("a secret");
        await().until(() -> spans("run").size() == 2);
        fixture.ended(run);

        assertThat(spans("run")).allSatisfy(span -> {
            assertThat(span.getTraceId()).isEqualTo(CONTEXT.traceId());
            assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
        });
        assertThat(spans("run"))
                .extracting(span -> span.getAttributes().get(AttributeKey.longKey("postern.run.attempt")))
                .containsExactly(1L, 2L);
        assertThat(spans("invoke_agent main"))
                .extracting(SpanData::getParentSpanId)
                .containsExactlyElementsOf(
                        spans("run").stream().map(SpanData::getSpanId).toList());
        assertThat(fixture.view(run).traceId()).isEqualTo(CONTEXT.traceId());
        assertThat(TELEMETRY.getSpans().toString()).doesNotContain("a secret");
    }

    @Test
    void eachPartOfPausedTurnHasItsOwnUsage() throws Exception {
        AtomicInteger parts = new AtomicInteger();
        fixture.provider("test", (prompt, turnCancellation) -> {
                    if (parts.getAndIncrement() == 0) {
                        prompt.recorder().addTokens(10, 2);
                        return new TurnResult.Paused(
                                prompt.model(), List.of(new ApprovalQuestion(0, "lab", "deploy", "{}")));
                    }
                    prompt.recorder().addEarlierTokens(10, 2);
                    prompt.recorder().addTokens(5, null);
                    prompt.recorder().addToolCall(new ToolCall("lab", "deploy", 2, 0, 0, Outcome.REFUSED));
                    return new TurnResult.Replied("done");
                })
                .start();
        RunId run = run("hello");
        await("the pause").until(() -> fixture.view(run).retryAt() != null);
        fixture.time.advance(Duration.ofHours(24));
        fixture.ended(run);

        assertThat(spans("invoke_agent main"))
                .extracting(
                        span -> number(span, "gen_ai.usage.input_tokens"),
                        span -> number(span, "gen_ai.usage.output_tokens"),
                        span -> number(span, "postern.tool_calls"))
                .containsExactly(tuple(10L, 2L, 0L), tuple(5L, null, 1L));
    }

    @Test
    void deliveryAndSummaryContinueSpanOfRun() throws Exception {
        fixture.start();
        fixture.ended(run("hello"));

        String expected = "00-" + CONTEXT.traceId() + "-" + spans("run").get(0).getSpanId() + "-01 a=1";
        assertThat(fixture.texts("SELECT trace_context AS text FROM delivery")).containsExactly(expected);
        assertThat(fixture.texts("SELECT trace_context AS text FROM event")).containsExactly(expected);
    }

    @Test
    void heartbeatIsLinkedToTracesOfItsEvents() throws Exception {
        fixture.start();
        accept(new AllowedAction.Wake("main", "a secret", WakeMode.NOW, DispatchFixture.OUTSIDE));
        fixture.time.advance(Duration.ofMillis(250));

        await().until(() -> spans("heartbeat").size() == 1);
        SpanData heartbeat = spans("heartbeat").get(0);
        assertThat(heartbeat.getTraceId()).isNotEqualTo(CONTEXT.traceId());
        assertThat(heartbeat.getLinks())
                .extracting(link -> link.getSpanContext().getTraceId())
                .containsExactly(CONTEXT.traceId());
        assertThat(TELEMETRY.getSpans().toString()).doesNotContain("a secret");
    }

    @Test
    void runWithoutStoredContextBeginsTrace() throws Exception {
        fixture.start();
        RunId run = fixture.run("hook:a", "hello");
        fixture.ended(run);

        await().until(() -> spans("run").size() == 1);
        assertThat(spans("run").get(0).getParentSpanContext().isValid()).isFalse();
        assertThat(fixture.view(run).traceId()).isNull();
    }

    private RunId run(String message) {
        return ((Receipt.Run) accept(new AllowedAction.Turn(
                        /* agentId= */ "main",
                        /* sessionKey= */ new SessionKey("hook:a"),
                        message,
                        /* name= */ "GitHub",
                        /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                        /* deliver= */ true,
                        /* recipient= */ new Recipient(Recipient.INBOX, null),
                        /* model= */ "test/model",
                        /* thinking= */ null,
                        /* timeout= */ Duration.ofMinutes(10),
                        /* provenance= */ DispatchFixture.OUTSIDE,
                        /* operatorInstructions= */ OperatorInstructions.NONE)))
                .id();
    }

    private Receipt accept(AllowedAction action) {
        HookResult result =
                fixture.intake.accept(new Submission(List.of(action), null, 2, "0".repeat(64), null, null).in(CONTEXT));
        return ((HookResult.Accepted) result).receipts().get(0);
    }

    private static @Nullable Long number(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.longKey(attribute));
    }

    private static List<SpanData> spans(String name) {
        return TELEMETRY.getSpans().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }
}

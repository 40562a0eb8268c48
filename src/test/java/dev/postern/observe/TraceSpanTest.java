package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.TraceContext;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TraceSpanTest {

    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    private static final TraceContext SENDERS =
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=1");

    private static final String OTHER_TRACE = "00-11111111111111111111111111111111-2222222222222222-01";

    @Test
    void ofRequestIsChildOfServersSpan() {
        Span server = TELEMETRY
                .getOpenTelemetry()
                .getTracer("server")
                .spanBuilder("POST")
                .startSpan();
        try (Scope scope = server.makeCurrent();
                TraceSpan span = TraceSpan.ofRequest(SENDERS)) {
            assertThat(scope).isNotNull();
            assertThat(span.context().traceId())
                    .isEqualTo(server.getSpanContext().getTraceId());
        } finally {
            server.end();
        }

        assertThat(only("hook request").getParentSpanId())
                .isEqualTo(server.getSpanContext().getSpanId());
        assertThat(only("hook request").getKind()).isEqualTo(SpanKind.INTERNAL);
    }

    @Test
    void ofRequestContinuesSendersTraceItselfWithoutServersSpan() {
        try (TraceSpan span = TraceSpan.ofRequest(SENDERS)) {
            assertThat(span.context().tracestate()).isEqualTo("a=1");
        }

        assertThat(only("hook request").getTraceId()).isEqualTo(SENDERS.traceId());
        assertThat(only("hook request").getParentSpanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(only("hook request").getKind()).isEqualTo(SpanKind.SERVER);
    }

    @Test
    void ofStoredWorkIgnoresWhatThreadDidBefore() {
        try (TraceSpan before = TraceSpan.ofRequest(null);
                TraceSpan run = TraceSpan.continuing(SENDERS, "run");
                TraceSpan step = TraceSpan.child("step")) {
            assertThat(before.context().traceId()).isNotEqualTo(SENDERS.traceId());
            assertThat(run.context().traceId()).isEqualTo(SENDERS.traceId());
            assertThat(TraceHeaders.outgoing()).isEqualTo(step.context().traceparent());
        }

        assertThat(only("run").getTraceId()).isEqualTo(SENDERS.traceId());
        assertThat(only("step").getParentSpanId()).isEqualTo(only("run").getSpanId());
        assertThat(TraceHeaders.outgoing()).isNull();
    }

    @Test
    void beginsTraceForStoredWorkWithoutOne() {
        try (TraceSpan before = TraceSpan.ofRequest(SENDERS);
                TraceSpan run = TraceSpan.continuing(null, "run")) {
            assertThat(run.context().traceId()).isNotEqualTo(before.context().traceId());
        }

        assertThat(only("run").getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void linksToSeveralCausesInTraceOfItsOwn() {
        TraceContext other = new TraceContext(OTHER_TRACE, "");
        try (TraceSpan heartbeat = TraceSpan.linkedTo(List.of(SENDERS, other), "heartbeat")) {
            assertThat(heartbeat.context().traceId()).isNotIn(SENDERS.traceId(), other.traceId());
        }

        assertThat(only("heartbeat").getLinks())
                .extracting(link -> link.getSpanContext().getTraceId())
                .containsExactly(SENDERS.traceId(), other.traceId());
    }

    @Test
    void keepsNoOtherCharactersThanThoseOfNames() {
        try (TraceSpan span = TraceSpan.child("step")) {
            span.set("name", "a\n<script>\u202Eü" + "x".repeat(200)).set("absent", (String) null);
        }

        assertThat(only("step").getAttributes().get(AttributeKey.stringKey("name")))
                .isEqualTo("a__script___" + "x".repeat(88));
        assertThat(only("step").getAttributes().size()).isEqualTo(1);
    }

    @Test
    void saysThatStepFailedWithoutSentence() {
        try (TraceSpan span = TraceSpan.child("step")) {
            span.fail("TimedOut");
        }

        assertThat(only("step").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(only("step").getStatus().getDescription()).isEmpty();
        assertThat(only("step").getEvents()).isEmpty();
    }

    @Test
    void leavesNothingWithThread() {
        try (TraceSpan span = TraceSpan.child("step")) {
            assertThat(Span.current().getSpanContext().isValid()).isTrue();
            span.set("n", 1L);
        }

        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    private static SpanData only(String name) {
        List<SpanData> found = TELEMETRY.getSpans().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }
}

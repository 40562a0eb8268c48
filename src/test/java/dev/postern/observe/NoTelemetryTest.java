package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.TraceContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A test of spans where no SDK is installed. */
class NoTelemetryTest {

    private static final TraceContext SENDERS =
            new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=1");

    @BeforeEach
    void installNothing() {
        GlobalOpenTelemetry.resetForTest();
        GlobalOpenTelemetry.set(OpenTelemetry.noop());
    }

    @AfterEach
    void reset() {
        GlobalOpenTelemetry.resetForTest();
    }

    @Test
    void isOneAndTheSameSpanForRequestsWithoutTrace() {
        try (TraceSpan request = TraceSpan.ofRequest(null);
                TraceSpan mapping = TraceSpan.child("mapping");
                TraceSpan run = TraceSpan.continuing(null, "run")) {
            assertThat(List.of(request, mapping, run)).containsOnly(request);
            assertThat(request.context()).isNull();
            assertThat(request.isRecording()).isFalse();
            assertThat(TraceHeaders.outgoing()).isNull();
        }
    }

    @Test
    void passesSendersTraceOn() {
        try (TraceSpan request = TraceSpan.ofRequest(SENDERS)) {
            assertThat(request.context()).isEqualTo(SENDERS);
            try (TraceSpan step = TraceSpan.child("step")) {
                assertThat(step.context()).isNull();
                assertThat(TraceHeaders.outgoing()).isEqualTo(SENDERS.traceparent());
            }
        }

        assertThat(TraceHeaders.current()).isNull();
    }

    @Test
    void hasSpanOfHeartbeatInNoTrace() {
        try (TraceSpan heartbeat = TraceSpan.linkedTo(List.of(SENDERS), "heartbeat")) {
            assertThat(heartbeat.context()).isNull();
        }
    }
}

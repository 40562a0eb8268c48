package dev.postern.http;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import java.time.Instant;
import java.util.List;

/** A run as it stands at one time, of which a test says what matters to it. */
final class RunViewFixture {

    static final RunId RUN = new RunId("run_1");
    static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    private RunState state = RunState.QUEUED;
    private int attempts;
    private int retries;
    private Instant retryAt;
    private String heldBy;
    private Instant collectingUntil;
    private String reply;
    private String error;
    private TurnRecord turn;

    RunViewFixture state(RunState now) {
        state = now;
        return this;
    }

    RunViewFixture attempts(int begun) {
        attempts = begun;
        return this;
    }

    RunViewFixture waits(int soMany, Instant until) {
        retries = soMany;
        retryAt = until;
        return this;
    }

    RunViewFixture heldBy(String budget, Instant until) {
        heldBy = budget;
        retryAt = until;
        return this;
    }

    RunViewFixture collectingUntil(Instant due) {
        collectingUntil = due;
        return this;
    }

    /** Ended, with a turn in which {@code tools} were called. */
    RunViewFixture succeeded(String text, String... tools) {
        state = RunState.SUCCEEDED;
        reply = text;
        turn = turn(tools);
        retryAt = null;
        heldBy = null;
        return this;
    }

    /** With the record of a turn in which {@code tools} were called. */
    RunViewFixture called(String... tools) {
        turn = turn(tools);
        return this;
    }

    RunViewFixture failed(String sentence) {
        state = RunState.FAILED;
        error = sentence;
        return this;
    }

    private static TurnRecord turn(String... tools) {
        List<ToolCall> calls = List.of(tools).stream()
                .map(tool -> new ToolCall("server", tool, 1, 2, 3, Outcome.OK))
                .toList();
        return new TurnRecord(10, null, null, null, null, calls, List.of(), "the provider's own words", null);
    }

    RunView view() {
        return new RunView(
                /* id= */ RUN,
                state,
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:a"),
                /* sender= */ null,
                /* model= */ "offline/echo",
                /* askedModel= */ null,
                attempts,
                /* acceptedAt= */ TIME,
                /* startedAt= */ attempts == 0 ? null : TIME.plusSeconds(1),
                /* finishedAt= */ state.ended() ? TIME.plusSeconds(2) : null,
                reply,
                error,
                retryAt,
                /* retryReason= */ retryAt == null || heldBy != null ? null : "it is down",
                /* waits= */ retries,
                heldBy,
                collectingUntil,
                /* items= */ 1,
                /* traceId= */ null,
                turn,
                /* delivery= */ DeliveryState.NONE,
                /* deliveries= */ List.of());
    }
}

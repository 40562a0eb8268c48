package dev.postern.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.postern.http.RunEventId.Step;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.TurnRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event in the life of a run, as a stream has it (WHATWG HTML, "Server-sent events"). */
final class RunEvent {

    private final RunEventId id;
    private final byte[] bytes;

    private RunEvent(RunEventId id, byte[] bytes) {
        this.id = id;
        this.bytes = bytes;
    }

    RunEventId id() {
        return id;
    }

    /** The event's lines in UTF-8, which all streams share; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** Whether no event follows this one. */
    boolean isLast() {
        return id.step() == Step.END;
    }

    /**
     * The events that {@code run} has had, in order, as far as its record shows them: a wait that is over has left no
     * trace there. They say nothing that {@link ResponseBodies.Run} does not say, except for the number of waits.
     */
    static List<RunEvent> of(RunView run) {
        List<RunEvent> events = new ArrayList<>();
        int waits = run.waits();
        int attempts = run.attempts();
        if (run.collectingUntil() != null) {
            long until = run.collectingUntil().toEpochMilli(); // later with each request that joins
            events.add(status(new RunEventId(0, 0, Step.COLLECTING, until), Status.queued(run, 0)));
            return events;
        }
        events.add(status(new RunEventId(0, 0, Step.QUEUED), Status.accepted(run)));
        for (int attempt = 1; waits == 0 && attempt < attempts; attempt++) {
            events.add(status(new RunEventId(0, attempt, Step.RUNNING), Status.running(run, attempt)));
            events.add(status(new RunEventId(0, attempt, Step.QUEUED), Status.again(run, attempt)));
        }
        boolean hasEndedTurn = run.state().ended() && run.turn() != null;
        if (attempts > 0 && (waits == 0 || run.state() == RunState.RUNNING || hasEndedTurn)) {
            events.add(status(new RunEventId(waits, attempts, Step.RUNNING), Status.running(run, attempts)));
        }
        if (run.state().ended()) {
            addEnd(events, run);
        } else if (run.state() == RunState.QUEUED) {
            addWait(events, run);
        }
        return events;
    }

    private static void addWait(List<RunEvent> events, RunView run) {
        int attempts = run.attempts();
        @Nullable Instant until = run.retryAt();
        if (until != null) {
            RunEventId id = run.heldBy() == null
                    ? new RunEventId(run.waits(), attempts, Step.WAITING)
                    : new RunEventId(run.waits(), attempts, Step.HELD, until.toEpochMilli());
            events.add(status(id, Status.queued(run, attempts)));
        } else if (attempts > 0) {
            events.add(status(new RunEventId(run.waits(), attempts, Step.QUEUED), Status.again(run, attempts)));
        }
    }

    private static void addEnd(List<RunEvent> events, RunView run) {
        int waits = run.waits();
        int attempts = run.attempts();
        List<TurnRecord.ToolCall> calls =
                run.turn() == null ? List.of() : run.turn().toolCalls();
        for (int i = 0; i < calls.size(); i++) {
            RunEventId id = new RunEventId(waits, attempts, Step.TOOL, i + 1L);
            events.add(event("tool", id, ResponseBodies.ToolCall.of(calls.get(i))));
        }
        events.add(status(new RunEventId(waits, attempts, Step.ENDED), Status.ended(run)));
        if (run.reply() != null) {
            events.add(event("reply", new RunEventId(waits, attempts, Step.REPLY), new Reply(run.reply())));
        }
        events.add(event(
                "end",
                new RunEventId(waits, attempts, Step.END),
                new End(run.id().value(), run.state().wire())));
    }

    private static RunEvent status(RunEventId id, Status status) {
        return event("status", id, status);
    }

    private static RunEvent event(String type, RunEventId id, Object data) {
        String json;
        try {
            json = ErrorBody.JSON.writeValueAsString(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an event of ours can't be written as JSON", e);
        }
        String lines = "event: " + type + "\nid: " + id + "\ndata: " + json + "\n\n";
        return new RunEvent(id, lines.getBytes(StandardCharsets.UTF_8));
    }

    /** The data of a change of status; the members are those of {@link ResponseBodies.Run}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Status(
            String runId,
            String status,
            int attempts,
            @Nullable Integer waits,
            @Nullable String acceptedAt,
            @Nullable String startedAt,
            @Nullable String finishedAt,
            @Nullable String retryAt,
            @Nullable String retryReason,
            @Nullable String heldBy,
            @Nullable String collectingUntil,
            @Nullable String error) {

        static Status accepted(RunView run) {
            return of(run, RunState.QUEUED, 0, run.acceptedAt(), null, null);
        }

        static Status again(RunView run, int attempts) {
            return of(run, RunState.QUEUED, attempts, null, null, null);
        }

        /** Queued, with the reason for its present wait. */
        static Status queued(RunView run, int attempts) {
            return new Status(
                    /* runId= */ run.id().value(),
                    /* status= */ RunState.QUEUED.wire(),
                    attempts,
                    /* waits= */ waits(run),
                    /* acceptedAt= */ null,
                    /* startedAt= */ null,
                    /* finishedAt= */ null,
                    /* retryAt= */ text(run.retryAt()),
                    run.retryReason(),
                    run.heldBy(),
                    /* collectingUntil= */ text(run.collectingUntil()),
                    /* error= */ null);
        }

        static Status running(RunView run, int attempt) {
            @Nullable Instant startedAt = attempt == 1 ? run.startedAt() : null;
            return of(run, RunState.RUNNING, attempt, null, startedAt, null);
        }

        static Status ended(RunView run) {
            return of(run, run.state(), run.attempts(), null, null, run.finishedAt());
        }

        private static Status of(
                RunView run,
                RunState state,
                int attempts,
                @Nullable Instant acceptedAt,
                @Nullable Instant startedAt,
                @Nullable Instant finishedAt) {
            return new Status(
                    /* runId= */ run.id().value(),
                    /* status= */ state.wire(),
                    attempts,
                    /* waits= */ acceptedAt == null ? waits(run) : null,
                    /* acceptedAt= */ text(acceptedAt),
                    /* startedAt= */ text(startedAt),
                    /* finishedAt= */ text(finishedAt),
                    /* retryAt= */ null,
                    /* retryReason= */ null,
                    /* heldBy= */ null,
                    /* collectingUntil= */ null,
                    /* error= */ state.ended() ? run.error() : null);
        }

        private static @Nullable Integer waits(RunView run) {
            return run.waits() == 0 ? null : run.waits();
        }

        private static @Nullable String text(@Nullable Instant instant) {
            return instant == null ? null : instant.toString();
        }
    }

    /** The data of a reply. */
    private record Reply(String reply) {}

    /** The data of the last event. */
    private record End(String runId, String status) {}
}

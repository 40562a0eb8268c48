package dev.postern.dispatch;

import dev.postern.model.RunState;
import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counters of dispatch since the start. */
final class DispatchCounters {

    private final Map<RunState, LongAdder> runs = new EnumMap<>(RunState.class);
    private final LongAdder interrupted = new LongAdder();
    private final LongAdder postponed = new LongAdder();
    private final LongAdder heartbeats = new LongAdder();
    private final LongAdder failedHeartbeats = new LongAdder();
    private final AtomicLong claims = new AtomicLong();
    private final LongAdder inputTokens = new LongAdder();
    private final LongAdder outputTokens = new LongAdder();
    private final Map<Outcome, LongAdder> toolCalls = new EnumMap<>(Outcome.class);

    DispatchCounters() {
        for (RunState state : RunState.values()) {
            runs.put(state, new LongAdder());
        }
        for (Outcome outcome : Outcome.values()) {
            toolCalls.put(outcome, new LongAdder());
        }
    }

    void ran(RunState state) {
        runs.getOrDefault(state, interrupted).increment();
    }

    void interrupted() {
        interrupted.increment();
    }

    void postponed() {
        postponed.increment();
    }

    void heartbeatEnded(boolean succeeded) {
        (succeeded ? heartbeats : failedHeartbeats).increment();
    }

    /** Adds the usage of a turn that has ended. */
    void used(TurnRecord turn) {
        inputTokens.add(Objects.requireNonNullElse(turn.inputTokens(), 0L));
        outputTokens.add(Objects.requireNonNullElse(turn.outputTokens(), 0L));
        turn.toolCalls().forEach(call -> Objects.requireNonNull(toolCalls.get(call.outcome()))
                .increment());
    }

    void claimed() {
        claims.incrementAndGet();
    }

    DispatchMetrics snapshot(int running) {
        Map<RunState, Long> ended = new EnumMap<>(RunState.class);
        runs.forEach((state, count) -> {
            if (state.ended()) {
                ended.put(state, count.sum());
            }
        });
        Map<Outcome, Long> calls = new EnumMap<>(Outcome.class);
        toolCalls.forEach((outcome, count) -> calls.put(outcome, count.sum()));
        return new DispatchMetrics(
                running,
                ended,
                interrupted.sum(),
                postponed.sum(),
                heartbeats.sum(),
                failedHeartbeats.sum(),
                claims.get(),
                new DispatchMetrics.Used(inputTokens.sum(), outputTokens.sum(), calls));
    }
}

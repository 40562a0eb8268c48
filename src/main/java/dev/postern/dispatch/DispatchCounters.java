package dev.postern.dispatch;

import dev.postern.agent.TurnRecorder;
import dev.postern.model.ModelUse;
import dev.postern.model.RunState;
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

    void interrupted(int count) {
        interrupted.add(count);
    }

    void postponed() {
        postponed.increment();
    }

    void heartbeatEnded(boolean succeeded) {
        (succeeded ? heartbeats : failedHeartbeats).increment();
    }

    /** Adds what a turn has used since it began or went on. Called once each time that a turn was taken here. */
    void used(TurnRecorder turn) {
        for (ModelUse use : turn.uses()) {
            inputTokens.add(use.inputTokens());
            outputTokens.add(use.outputTokens());
        }
        turn.newToolCalls().forEach((outcome, calls) -> Objects.requireNonNull(toolCalls.get(outcome))
                .add(calls));
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

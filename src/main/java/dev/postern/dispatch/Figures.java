package dev.postern.dispatch;

import dev.postern.model.RunState;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts what dispatch does, since the start. */
final class Figures {

    private final Map<RunState, LongAdder> runs = new EnumMap<>(RunState.class);
    private final LongAdder interrupted = new LongAdder();
    private final LongAdder heartbeats = new LongAdder();
    private final LongAdder failedHeartbeats = new LongAdder();
    private final AtomicLong claims = new AtomicLong();

    Figures() {
        for (RunState state : RunState.values()) {
            runs.put(state, new LongAdder());
        }
    }

    void ran(RunState state) {
        runs.getOrDefault(state, interrupted).increment();
    }

    void interrupted() {
        interrupted.increment();
    }

    void beat(boolean succeeded) {
        (succeeded ? heartbeats : failedHeartbeats).increment();
    }

    void claimed() {
        claims.incrementAndGet();
    }

    DispatchFigures snapshot(int running) {
        Map<RunState, Long> ended = new EnumMap<>(RunState.class);
        runs.forEach((state, count) -> {
            if (state.ended()) {
                ended.put(state, count.sum());
            }
        });
        return new DispatchFigures(
                running, ended, interrupted.sum(), heartbeats.sum(), failedHeartbeats.sum(), claims.get());
    }
}

package dev.postern.dispatch;

import dev.postern.model.RunState;
import java.util.Map;

/**
 * What dispatch does, counted since the start.
 *
 * @param running turns under way now, heartbeats included
 * @param ended runs by the state in which they ended
 * @param interrupted runs that were broken off and queued again
 * @param heartbeats those that called a backend and succeeded
 * @param failedHeartbeats those whose events still wait
 * @param claims how often the database was asked for work
 */
public record DispatchFigures(
        int running, Map<RunState, Long> ended, long interrupted, long heartbeats, long failedHeartbeats, long claims) {

    public DispatchFigures {
        ended = Map.copyOf(ended);
    }
}

package dev.postern.dispatch;

import dev.postern.model.RunState;
import dev.postern.model.TurnRecord.Outcome;
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
 * @param used by turns that have ended, of runs and of heartbeats
 */
public record DispatchMetrics(
        int running,
        Map<RunState, Long> ended,
        long interrupted,
        long heartbeats,
        long failedHeartbeats,
        long claims,
        Used used) {

    public DispatchMetrics {
        ended = Map.copyOf(ended);
    }

    /**
     * What turns have used.
     *
     * @param inputTokens as far as providers count them
     * @param toolCalls by how they ended
     */
    public record Used(long inputTokens, long outputTokens, Map<Outcome, Long> toolCalls) {

        public Used {
            toolCalls = Map.copyOf(toolCalls);
        }
    }
}

package dev.postern.dispatch;

import dev.postern.model.RunState;
import dev.postern.model.TurnRecord.Outcome;
import java.util.Map;

/**
 * The metrics of dispatch, counted since the start.
 *
 * @param running the number of turns in progress now, including heartbeats
 * @param ended the number of runs by the state in which they ended
 * @param interrupted the number of runs that were interrupted and queued again
 * @param postponed the number of turns of runs after which the run waits for a provider or a tool server that is down
 * @param heartbeats the number of heartbeats that called a backend and succeeded
 * @param failedHeartbeats the number of heartbeats that failed; their events still wait
 * @param claims the number of claims sent to the database
 * @param used the usage of the turns of runs and heartbeats, as far as they were taken here, however they ended
 */
public record DispatchMetrics(
        int running,
        Map<RunState, Long> ended,
        long interrupted,
        long postponed,
        long heartbeats,
        long failedHeartbeats,
        long claims,
        Used used) {

    public DispatchMetrics {
        ended = Map.copyOf(ended);
    }

    /**
     * The usage of turns.
     *
     * @param inputTokens as far as providers count them
     * @param outputTokens likewise
     * @param toolCalls the number of tool calls by outcome
     */
    public record Used(long inputTokens, long outputTokens, Map<Outcome, Long> toolCalls) {

        public Used {
            toolCalls = Map.copyOf(toolCalls);
        }
    }
}

package dev.postern.acceptance;

import java.util.List;

/**
 * What came of looking for lanes whose holders are gone.
 *
 * @param lanes how many were freed
 * @param ended the runs in them that were not queued again: they had no attempt left, or were to be cancelled
 */
public record RecoveryResult(int lanes, List<EndedRun> ended) {

    public RecoveryResult {
        ended = List.copyOf(ended);
    }
}

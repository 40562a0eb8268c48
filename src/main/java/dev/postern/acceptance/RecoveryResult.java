package dev.postern.acceptance;

import java.util.List;

/**
 * The result of a search for session locks whose owners are dead.
 *
 * @param sessionLocks the number of session locks that were released
 * @param requeued the number of runs in those sessions that were queued again
 * @param ended the runs in those sessions that were not queued again: they had no attempt left, or were to be cancelled
 */
public record RecoveryResult(int sessionLocks, int requeued, List<EndedRun> ended) {

    public RecoveryResult {
        ended = List.copyOf(ended);
    }
}

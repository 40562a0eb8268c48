package dev.postern.dispatch;

import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.model.SessionId;
import java.time.Duration;

/** A turn of a run or of a heartbeat, whose session lock this node has claimed. */
interface ClaimedTurn {

    /** The run's id, or an id made for the heartbeat. */
    String id();

    /** The session whose lock was claimed. */
    SessionId session();

    /** The time limit of the turn. */
    Duration timeout();

    /**
     * Runs the turn. Returns when it has ended, or soon after {@code turnCancellation} is reached. Called once at most.
     */
    TurnResult take(TurnCancellation turnCancellation);

    /** The completion to write for a turn that ended in {@code outcome}. */
    TurnCompletion end(TurnResult outcome);

    /** The completion of a turn that {@code failed}, or where none can be made, {@link #failOnly}. */
    default TurnCompletion fail(TurnResult.Failed failed) {
        try {
            return end(failed);
        } catch (RuntimeException | Error e) {
            return failOnly(failed.sentence());
        }
    }

    /** The completion that fails the turn for {@code reason} and writes no more than that. */
    TurnCompletion failOnly(String reason);

    /** The completion to write for a turn that will not run here. */
    TurnCompletion giveBack();
}

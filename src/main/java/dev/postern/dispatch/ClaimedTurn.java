package dev.postern.dispatch;

import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.model.SessionId;
import java.time.Duration;

/** A turn whose lane was claimed: a run's, or a heartbeat's. */
interface ClaimedTurn {

    /** The run's id, or one made for the heartbeat. */
    String id();

    /** The session whose lane was claimed. */
    SessionId session();

    /** How long the turn may take. */
    Duration timeout();

    /** Takes the turn; returns when it has ended or soon after {@code cutoff} is reached. Called once at most. */
    TurnResult take(TurnCancellation turnCancellation);

    /** What has to be written when the turn was taken and ended in {@code outcome}. */
    TurnCompletion end(TurnResult outcome);

    /** What has to be written when the turn will not be taken here. */
    TurnCompletion giveBack();
}

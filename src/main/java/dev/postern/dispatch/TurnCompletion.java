package dev.postern.dispatch;

import dev.postern.store.UnitOfWork;
import java.time.Duration;

/**
 * What is left to do when a turn is over.
 *
 * @param unit writes everything that the turn leads to in one transaction, or nothing when somebody else holds the lane
 *     by now; says which
 * @param afterwards is run once that is on disk
 * @param pause how long the lane stays as it is before that is written
 */
record TurnCompletion(UnitOfWork<Boolean> unit, Runnable afterwards, Duration pause) {

    /** To be written at once. */
    TurnCompletion(UnitOfWork<Boolean> unit, Runnable afterwards) {
        this(unit, afterwards, Duration.ZERO);
    }
}

package dev.postern.dispatch;

import dev.postern.store.UnitOfWork;
import java.time.Duration;

/**
 * The completion of a turn: the write and the actions that are left when it has ended.
 *
 * @param unit writes all effects of the turn in one transaction, or nothing and returns false when another claim holds
 *     the session lock
 * @param afterwards run once that is on disk
 * @param pause how long the session lock is kept before the write
 */
record TurnCompletion(UnitOfWork<Boolean> unit, Runnable afterwards, Duration pause) {

    /** A completion to be written at once. */
    TurnCompletion(UnitOfWork<Boolean> unit, Runnable afterwards) {
        this(unit, afterwards, Duration.ZERO);
    }
}

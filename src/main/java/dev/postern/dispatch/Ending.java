package dev.postern.dispatch;

import dev.postern.store.Unit;

/**
 * What is left to do when a turn is over.
 *
 * @param unit writes everything that the turn leads to in one transaction, or nothing when somebody else holds the lane
 *     by now; says which
 * @param afterwards is run once that is on disk
 */
record Ending(Unit<Boolean> unit, Runnable afterwards) {}

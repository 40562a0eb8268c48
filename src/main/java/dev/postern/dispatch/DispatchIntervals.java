package dev.postern.dispatch;

import java.time.Duration;

/**
 * The intervals of dispatch's repeated tasks.
 *
 * @param poll between two looks for work without a signal: another node's, or a periodic heartbeat
 * @param look between two checks of the turns' deadlines
 * @param gap the shortest time between two claims, however often dispatch is signalled
 * @param renew between two renewals of the lease, each with a look for dead nodes
 * @param lease the time without a renewal after which a node interrupts its turns
 * @param silence the time without news after which a node is dead; detected two {@code renew} intervals later at the
 *     latest
 * @param firstTidy before expired data is deleted for the first time; up to the same time is added at random, so nodes
 *     that start together don't delete together
 * @param tidy between two deletions of expired data
 */
record DispatchIntervals(
        Duration poll,
        Duration look,
        Duration gap,
        Duration renew,
        Duration lease,
        Duration silence,
        Duration firstTidy,
        Duration tidy) {

    static final DispatchIntervals NORMAL = new DispatchIntervals(
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofMillis(3),
            Duration.ofSeconds(2),
            Duration.ofSeconds(7),
            Duration.ofSeconds(8),
            Duration.ofMinutes(3),
            Duration.ofHours(1));
}

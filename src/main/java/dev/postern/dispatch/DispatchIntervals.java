package dev.postern.dispatch;

import java.time.Duration;

/**
 * How often dispatch does what it does by itself.
 *
 * @param poll looks for work that nobody told of: another node's, or a periodic heartbeat
 * @param look looks after the deadlines of turns
 * @param gap lies at least between two claims, however often dispatch is woken
 * @param renew between two times that this node says it is alive, and looks for dead ones
 * @param lease after so long without a renewal a node ends its turns
 * @param silence whoever has said nothing new for so long is dead; found so two pauses of {@code renew} later at the latest
 * @param firstTidy deletes what is too old for the first time, or up to so much later again: nodes that start together
 *     don't do it together
 * @param tidy deletes what is too old
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

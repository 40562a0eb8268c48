package dev.postern.mail;

import dev.postern.net.Backoff;
import java.time.Duration;

/**
 * The intervals of the mail watcher, and its batch size.
 *
 * @param silence longest time that a server may say nothing while a response is due or during IDLE (RFC 2177 allows
 *     29 minutes); a dead connection is detected within twice this time
 * @param poll interval between two polls of a server without IDLE
 * @param look interval between two checks whether the cluster node that watches is gone
 * @param retry pauses after a connection was lost or could not be opened
 * @param login pauses after a login was refused; long, because servers lock out clients that try too often
 * @param steady lifetime of a connection after which the pauses start again at the shortest
 * @param mails number of mails to read before the folder is reopened
 */
record MailIntervals(
        Duration silence, Duration poll, Duration look, Backoff retry, Backoff login, Duration steady, int mails) {

    static final MailIntervals NORMAL = new MailIntervals(
            Duration.ofSeconds(45),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1)),
            new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(15)),
            Duration.ofSeconds(15),
            10_000);
}

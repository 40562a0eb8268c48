package dev.postern.mail;

import dev.postern.net.Backoff;
import java.time.Duration;

/**
 * How often things are done, and how many at once.
 *
 * @param silence so long a server may say nothing while an answer is due, or IDLE goes on (RFC 2177 allows 29 minutes);
 *     twice as long after it died, a connection is known to be dead
 * @param poll between two looks where a server has no IDLE
 * @param look between two looks whether the node that watches is gone
 * @param retry after a connection was lost or did not come about
 * @param login after a login was refused, since servers lock out who tries too often
 * @param mails so many are read of a folder before it is opened anew
 * @param steady a connection that lasted so long makes the pause begin anew
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

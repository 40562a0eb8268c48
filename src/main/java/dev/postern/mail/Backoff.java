package dev.postern.mail;

import java.time.Duration;

/** How long to wait for the next attempt: longer from one failure to the next. For one thread. */
final class Backoff {

    private static final int MOST_DOUBLINGS = 20;

    private final Pace pace;
    private int failures;

    Backoff(Pace pace) {
        this.pace = pace;
    }

    /** The pause after one more failure. */
    Duration failed(MailFault.Kind kind) {
        boolean login = kind == MailFault.Kind.LOGIN;
        Duration first = login ? pace.firstLogin() : pace.firstRetry();
        Duration longest = login ? pace.longestLogin() : pace.longestRetry();
        Duration pause = first.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        return pause.compareTo(longest) < 0 ? pause : longest;
    }

    /** To be told of a connection that was of use. */
    void worked() {
        failures = 0;
    }
}

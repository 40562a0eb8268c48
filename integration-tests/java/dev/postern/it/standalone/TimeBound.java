package dev.postern.it.standalone;

import java.time.Duration;

/**
 * A limit for a time that Postern promises, with slack for a slow and busy machine. A test shows that the promise's
 * mechanism works, and prints the time; {@code -Dit.slack=1} on a quiet machine checks the promised time itself.
 */
final class TimeBound {

    private static final int SLACK = Integer.getInteger("it.slack", 4);

    private TimeBound() {}

    static Duration of(Duration promised) {
        return promised.multipliedBy(SLACK);
    }
}

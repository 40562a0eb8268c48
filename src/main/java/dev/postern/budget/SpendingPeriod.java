package dev.postern.budget;

import java.time.Duration;
import java.time.Instant;

/** A length of the periods in which spending is added up. Each length has its rows, which are kept as long as a page shows them. */
enum SpendingPeriod {
    MINUTE(Duration.ofMinutes(1), Duration.ofHours(2)),
    QUARTER(Duration.ofMinutes(15), Duration.ofDays(8)),
    DAY(Duration.ofDays(1), Duration.ofDays(400));

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);

    private final Duration step;
    private final Duration keep;

    SpendingPeriod(Duration step, Duration keep) {
        this.step = step;
        this.keep = keep;
    }

    /** The longest periods from which the spending of the last {@code age} can be told. */
    static SpendingPeriod forAge(Duration age) {
        if (age.compareTo(HOUR) <= 0) {
            return MINUTE;
        }
        return age.compareTo(WEEK) <= 0 ? QUARTER : DAY;
    }

    long stepMillis() {
        return step.toMillis();
    }

    /** The start of the period that {@code at} lies in, in milliseconds since 1970, in UTC. */
    long start(Instant at) {
        return at.toEpochMilli() - Math.floorMod(at.toEpochMilli(), stepMillis());
    }

    /** The start of the earliest period that is kept at {@code now}. */
    long earliest(Instant now) {
        return start(now.minus(keep));
    }
}

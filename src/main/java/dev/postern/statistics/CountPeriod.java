package dev.postern.statistics;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A length of the periods in which is counted. Each length has its rows, which are kept as long as a page shows them. */
enum CountPeriod {
    MINUTE(Duration.ofMinutes(1), Duration.ofHours(2)),
    QUARTER(Duration.ofMinutes(15), Duration.ofHours(26)),
    TWO_HOURS(Duration.ofHours(2), Duration.ofDays(8));

    private final Duration step;
    private final Duration keep;

    CountPeriod(Duration step, Duration keep) {
        this.step = step;
        this.keep = keep;
    }

    Duration step() {
        return step;
    }

    long stepMillis() {
        return step.toMillis();
    }

    /** The start of the period that {@code millis} lies in, in milliseconds since 1970. */
    long start(long millis) {
        return millis - Math.floorMod(millis, stepMillis());
    }

    /** The start of the first period that begins at {@code millis} or later, in milliseconds since 1970. */
    long next(long millis) {
        return start(millis + stepMillis() - 1);
    }

    /** The next longer period; null for the longest. */
    @Nullable
    CountPeriod longer() {
        return switch (this) {
            case MINUTE -> QUARTER;
            case QUARTER -> TWO_HOURS;
            case TWO_HOURS -> null;
        };
    }

    /** The start of the earliest period that is kept at {@code now}. */
    long earliest(Instant now) {
        return start(now.minus(keep).toEpochMilli());
    }
}

package dev.postern.model;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;

/** A duration as text for people, rounded to one unit for sentences or more precise for tables. */
public final class DurationFormatter {

    private static final long SECONDS_OF_MINUTE = 60;
    private static final long SECONDS_OF_HOUR = 3_600;
    private static final long MINUTES_OF_HOUR = 60;
    private static final long HOURS_OF_DAY = 24;
    private static final double NANOS_OF_MILLI = 1e6;
    private static final double NANOS_OF_SECOND = 1e9;

    // A longer time would be rounded up to one that has no decimal, or that has the next unit.
    private static final double LONGEST_DECIMAL_MILLIS = 9.95e6;
    private static final double LONGEST_IN_MILLIS = 999.5e6;
    private static final double LONGEST_IN_SECONDS = 59.95e9;

    private DurationFormatter() {}

    /**
     * {@code duration}, rounded, in the largest unit in which it is exactly 1 or at least 2: {@code 500 ms},
     * {@code 10 s}, {@code 2 min}, {@code 6 h}.
     */
    public static String of(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return duration.toMillis() + " ms";
        }
        long seconds = Math.round(duration.toMillis() / 1000.0);
        if (isCountedIn(SECONDS_OF_HOUR, seconds)) {
            return Math.round(seconds / (double) SECONDS_OF_HOUR) + " h";
        }
        return isCountedIn(SECONDS_OF_MINUTE, seconds)
                ? Math.round(seconds / (double) SECONDS_OF_MINUTE) + " min"
                : seconds + " s";
    }

    /**
     * {@code duration} in its two largest units, or with one decimal where it is short: {@code 0.4 ms}, {@code 850 ms},
     * {@code 1.3 s}, {@code 2 min 5 s}, {@code 3 h}, {@code 12 d 4 h}.
     */
    public static String precise(Duration duration) {
        if (duration.isNegative()) {
            return "-" + precise(duration.negated());
        }
        double nanos = duration.getSeconds() * NANOS_OF_SECOND + duration.getNano();
        if (nanos < LONGEST_IN_MILLIS) {
            double millis = nanos / NANOS_OF_MILLI;
            return (nanos < LONGEST_DECIMAL_MILLIS ? withDecimal(millis) : "" + Math.round(millis)) + " ms";
        }
        if (nanos < LONGEST_IN_SECONDS) {
            return withDecimal(nanos / NANOS_OF_SECOND) + " s";
        }
        long seconds = Math.round(nanos / NANOS_OF_SECOND);
        if (seconds < SECONDS_OF_HOUR) {
            return inTwoUnits(seconds, SECONDS_OF_MINUTE, " min", " s");
        }
        long minutes = Math.round(seconds / (double) SECONDS_OF_MINUTE);
        if (minutes < HOURS_OF_DAY * MINUTES_OF_HOUR) {
            return inTwoUnits(minutes, MINUTES_OF_HOUR, " h", " min");
        }
        return inTwoUnits(Math.round(minutes / (double) MINUTES_OF_HOUR), HOURS_OF_DAY, " d", " h");
    }

    private static String withDecimal(double value) {
        return new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }

    private static String inTwoUnits(long count, long ofLarger, String larger, String smaller) {
        long rest = count % ofLarger;
        return count / ofLarger + larger + (rest == 0 ? "" : " " + rest + smaller);
    }

    private static boolean isCountedIn(long unit, long seconds) {
        return seconds >= 2 * unit || seconds == unit;
    }
}

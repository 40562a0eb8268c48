package dev.postern.console;

import java.time.Duration;
import java.time.Instant;

/** The age of a time as text for people, as {@code console.js} keeps it: {@code 3 min ago}, {@code in 2 h}. */
final class RelativeTimeText {

    private static final Duration NOW = Duration.ofSeconds(5);
    private static final Duration FAR = Duration.ofDays(30);
    private static final int DATE_LENGTH = 10;

    private RelativeTimeText() {}

    /** The distance of {@code at} from {@code now} in its largest whole unit, or the date in UTC if that is over 30 days. */
    static String of(Instant at, Instant now) {
        Duration age = Duration.between(at, now);
        Duration distance = age.abs();
        if (distance.compareTo(NOW) < 0) {
            return "just now";
        }
        if (distance.compareTo(FAR) > 0) {
            return at.toString().substring(0, DATE_LENGTH);
        }
        String count = count(distance);
        return age.isNegative() ? "in " + count : count + " ago";
    }

    private static String count(Duration distance) {
        if (distance.toDays() > 0) {
            return distance.toDays() + " d";
        }
        if (distance.toHours() > 0) {
            return distance.toHours() + " h";
        }
        return distance.toMinutes() > 0 ? distance.toMinutes() + " min" : distance.toSeconds() + " s";
    }
}

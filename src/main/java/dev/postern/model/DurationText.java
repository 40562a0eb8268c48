package dev.postern.model;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text of a duration with its units, such as {@code 90s}, {@code 24h} or {@code 1h30m}. */
public final class DurationText {

    /** The texts that are one. */
    public static final Pattern SPELLING = Pattern.compile("(\\d{1,9}(ms|s|m|h|d))+");

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private DurationText() {}

    /** The duration that {@code text} spells; empty if it spells none. */
    public static Optional<Duration> read(String text) {
        if (!SPELLING.matcher(text).matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            sum = sum.plus(of(Long.parseLong(part.group(1)), part.group(2)));
        }
        return Optional.of(sum);
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> throw new IllegalArgumentException("no unit of time [" + unit + "]");
        };
    }
}

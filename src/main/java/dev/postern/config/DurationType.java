package dev.postern.config;

import dev.postern.model.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * The type of a duration, such as {@code 90s}, {@code 30m} or {@code 1h30m}.
 *
 * @param min the shortest duration allowed
 * @param max the longest duration allowed
 * @param zero whether {@code 0} and {@code off} are allowed too, both for none
 */
record DurationType(Duration min, Duration max, boolean zero) implements ValueType<Duration> {

    @Override
    public String expected() {
        return "a duration from " + spell(min) + " to " + spell(max) + " with its unit, such as 90s, 30m or 24h"
                + (zero ? ", or 0 for off" : "");
    }

    @Override
    public Parsed<Duration> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        String spelled = text.get();
        boolean off = spelled.equals("0") || ScalarTypes.Flag.truth(spelled).equals(Optional.of(false));
        if (zero && off) {
            return new Valid<>(Duration.ZERO);
        }
        Optional<Duration> read = DurationText.read(spelled);
        if (read.isEmpty()) {
            return reject(spelled);
        }
        Duration sum = read.get();
        if (zero && sum.isZero()) {
            return new Valid<>(sum);
        }
        return sum.compareTo(min) < 0 || sum.compareTo(max) > 0 ? reject(spelled) : new Valid<>(sum);
    }

    /** The shortest spelling of {@code duration}, at least a millisecond long, in one unit. */
    static String shortest(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        } else if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        } else if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    private static String spell(Duration duration) {
        return duration.toDays() > 0 ? duration.toDays() + "d" : duration.toSeconds() + "s";
    }
}

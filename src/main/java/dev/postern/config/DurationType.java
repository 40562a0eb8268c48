package dev.postern.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a duration, such as {@code 90s}, {@code 30m} or {@code 1h30m}.
 *
 * @param min the shortest duration allowed
 * @param max the longest duration allowed
 * @param zero whether {@code 0} and {@code off} are allowed too, both for none
 */
record DurationType(Duration min, Duration max, boolean zero) implements ValueType<Duration> {

    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    static final Pattern SPELLING = Pattern.compile("(\\d{1,9}(ms|s|m|h|d))+");

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
        if (!SPELLING.matcher(spelled).matches()) {
            return reject(spelled);
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(spelled); part.find(); ) {
            sum = sum.plus(of(Long.parseLong(part.group(1)), part.group(2)));
        }
        if (zero && sum.isZero()) {
            return new Valid<>(sum);
        }
        return sum.compareTo(min) < 0 || sum.compareTo(max) > 0 ? reject(spelled) : new Valid<>(sum);
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

    private static String spell(Duration duration) {
        return duration.toDays() > 0 ? duration.toDays() + "d" : duration.toSeconds() + "s";
    }
}

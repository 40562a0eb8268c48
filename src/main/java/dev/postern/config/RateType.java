package dev.postern.config;

import dev.postern.model.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The type of a rate: a number of requests in a window of time, such as {@code 60/1m}. */
record RateType() implements ValueType<SenderSettings.Rate> {

    static final Pattern SPELLING = Pattern.compile("([1-9]\\d{0,5})/(" + DurationText.SPELLING.pattern() + ")");

    private static final DurationType WINDOW = new DurationType(Duration.ofSeconds(1), Duration.ofDays(1), false);

    @Override
    public String expected() {
        return "a number of requests from 1 to 999999 and a window from 1s to 1d, such as 60/1m";
    }

    @Override
    public Parsed<SenderSettings.Rate> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        Matcher rate = SPELLING.matcher(text.get());
        if (!rate.matches()) {
            return reject(text.get());
        }
        ConfigurationNode window =
                new ConfigurationNode.Scalar(rate.group(2), ConfigurationNode.Form.TEXT, node.origin());
        return WINDOW.parse(window, references) instanceof Valid<Duration> valid
                ? new Valid<>(new SenderSettings.Rate(Integer.parseInt(rate.group(1)), valid.value()))
                : reject(text.get());
    }
}

package dev.postern.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** The type of a share: a whole number from 1 to 100 with a percent sign. */
record PercentType() implements ValueType<Integer> {

    static final Pattern SPELLING = Pattern.compile("([1-9]\\d?|100)%");

    @Override
    public String expected() {
        return "a share from 1% to 100%";
    }

    @Override
    public Parsed<Integer> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        return SPELLING.matcher(text.get()).matches()
                ? new Valid<>(Integer.valueOf(text.get().substring(0, text.get().length() - 1)))
                : reject(text.get());
    }
}

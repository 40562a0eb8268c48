package dev.postern.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The type of the SHA-256 of one token, or of up to {@code max} during a rotation. It is not shown, because a weak token could
 * be found by its hash. A token itself is rejected without being shown.
 */
record TokenHashType(int max) implements SecretValueType<List<String>> {

    static final Pattern SPELLING = Pattern.compile("[0-9A-Fa-f]{64}");

    @Override
    public String expected() {
        return "the SHA-256 of a token in 64 hexadecimal digits, or a list of at most " + max;
    }

    @Override
    public Parsed<List<String>> parse(ConfigurationNode node, SecretReferences references) {
        Optional<List<ConfigurationNode>> items = ListTypes.items(node);
        if (items.isEmpty() && !(node instanceof ConfigurationNode.Scalar)) {
            return mismatch(node);
        }
        List<String> hashes = new ArrayList<>();
        for (ConfigurationNode item : items.orElse(List.of(node))) {
            Optional<String> text = ValueType.textOf(item);
            if (text.isEmpty() || !SPELLING.matcher(text.get()).matches()) {
                return new Invalid<>("holds something other than a SHA-256", "write " + expected());
            }
            hashes.add(text.get().toLowerCase(Locale.ROOT));
        }
        if (hashes.isEmpty()) {
            return new Invalid<>("is an empty list", "write " + expected());
        }
        return hashes.size() > max
                ? new Invalid<>("is a list of " + hashes.size(), "write " + expected())
                : new Valid<>(List.copyOf(hashes));
    }
}

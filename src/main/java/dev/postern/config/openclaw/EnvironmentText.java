package dev.postern.config.openclaw;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that OpenClaw fills in for <code>${NAME}</code> in any text, when it loads its configuration. A name
 * has upper-case letters, digits and underscores; {@code $} before it makes it plain text.
 *
 * @param inline the variables that the configuration itself sets, with their values
 * @param variables the variables of this process, which come first
 */
record EnvironmentText(Map<String, String> inline, Map<String, String> variables) {

    private static final Pattern REFERENCE = Pattern.compile("(\\$?)\\$\\{([A-Z_][A-Z0-9_]*)}");

    EnvironmentText {
        inline = Map.copyOf(inline);
        variables = Map.copyOf(variables);
    }

    /** A function that gives the text for a variable's name, or null to end the replacement. */
    interface Replacement {
        @Nullable
        String of(String name);
    }

    /** Whether OpenClaw fills anything in. */
    static boolean hasReference(String text) {
        return REFERENCE.matcher(text).results().anyMatch(reference -> reference
                .group(1)
                .isEmpty());
    }

    /** {@code text} with each variable replaced; empty if {@code replacement} has no text for one of them. */
    static Optional<String> replaced(String text, Replacement replacement) {
        StringBuilder replaced = new StringBuilder();
        Matcher reference = REFERENCE.matcher(text);
        while (reference.find()) {
            boolean escaped = !reference.group(1).isEmpty();
            @Nullable String value = escaped ? reference.group().substring(1) : replacement.of(reference.group(2));
            if (value == null) {
                return Optional.empty();
            }
            reference.appendReplacement(replaced, Matcher.quoteReplacement(value));
        }
        return Optional.of(reference.appendTail(replaced).toString());
    }

    /** {@code text} with the present values of its variables; empty if one of them is not set. */
    Optional<String> resolved(String text) {
        return replaced(text, name -> {
            @Nullable String value = variables.get(name);
            return value == null || value.isEmpty() ? inline.get(name) : value;
        });
    }

    /** Whether this process has the variable {@code name}. */
    boolean isSet(String name) {
        @Nullable String value = variables.get(name);
        return value != null && !value.isBlank();
    }
}

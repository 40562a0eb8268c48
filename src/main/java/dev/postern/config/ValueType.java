package dev.postern.config;

import dev.postern.config.ConfigurationNode.Scalar;
import java.util.List;
import java.util.Optional;

/**
 * The type of a setting's value.
 *
 * @param <T> the Java type of a value
 */
interface ValueType<T> {

    /** The expected value in words, for the operator: {@code a whole number from 1 to 10}. */
    String expected();

    /** Parses a value; {@code node} is not {@link ConfigurationNode.Nothing}. */
    Parsed<T> parse(ConfigurationNode node, SecretReferences references);

    /** The text that shows {@code node}, a valid value, to the operator. */
    default String shown(ConfigurationNode node) {
        return EffectiveSettingsReport.text(node);
    }

    /** The result of parsing: a value, or an error, or the errors of several entries. */
    sealed interface Parsed<T> {}

    /** A result with a valid value. */
    record Valid<T>(T value) implements Parsed<T> {}

    /** A result for an invalid value. Its texts hold no secret. */
    record Invalid<T>(String wrong, String instead) implements Parsed<T> {

        /** The same error, where a value of another type is expected. */
        <R> Invalid<R> as() {
            return new Invalid<>(wrong, instead);
        }
    }

    /** A result for a map with at least one invalid entry. */
    record InvalidEntries<T>(List<InvalidEntry> entries) implements Parsed<T> {

        public InvalidEntries {
            entries = List.copyOf(entries);
        }
    }

    /**
     * An invalid entry of a map. Its texts hold no secret.
     *
     * @param origin the place where the entry begins
     */
    record InvalidEntry(ValueOrigin origin, String wrong, String instead) {}

    /** The error for a {@code node} of the wrong form. */
    default Invalid<T> mismatch(ConfigurationNode node) {
        return new Invalid<>("is " + ListTypes.noun(node), "write " + expected());
    }

    /** The error for a text that is no secret and may be shown. */
    default Invalid<T> reject(String text) {
        return new Invalid<>(
                "is [" + (text.length() > 80 ? text.substring(0, 80) + "…" : text) + "]", "write " + expected());
    }

    /** The characters of a scalar without surrounding white space; empty for lists and maps. */
    static Optional<String> textOf(ConfigurationNode node) {
        return node instanceof Scalar scalar ? Optional.of(scalar.text().strip()) : Optional.empty();
    }

    /** As {@link #textOf}, for free text: an unquoted true or false is most likely a mistake. */
    static Optional<String> freeTextOf(ConfigurationNode node) {
        return textOf(node)
                .filter(text -> !(node instanceof Scalar scalar
                        && scalar.form() == ConfigurationNode.Form.FLAG
                        && (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"))));
    }
}

package dev.postern.config;

import dev.postern.config.ConfigurationNode.Scalar;
import java.util.Optional;

/**
 * What a setting's value may be.
 *
 * @param <T> what a value becomes
 */
interface ValueType<T> {

    /** What to write, for a person: {@code a whole number from 1 to 10}. */
    String expected();

    /** Reads a value; {@code node} is not {@link ConfigurationNode.Nothing}. */
    Parsed<T> parse(ConfigurationNode node, SecretReferences references);

    /** {@code node}, a good value, for a person to see. */
    default String shown(ConfigurationNode node) {
        return EffectiveSettingsReport.text(node);
    }

    /** A value, or what is wrong with it. */
    sealed interface Parsed<T> {}

    /** A value that can be used. */
    record Good<T>(T value) implements Parsed<T> {}

    /** A value that can't be used. The texts hold no secret. */
    record Bad<T>(String wrong, String instead) implements Parsed<T> {

        /** The same refusal, where another type was asked for. */
        <R> Bad<R> as() {
            return new Bad<>(wrong, instead);
        }
    }

    /** A refusal of {@code node} for what it is. */
    default Bad<T> mismatch(ConfigurationNode node) {
        return new Bad<>("is " + node.noun(), "write " + expected());
    }

    /** A refusal of a text that is no secret and may be shown. */
    default Bad<T> refuse(String text) {
        return new Bad<>(
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

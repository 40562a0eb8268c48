package dev.postern.config;

/**
 * A value type of settings that are never shown, because they are a secret or may hold one.
 *
 * @param <T> the Java type of a value
 */
interface SecretValueType<T> extends ValueType<T> {

    @Override
    default String shown(ConfigurationNode node) {
        return EffectiveSettingsReport.maskedText(node);
    }
}

package dev.postern.config;

/**
 * What the value of a setting may be that is never shown: it is a secret, or may hold one.
 *
 * @param <T> what a value becomes
 */
interface SecretValueType<T> extends ValueType<T> {

    @Override
    default String shown(ConfigurationNode node) {
        return EffectiveSettingsReport.withheld(node);
    }
}

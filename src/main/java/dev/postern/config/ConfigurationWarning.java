package dev.postern.config;

/**
 * A warning about a working configuration, for its operator. It never holds a secret's value.
 *
 * @param setting the setting's full name, such as {@code hooks.token}
 * @param origin the place of the value
 * @param text the warning, and what to do about it
 */
public record ConfigurationWarning(String setting, ValueOrigin origin, String text) {

    /** Formats the warning in one line for the operator. */
    @Override
    public String toString() {
        return setting + " [" + origin + "]: " + text;
    }
}

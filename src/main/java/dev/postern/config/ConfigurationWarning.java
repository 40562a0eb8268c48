package dev.postern.config;

/**
 * Something in a working configuration that its operator should know. It never holds a secret's value.
 *
 * @param setting the full name, such as {@code hooks.token}
 * @param origin where the value stands
 * @param text what is remarkable, and what to do about it
 */
public record ConfigurationWarning(String setting, ValueOrigin origin, String text) {

    /** One line for a person. */
    @Override
    public String toString() {
        return setting + " [" + origin + "]: " + text;
    }
}

package dev.postern.config;

/**
 * One reason why a configuration is refused. It never holds a secret's value.
 *
 * @param setting the full name, such as {@code hooks.path}
 * @param origin where the value stands, or where it is missing
 * @param wrong what is wrong with it
 * @param instead what to write instead
 */
public record ConfigurationProblem(String setting, ValueOrigin origin, String wrong, String instead) {

    /** One line for a person. */
    @Override
    public String toString() {
        return setting + " [" + origin + "]: " + wrong + "; " + instead;
    }
}

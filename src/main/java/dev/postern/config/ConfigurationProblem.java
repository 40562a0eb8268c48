package dev.postern.config;

/**
 * A problem for which a configuration is rejected. It never holds a secret's value.
 *
 * @param setting the setting's full name, such as {@code hooks.path}
 * @param origin the place of the value, or of the section that lacks it
 * @param wrong the error, such as {@code is missing}
 * @param instead the correction, such as {@code keep one of them}
 */
public record ConfigurationProblem(String setting, ValueOrigin origin, String wrong, String instead) {

    /** Formats the problem in one line for the operator. */
    @Override
    public String toString() {
        return setting + " [" + origin + "]: " + wrong + "; " + instead;
    }
}

package dev.postern.store;

import java.util.Locale;

/** A pattern of SQL's LIKE that finds a text anywhere in a lower-case value. Its escape character is {@code !}. */
public final class LikePattern {

    private LikePattern() {}

    /** The pattern that finds {@code text}, in any case, as it is: a percent sign stands for itself. */
    public static String containing(String text) {
        return "%"
                + text.toLowerCase(Locale.ROOT)
                        .replace("!", "!!")
                        .replace("%", "!%")
                        .replace("_", "!_") + "%";
    }
}

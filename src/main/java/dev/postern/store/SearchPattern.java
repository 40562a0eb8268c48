package dev.postern.store;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A pattern that finds a text anywhere in a value, in any case. SQLite lowers the letters of ASCII alone, so its pattern has
 * both cases of any other letter.
 */
public final class SearchPattern {

    private SearchPattern() {}

    /** A condition that {@code expression} contains the text whose pattern is the condition's only parameter. */
    public static String condition(String expression, SqlDialect dialect) {
        return "lower(" + expression + ")" + (dialect == SqlDialect.SQLITE ? " GLOB ?" : " LIKE ? ESCAPE '!'");
    }

    /** The pattern that finds {@code text} as it is: a percent sign or an asterisk stands for itself. */
    public static String containing(String text, SqlDialect dialect) {
        return dialect == SqlDialect.SQLITE ? glob(text) : like(text);
    }

    private static String like(String text) {
        return "%"
                + text.toLowerCase(Locale.ROOT)
                        .replace("!", "!!")
                        .replace("%", "!%")
                        .replace("_", "!_") + "%";
    }

    private static String glob(String text) {
        return text.codePoints().mapToObj(SearchPattern::glob).collect(Collectors.joining("", "*", "*"));
    }

    /** The pattern of one character: itself in lower case, or a class where it is special or has several cases. */
    private static String glob(int character) {
        if (character == '*' || character == '?' || character == '[') {
            return "[" + Character.toString(character) + "]";
        }
        if (character < 0x80) {
            return Character.toString(Character.toLowerCase(character));
        }
        String cases = IntStream.of(
                        character,
                        Character.toLowerCase(character),
                        Character.toUpperCase(character),
                        Character.toTitleCase(character))
                .distinct()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        return cases.codePointCount(0, cases.length()) == 1 ? cases : "[" + cases + "]";
    }
}

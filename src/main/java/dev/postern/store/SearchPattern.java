package dev.postern.store;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A pattern that finds a text anywhere in a value, in any case. SQLite, and PostgreSQL in the locale C, lower the letters of ASCII
 * alone, so the pattern has all cases of any other letter.
 */
public final class SearchPattern {

    private static final String SPECIAL_IN_GLOB = "*?[";
    private static final String SPECIAL_IN_REGULAR_EXPRESSION = "\\^$.|?*+()[]{}";

    private SearchPattern() {}

    /** A condition that {@code expression} contains the text whose pattern is the condition's only parameter. */
    public static String condition(String expression, SqlDialect dialect) {
        return "lower(" + expression + ")" + (dialect == SqlDialect.SQLITE ? " GLOB ?" : " ~ ?");
    }

    /** The pattern that finds {@code text} as it is: a point or an asterisk stands for itself. */
    public static String containing(String text, SqlDialect dialect) {
        String around = dialect == SqlDialect.SQLITE ? "*" : "";
        return text.codePoints()
                .mapToObj(character -> pattern(character, dialect))
                .collect(Collectors.joining("", around, around));
    }

    /** The pattern of one character: itself in lower case, or a class of its cases if it has several and is beyond ASCII. */
    private static String pattern(int character, SqlDialect dialect) {
        if (character < 0x80) {
            return literal(Character.toLowerCase(character), dialect);
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

    private static String literal(int character, SqlDialect dialect) {
        String text = Character.toString(character);
        if (dialect == SqlDialect.SQLITE) {
            return SPECIAL_IN_GLOB.contains(text) ? "[" + text + "]" : text;
        }
        return SPECIAL_IN_REGULAR_EXPRESSION.contains(text) ? "\\" + text : text;
    }
}

package dev.postern.mapping.text;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * A conversion to upper or lower case that works piece by piece. The JDK copies the whole text for each character that
 * becomes two. It also searches the text for the bounds of a word at each capital sigma: 100,000 of them occupy a thread
 * for hours. A piece ends after white space if there is any, so that each character is converted as in its whole word. In a
 * word of more than 64 characters a sigma may be taken for the last letter.
 */
public final class CaseConversion {

    private static final int PIECE = 64;

    private CaseConversion() {}

    /** Converts like {@link String#toLowerCase(Locale)}. Calls {@code look} before each piece, which may throw to stop. */
    public static String lower(String text, Locale locale, Runnable look) {
        return byPieces(text, piece -> piece.toLowerCase(locale), look);
    }

    /** Converts like {@link String#toUpperCase(Locale)}. Calls {@code look} before each piece, which may throw to stop. */
    public static String upper(String text, Locale locale, Runnable look) {
        return byPieces(text, piece -> piece.toUpperCase(locale), look);
    }

    private static String byPieces(String text, UnaryOperator<String> change, Runnable look) {
        if (text.length() <= PIECE) {
            return change.apply(text);
        }
        StringBuilder changed = new StringBuilder(text.length());
        int from = 0;
        while (from < text.length()) {
            look.run();
            int to = end(text, from);
            changed.append(change.apply(text.substring(from, to)));
            from = to;
        }
        return changed.toString();
    }

    private static int end(String text, int from) {
        int most = from + PIECE;
        if (most >= text.length()) {
            return text.length();
        }
        for (int to = most; to > from; to--) {
            if (Character.isWhitespace(text.charAt(to - 1))) {
                return to;
            }
        }
        return Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    }
}

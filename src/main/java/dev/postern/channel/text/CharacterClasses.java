package dev.postern.channel.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The classes of characters that decide where a text may be cut and which characters a channel accepts. */
final class CharacterClasses {

    /** An invisible character that is no part of a word; it separates characters that a channel would read as markup. */
    static final char ZERO_WIDTH = '\u200B';

    /** An extended grapheme cluster (Unicode Standard Annex 29). */
    private static final Pattern CLUSTER = Pattern.compile("\\X");

    /** The characters U+202D and U+202E, which set the order of all that follows them. */
    private static final Pattern OVERRIDE = Pattern.compile("[\u202D\u202E]");

    private CharacterClasses() {}

    /** {@code text} without the characters that turn the order of others around, since they disguise addresses. */
    static String withoutOverrides(String text) {
        return OVERRIDE.matcher(text).replaceAll("");
    }

    /** Whether a code point is visible. */
    static boolean isVisible(int codePoint) {
        if (Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint)) {
            return false;
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT -> false;
            default -> true;
        };
    }

    /** Whether {@code text} may be cut at {@code index}: at white space, unless a combining character follows it. */
    static boolean isGap(String text, int index) {
        char c = text.charAt(index);
        if (!Character.isWhitespace(c)) {
            return false;
        }
        return c == '\n' || index + 1 == text.length() || !extendsCluster(text.codePointAt(index + 1));
    }

    private static boolean extendsCluster(int codePoint) {
        return codePoint == 0x200D
                || switch (Character.getType(codePoint)) {
                    case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK -> true;
                    default -> codePoint >= 0x1F3FB && codePoint <= 0x1F3FF;
                };
    }

    /**
     * The last end of a cluster in {@code (from, reach]}, or {@code from} if one cluster is longer than that. Only the
     * characters {@code [from, end)} are read.
     */
    static int lastBoundary(String text, int from, int reach, int end) {
        Matcher clusters = CLUSTER.matcher(text).region(from, end);
        int boundary = from;
        while (clusters.find() && clusters.end() <= reach) {
            boundary = clusters.end();
        }
        return boundary;
    }

    /**
     * {@code c} if every channel accepts it, else the replacement character: XML 1.0 has no control characters, and UTF-8
     * has no unpaired surrogates.
     *
     * @param before the character before {@code c}, or 0
     * @param after the character after it, or 0
     */
    static char validOrReplacement(char before, char c, char after) {
        boolean control = c < ' ' && c != '\n' && c != '\t';
        boolean half = (Character.isHighSurrogate(c) && !Character.isLowSurrogate(after))
                || (Character.isLowSurrogate(c) && !Character.isHighSurrogate(before));
        return control || half || c >= '\uFFFE' ? '\uFFFD' : c;
    }

    /** Number of columns that {@code text} takes in a monospaced font (UAX 11, roughly). */
    static int columns(String text) {
        return text.codePoints().map(CharacterClasses::columns).sum();
    }

    private static int columns(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        return (c >= 0x1100 && c <= 0x115F)
                || (c >= 0x2E80 && c <= 0xA4CF)
                || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF)
                || (c >= 0xFF00 && c <= 0xFF60)
                || (c >= 0x1F300 && c <= 0x3FFFD);
    }

    /** Whether a delimiter next to {@code c} would be within a word. */
    static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || Character.isSurrogate(c);
    }

    /**
     * Whether the character at {@code index} is an @ that doesn't follow a letter, digit or underscore as in a mail address.
     *
     * @param from where the text begins
     */
    static boolean isMention(String text, int from, int index) {
        return text.charAt(index) == '@' && (index == from || !isAsciiWord(text.charAt(index - 1)));
    }

    private static boolean isAsciiWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
}

package dev.postern.mail.message;

/** The text of untrusted content, reduced to one line of limited length. */
final class SingleLineText {

    private SingleLineText() {}

    /**
     * {@code text} on one line: control characters are dropped, unpaired surrogates become U+FFFD, white space becomes
     * single spaces, and there is none at the ends.
     *
     * @param maxChars limit of the result in characters; no surrogate pair is split
     */
    static String line(String text, int maxChars) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), maxChars));
        boolean space = false;
        for (int i = 0; i < text.length(); ) {
            int c = codePointAt(text, i);
            i += c > 0xFFFF ? 2 : 1;
            if (isSpace(c)) {
                space = !line.isEmpty();
            } else if (!Character.isISOControl(c)) {
                int more = Character.charCount(c) + (space ? 1 : 0);
                if (line.length() + more > maxChars) {
                    break;
                }
                if (space) {
                    line.append(' ');
                    space = false;
                }
                line.appendCodePoint(c);
            }
        }
        return line.toString();
    }

    /** The first {@code maxChars} characters of {@code text}, or one fewer if that would split a surrogate pair. */
    static String cut(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars);
    }

    /** The code point at {@code index}; U+FFFD for an unpaired surrogate. */
    static int codePointAt(String text, int index) {
        int c = text.codePointAt(index);
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c;
    }

    static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
    }
}

package dev.postern.agent;

/**
 * A reader of a text's visible characters, one after the other, and of the names that they form. It skips invisible
 * characters, reads look-alikes as what they look like, and reads each white space beyond ASCII as a space.
 */
final class ControlTokenNameReader {

    /** The value of {@link #current} behind the last character. */
    static final int END = -1;

    /** The length at which reading a name stops. */
    private static final int MAX_NAME = 96;

    /** Symbols below this one look like letters by chance; those from here on are made of letters. */
    private static final int FIRST_LETTERLIKE_SYMBOL = 0x2100;

    private final String text;
    private final DecodedCharacter decodedCharacter;
    private final StringBuilder name = new StringBuilder();
    private int start;
    private int next;
    private int behind;
    private int current;
    private int codePoint;
    private String reading = "";
    private boolean disguised;
    private int letters;
    private boolean isSpaced;
    private boolean hasPassedSpace;

    ControlTokenNameReader(String text, boolean tagsAreRead) {
        this.text = text;
        this.decodedCharacter = new DecodedCharacter(text, tagsAreRead);
    }

    /** Moves to the first visible character from {@code index} on. */
    void begin(int index) {
        begin(index, false);
    }

    /**
     * As {@link #begin}, and reads white space among the invisible characters as a space from here on. Returns whether some was
     * passed over since the last beginning; else nothing changes.
     */
    boolean beginSpaced(int index) {
        if (hasPassedSpace) {
            begin(index, true);
            return true;
        }
        return false;
    }

    private void begin(int index, boolean spaced) {
        isSpaced = spaced;
        hasPassedSpace = false;
        next = index;
        advance();
    }

    /** Moves to the next visible character. */
    void advance() {
        while (next < text.length()) {
            start = next;
            char c = text.charAt(next);
            if (c >= ' ' && c < 0x7F && c != '&') {
                next++;
                set(c, c, "");
                return;
            }
            decodedCharacter.read(next);
            next = decodedCharacter.end();
            boolean isSpace = decodedCharacter.isInvisibleSpace();
            hasPassedSpace |= isSpace;
            if (isSpace && isSpaced) {
                set(' ', decodedCharacter.codePoint(), "");
                return;
            }
            if (!decodedCharacter.isInvisible()) {
                String likeliest = decodedCharacter.likeliest();
                set(seen(decodedCharacter.codePoint(), likeliest), decodedCharacter.codePoint(), likeliest);
                return;
            }
        }
        start = next;
        set(END, END, "");
    }

    /** The visible form of {@code written}: itself if its reading has more than one character and begins with no letter. */
    private static int seen(int written, String likeliest) {
        if (written >= 0x80 && Character.isSpaceChar(written)) {
            return ' ';
        }
        int first = likeliest.codePointAt(0);
        return likeliest.length() == Character.charCount(first) || Character.isLetter(first) ? first : written;
    }

    private void set(int seen, int written, String read) {
        current = seen;
        codePoint = written;
        reading = read;
    }

    /** The visible form of the character. */
    int current() {
        return current;
    }

    /** The character itself. */
    int codePoint() {
        return codePoint;
    }

    /** The index of the character. */
    int start() {
        return start;
    }

    /** The index behind the character. */
    int next() {
        return next;
    }

    /** The index behind the last character that was accepted or is part of the name. */
    int behind() {
        return behind;
    }

    /** Moves on if the character is seen as {@code c}; returns whether it is. */
    boolean accepts(int c) {
        if (current != c) {
            return false;
        }
        behind = next;
        advance();
        return true;
    }

    /** Moves past {@code signs} as far as they follow here; returns whether all of them do. */
    boolean acceptsAll(String signs) {
        return signs.chars().allMatch(this::accepts);
    }

    /** Moves past each character that is seen as {@code c}; returns whether there is one. */
    boolean skips(int c) {
        boolean some = false;
        while (current == c) {
            behind = next;
            advance();
            some = true;
        }
        return some;
    }

    /** Reads a name of letters, digits and the signs that join them; empty if none begins here. */
    String name() {
        clear();
        while (isInName(current) && name.length() <= MAX_NAME) {
            append();
        }
        return name.isEmpty() ? "" : name.toString();
    }

    /** Reads a name that may also contain spaces and a few more signs. */
    String content() {
        clear();
        while ((isInName(current) || " /()+#@'".indexOf(current) >= 0) && name.length() <= MAX_NAME) {
            append();
        }
        return name.toString();
    }

    /** Whether part of the name is not written in ASCII. */
    boolean isDisguised() {
        return disguised;
    }

    /** The number of letters and digits in the name. */
    int letters() {
        return letters;
    }

    /** Whether {@code name} has only letters, digits and the signs that join them. */
    static boolean isIdentifier(String name) {
        return !name.isEmpty() && name.codePoints().allMatch(ControlTokenNameReader::isInName);
    }

    private static boolean isInName(int c) {
        return c < 0x80
                ? (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '_'
                        || c == ':'
                        || c == '-'
                        || c == '.'
                : Character.isLetterOrDigit(c);
    }

    private void clear() {
        name.setLength(0);
        disguised = false;
        letters = 0;
    }

    private void append() {
        if (reading.isEmpty() || current == ' ') {
            name.appendCodePoint(current);
        } else {
            name.append(reading);
        }
        disguised |= codePoint >= 0x80 || next - start > Character.charCount(codePoint);
        boolean symbol = Character.getType(codePoint) == Character.OTHER_SYMBOL && codePoint >= FIRST_LETTERLIKE_SYMBOL;
        if (symbol ? Character.isLetterOrDigit(current) : Character.isLetterOrDigit(codePoint)) {
            letters++;
        }
        behind = next;
        advance();
    }
}

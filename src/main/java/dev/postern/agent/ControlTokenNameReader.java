package dev.postern.agent;

/**
 * A reader of a text's visible characters, one after the other, and of the names that they form. It skips invisible
 * characters, reads look-alikes as what they look like, and reads each white space beyond ASCII as a space. A character that
 * looks like several is read as each of them in turn.
 */
final class ControlTokenNameReader {

    /** The value of {@link #current} behind the last character. */
    static final int END = -1;

    /** The length at which reading a name stops. */
    private static final int MAX_NAME = 96;

    /** Symbols below this one look like letters by chance; those from here on are made of letters. */
    private static final int FIRST_LETTERLIKE_SYMBOL = 0x2100;

    /** The radicals of Chinese writing: CJK Radicals Supplement and Kangxi Radicals. */
    private static final int FIRST_RADICAL = 0x2E80;

    private static final int LAST_RADICAL = 0x2FD5;

    private final String text;
    private final DecodedCharacter decodedCharacter;
    private final DecodedCharacter characterBefore;
    private final StringBuilder name = new StringBuilder();
    private int start;
    private int next;
    private int behind;
    private int current;
    private int codePoint;
    private String reading = "";
    private int unread;
    private boolean disguised;
    private int letters;
    private boolean isSpaced;
    private boolean hasPassedSpace;

    ControlTokenNameReader(String text, boolean tagsAreRead) {
        this.text = text;
        this.decodedCharacter = new DecodedCharacter(text, tagsAreRead);
        this.characterBefore = new DecodedCharacter(text, tagsAreRead);
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
        unread = 0;
        next = index;
        advance();
    }

    /** Moves to the next visible character. */
    void advance() {
        if (unread > 0) {
            current = reading.charAt(reading.length() - unread);
            unread--;
            return;
        }
        while (next < text.length()) {
            start = next;
            char c = text.charAt(next);
            if (c >= ' ' && c < 0x7F && c != '&') {
                next++;
                set(c, c);
                return;
            }
            decodedCharacter.read(next);
            next = decodedCharacter.end();
            boolean isSpace = decodedCharacter.isInvisibleSpace();
            hasPassedSpace |= isSpace;
            if (isSpace && isSpaced) {
                set(' ', decodedCharacter.codePoint());
                return;
            }
            if (!decodedCharacter.isInvisible()) {
                setReading(decodedCharacter.codePoint(), decodedCharacter.likeliest());
                return;
            }
        }
        start = next;
        set(END, END);
    }

    private void set(int seen, int written) {
        current = seen;
        codePoint = written;
    }

    private void setReading(int written, String likeliest) {
        int first = likeliest.codePointAt(0);
        set(written >= 0x80 && Character.isSpaceChar(written) ? ' ' : first, written);
        reading = likeliest;
        unread = likeliest.length() - Character.charCount(first);
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

    /**
     * The index at which {@code word} begins that ends before {@code index}; -1 if it does not stand there, or only as the end
     * of a longer one. The reader stays where it is.
     *
     * @param word ASCII letters, which count in any case where they are disguised
     */
    int startBefore(int index, String word) {
        int at = index;
        int left = word.length();
        while (left > 0) {
            int letters = at == 0 ? -1 : lettersBefore(at, word, left);
            if (letters < 0) {
                return -1;
            }
            left -= letters;
            at = characterBefore.start();
        }
        return at > 0 && isInIdentifier(text.codePointBefore(at)) ? -1 : at;
    }

    /**
     * Moves to the character before {@code index}; returns how many of the first {@code count} letters of {@code word} it is, at
     * their end; -1 if it is another.
     */
    private int lettersBefore(int index, String word, int count) {
        char last = text.charAt(index - 1);
        boolean isOther = last >= ' ' && last < 0x7F && last != word.charAt(count - 1);
        int letters = -1;
        if (!isOther) {
            characterBefore.readPlainBefore(index);
            letters = lettersOfCharacterBefore(word, count);
        }
        return letters < 0 && characterBefore.readReferenceBefore(index)
                ? lettersOfCharacterBefore(word, count)
                : letters;
    }

    private int lettersOfCharacterBefore(String word, int count) {
        if (characterBefore.isInvisible()) {
            return 0;
        }
        String likeliest = characterBefore.likeliest();
        int length = likeliest.length();
        boolean isPlain = characterBefore.end() - characterBefore.start() == 1 && characterBefore.codePoint() < 0x80;
        return word.regionMatches(!isPlain, count - length, likeliest, 0, length) ? length : -1;
    }

    private static boolean isInIdentifier(int c) {
        return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
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

    /** Whether {@code name} begins with a letter, a digit or an underscore. */
    static boolean isBegun(String name) {
        return !name.isEmpty() && (name.charAt(0) == '_' || isLetterOrDigit(name.codePointAt(0)));
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
                : isLetterOrDigit(c);
    }

    /** Whether {@code c} is a letter, a digit or a radical, which looks like an ideograph and is compatible with it. */
    static boolean isLetterOrDigit(int c) {
        return Character.isLetterOrDigit(c) || (c >= FIRST_RADICAL && c <= LAST_RADICAL);
    }

    private void clear() {
        name.setLength(0);
        disguised = false;
        letters = 0;
    }

    private void append() {
        name.appendCodePoint(current);
        disguised |= codePoint >= 0x80 || next - start > Character.charCount(codePoint);
        if (isLetterOrDigit(isMadeOfLetters(codePoint) ? current : codePoint)) {
            letters++;
        }
        behind = next;
        advance();
    }

    /** Whether {@code written} is no letter or digit, but made of some: one in a circle, above the line, or abbreviated. */
    private static boolean isMadeOfLetters(int written) {
        return switch (Character.getType(written)) {
            case Character.OTHER_SYMBOL -> written >= FIRST_LETTERLIKE_SYMBOL;
            case Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }
}

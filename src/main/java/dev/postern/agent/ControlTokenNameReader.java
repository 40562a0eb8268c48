package dev.postern.agent;

/**
 * A reader of a text's characters as they are seen, one after the other, and of the names that they make: invisible ones are passed
 * over, look-alikes are taken for what they look like, and each white space beyond ASCII is a space.
 */
final class ControlTokenNameReader {

    /** The {@link #current} behind the last character. */
    static final int END = -1;

    /** No name that is longer is read. */
    private static final int MAX_NAME = 96;

    /** Symbols below look like letters by chance, those from here on are made of them. */
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

    ControlTokenNameReader(String text, boolean tagsAreRead) {
        this.text = text;
        this.decodedCharacter = new DecodedCharacter(text, tagsAreRead);
    }

    /** Moves to the first visible character from {@code index} on. */
    void begin(int index) {
        next = index;
        advance();
    }

    /** Moves on by one visible character. */
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
            if (!decodedCharacter.isInvisible()) {
                String likeliest = decodedCharacter.likeliest();
                set(seen(decodedCharacter.codePoint(), likeliest), decodedCharacter.codePoint(), likeliest);
                return;
            }
        }
        start = next;
        set(END, END, "");
    }

    /** What {@code written} is seen as: itself where its reading is more than one character and no letters. */
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

    /** What the character is seen as. */
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

    /** Moves on where the character is seen as {@code c}; true where it is. */
    boolean accepts(int c) {
        if (current != c) {
            return false;
        }
        behind = next;
        advance();
        return true;
    }

    /** Moves past {@code signs} as far as they stand here; true where all of them do. */
    boolean acceptsAll(String signs) {
        return signs.chars().allMatch(this::accepts);
    }

    /** Moves past each character that is seen as {@code c}; true where there is one. */
    boolean skips(int c) {
        boolean some = false;
        while (current == c) {
            behind = next;
            advance();
            some = true;
        }
        return some;
    }

    /** Reads a name of letters, digits and what joins them; empty where none begins here. */
    String name() {
        clear();
        while (isInName(current) && name.length() <= MAX_NAME) {
            append();
        }
        return name.isEmpty() ? "" : name.toString();
    }

    /** Reads a name that may have spaces in it and a few more signs. */
    String content() {
        clear();
        while ((isInName(current) || " /()+#@'".indexOf(current) >= 0) && name.length() <= MAX_NAME) {
            append();
        }
        return name.toString();
    }

    /** True where something of the name is not written in ASCII. */
    boolean isDisguised() {
        return disguised;
    }

    /** How many letters and digits the name has. */
    int letters() {
        return letters;
    }

    /** True for the name of something, without white space or other signs than those that join words. */
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

package dev.postern.agent;

import java.util.stream.IntStream;

/**
 * A character of a text as a reader takes it, in any encoding: a plain character, an HTML reference that stands for one, or
 * a tag character. A tag character is the invisible twin of an ASCII character, which some models read all the same.
 */
final class DecodedCharacter {

    private static final int TAGS = 0xE0000;
    private static final int FIRST_TAG = 0xE0020;
    private static final int LAST_TAG = 0xE007E;

    /** The first half of each tag character in UTF-16. */
    private static final char TAGS_BEGIN = Character.highSurrogate(TAGS);

    /** The most characters of a reference that is read from its end. */
    private static final int MAX_REFERENCE = 32;

    private static final String[] ASCII =
            IntStream.range(0, 0x80).mapToObj(Character::toString).toArray(String[]::new);

    private final String text;
    private final boolean tagsAreRead;
    private int start;
    private int codePoint;
    private int end;

    /** Creates a decoder of {@code text} that reads tag characters or leaves them invisible. */
    DecodedCharacter(String text, boolean tagsAreRead) {
        this.text = text;
        this.tagsAreRead = tagsAreRead;
    }

    /** Whether {@code text} reads differently to a reader that sees tag characters. */
    static boolean hasTags(String text) {
        return text.indexOf(TAGS_BEGIN) >= 0 && text.codePoints().anyMatch(DecodedCharacter::isTag);
    }

    /** Moves to the character at {@code index}. */
    void read(int index) {
        int written = text.codePointAt(index);
        if (CharacterReference.isAmpersand(written)) {
            CharacterReference reference = CharacterReference.at(text, index);
            if (!reference.equals(CharacterReference.NONE)) {
                set(index, reference.codePoint(), reference.end());
                return;
            }
        }
        set(index, written, index + Character.charCount(written));
    }

    /** Moves to the character that ends at {@code index}, which is taken for no reference. */
    void readPlainBefore(int index) {
        int written = text.codePointBefore(index);
        set(index - Character.charCount(written), written, index);
    }

    /** Moves to the reference that ends at {@code index}. Returns whether there is one; else nothing changes. */
    boolean readReferenceBefore(int index) {
        int least = Math.max(0, index - MAX_REFERENCE);
        int at = index - 1;
        while (at >= least && mayBeInReference(text.charAt(at))) {
            at--;
        }
        if (at < least || !CharacterReference.isAmpersand(text.charAt(at))) {
            return false;
        }
        CharacterReference reference = CharacterReference.at(text, at);
        if (reference.end() != index) {
            return false;
        }
        set(at, reference.codePoint(), index);
        return true;
    }

    private static boolean mayBeInReference(char c) {
        return c < 0x80 ? CharacterReference.isPart(c) : !CharacterReference.isAmpersand(c);
    }

    private void set(int newStart, int written, int newEnd) {
        start = newStart;
        codePoint = tagsAreRead && isTag(written) ? written - TAGS : written;
        end = newEnd;
    }

    /** The character. */
    int codePoint() {
        return codePoint;
    }

    /** The index of the character. */
    int start() {
        return start;
    }

    /** The index behind the character. */
    int end() {
        return end;
    }

    /**
     * Whether the character is invisible, or changes another: a mark, a format or control character, a filler. So is one
     * without a reading that this version of Java does not know. It may be a mark of a later Unicode, or one of those that
     * the property Default_Ignorable_Code_Point reserves.
     */
    boolean isInvisible() {
        return isInvisible(codePoint);
    }

    /** As {@link #isInvisible()}, of another character. */
    static boolean isInvisible(int codePoint) {
        if (codePoint >= ' ' && codePoint < 0x7F) {
            return false;
        }
        return switch (Character.getType(codePoint)) {
            case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            case Character.CONTROL -> codePoint != '\n' && codePoint != '\t';
            case Character.UNASSIGNED -> LookAlikeCharacters.of(codePoint).isEmpty();
            default -> codePoint == 0x115F || codePoint == 0x1160 || codePoint == 0x3164 || codePoint == 0xFFA0;
        };
    }

    /** Whether it is white space among the control characters that are invisible: a carriage return, another end of a line. */
    boolean isInvisibleSpace() {
        return (codePoint >= '\u000B' && codePoint <= '\r') || codePoint == 0x85;
    }

    /** The likeliest reading in ASCII, in any case; the character itself if it has none. */
    String likeliest() {
        if (codePoint < ASCII.length) {
            return ASCII[codePoint];
        }
        return LookAlikeCharacters.likeliest(codePoint);
    }

    private static boolean isTag(int codePoint) {
        return codePoint >= FIRST_TAG && codePoint <= LAST_TAG;
    }
}

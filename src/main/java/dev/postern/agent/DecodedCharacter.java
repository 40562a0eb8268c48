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

    private static final String[] ASCII =
            IntStream.range(0, 0x80).mapToObj(Character::toString).toArray(String[]::new);

    private final String text;
    private final boolean tagsAreRead;
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

    /** Moves to the character at {@code start}. */
    void read(int start) {
        codePoint = text.codePointAt(start);
        end = start + Character.charCount(codePoint);
        if (codePoint == '&') {
            CharacterReference reference = CharacterReference.at(text, start);
            if (!reference.equals(CharacterReference.NONE)) {
                codePoint = reference.codePoint();
                end = reference.end();
            }
        }
        if (tagsAreRead && isTag(codePoint)) {
            codePoint -= TAGS;
        }
    }

    /** The character. */
    int codePoint() {
        return codePoint;
    }

    /** The index behind the character. */
    int end() {
        return end;
    }

    /** Whether the character is invisible, or changes another: a mark, a format or control character, a filler. */
    boolean isInvisible() {
        if (codePoint >= ' ' && codePoint < 0x7F) {
            return false;
        }
        return switch (Character.getType(codePoint)) {
            case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            case Character.CONTROL -> codePoint != '\n' && codePoint != '\t';
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

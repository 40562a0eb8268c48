package dev.postern.agent;

import java.util.stream.IntStream;

/**
 * One character of a text as a reader takes it, wherever it came from: a character, a reference of HTML that stands for
 * one, or a tag character, the invisible twin of an ASCII character that some models read all the same.
 */
final class DecodedCharacter {

    private static final int TAGS = 0xE0000;
    private static final int FIRST_TAG = 0xE0020;
    private static final int LAST_TAG = 0xE007E;

    /** What each tag character is written with first. */
    private static final char TAGS_BEGIN = Character.highSurrogate(TAGS);

    private static final String[] ASCII =
            IntStream.range(0, 0x80).mapToObj(Character::toString).toArray(String[]::new);

    private final String text;
    private final boolean tagsAreRead;
    private int codePoint;
    private int end;

    /** Reads {@code text}, where tag characters are either seen or passed over. */
    DecodedCharacter(String text, boolean tagsAreRead) {
        this.text = text;
        this.tagsAreRead = tagsAreRead;
    }

    /** True where {@code text} reads differently to one who sees tag characters. */
    static boolean hasTags(String text) {
        return text.indexOf(TAGS_BEGIN) >= 0 && text.codePoints().anyMatch(DecodedCharacter::isTag);
    }

    /** Moves to what stands at {@code start}. */
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

    /** The index behind it. */
    int end() {
        return end;
    }

    /** True for a character that is not seen, or changes another: a mark, a format or control character, a filler. */
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

    /** The likeliest reading in ASCII, in whatever case; the character itself where it has none. */
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

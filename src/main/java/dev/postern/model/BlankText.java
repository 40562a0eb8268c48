package dev.postern.model;

/** A test for text in which nothing can be seen, by the Unicode properties of its characters. */
public final class BlankText {

    private BlankText() {}

    /**
     * Whether {@code text} is empty or contains only white space, control and format characters (zero-width spaces and
     * joiners, direction marks, soft hyphens) and fillers.
     */
    public static boolean isBlank(String text) {
        return text.codePoints().allMatch(BlankText::isUnseen);
    }

    /** {@code text} without the white space (Unicode's White_Space) at its start and end. */
    public static String trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /** White_Space (PropList.txt): every separator of category Z, and the control characters that move the position. */
    private static boolean isSpace(int c) {
        return Character.isSpaceChar(c) || Character.isWhitespace(c) || c == '\u0085';
    }

    private static boolean isUnseen(int c) {
        int type = Character.getType(c);
        return isSpace(c) || type == Character.CONTROL || type == Character.FORMAT || isFiller(c);
    }

    /** Characters that stand for a letter, a dot pattern or a variant of a glyph, and show nothing. */
    private static boolean isFiller(int c) {
        return switch (c) {
            case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0 -> true;
            default -> (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
        };
    }
}

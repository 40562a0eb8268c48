package dev.postern.model;

/**
 * Text in a form that every database can store. PostgreSQL rejects U+0000, and an unpaired surrogate has no UTF-8 form. Both
 * become U+FFFD, the replacement character.
 */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** {@code text} itself if a database can store it, which is nearly always so; else a repaired copy. */
    public static String of(String text) {
        int fault = firstFault(text, 0);
        if (fault < 0) {
            return text;
        }
        StringBuilder repaired = new StringBuilder(text);
        while (fault >= 0) {
            repaired.setCharAt(fault, REPLACEMENT);
            fault = firstFault(text, fault + 1);
        }
        return repaired.toString();
    }

    private static int firstFault(String text, int from) {
        int length = text.length();
        for (int i = from; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}

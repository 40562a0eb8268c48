package dev.postern.model;

/**
 * Text as every database keeps it: PostgreSQL takes no U+0000, and an unpaired surrogate has no UTF-8 form. Both become
 * U+FFFD, the replacement character.
 */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** {@code text} itself when a database can keep it as it is, which is nearly always, else a repaired copy. */
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

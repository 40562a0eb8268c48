package dev.postern.agent;

import java.nio.charset.StandardCharsets;

/** The text of an agent's reply as it is kept: its first 1 MiB, without white space at its ends and without NUL. */
public final class ReplyText {

    /** The longest reply that is kept, in bytes of UTF-8. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final String CUT = "\n[cut here: the reply was longer than 1 MiB]";

    private ReplyText() {}

    /** {@code said}, with a note if its end is left out. */
    public static String of(String said) {
        byte[] utf8 = said.getBytes(StandardCharsets.UTF_8);
        return of(utf8, Math.min(utf8.length, MAX_BYTES), utf8.length > MAX_BYTES);
    }

    /**
     * The text of the first {@code length} bytes; bytes that are not UTF-8 are replaced.
     *
     * @param isCut whether the reply was longer
     */
    static String of(byte[] utf8, int length, boolean isCut) {
        String text = new String(utf8, 0, length, StandardCharsets.UTF_8)
                .replace('\0', '\uFFFD')
                .strip();
        return isCut ? text + CUT : text;
    }
}

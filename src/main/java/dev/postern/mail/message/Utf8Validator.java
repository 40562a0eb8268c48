package dev.postern.mail.message;

/**
 * A validator that counts the UTF-8 characters and errors in a text (RFC 3629).
 *
 * @param characters number of characters of more than one byte
 * @param faults number of bytes that are part of no character
 */
record Utf8Validator(int characters, int faults) {

    static final int MARK_BYTES = 3;

    /** @param whole whether an incomplete character at the end is an error */
    static Utf8Validator of(byte[] bytes, int length, boolean whole) {
        int characters = 0;
        int faults = 0;
        for (int i = 0; i < length; ) {
            int more = following(bytes[i] & 0xFF);
            if (more == 0) {
                i++;
                continue;
            }
            int got = 0;
            while (got < more && i + 1 + got < length && (bytes[i + 1 + got] & 0xC0) == 0x80) {
                got++;
            }
            if (got == more) {
                characters++;
            } else if (whole || more < 0 || i + 1 + got < length) {
                faults++;
            }
            i += 1 + got;
        }
        return new Utf8Validator(characters, faults);
    }

    /** Whether a text begins with a byte order mark. */
    static boolean isMarked(byte[] text) {
        return text.length >= MARK_BYTES && text[0] == (byte) 0xEF && text[1] == (byte) 0xBB && text[2] == (byte) 0xBF;
    }

    /** Number of bytes that follow the first one of a character; -1 if no character begins with it. */
    private static int following(int first) {
        if (first < 0x80) {
            return 0;
        }
        if (first < 0xC2 || first > 0xF4) {
            return -1;
        }
        if (first < 0xE0) {
            return 1;
        }
        return first < 0xF0 ? 2 : 3;
    }
}

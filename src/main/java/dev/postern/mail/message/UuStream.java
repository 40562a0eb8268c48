package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;

/** Uuencode (POSIX): each line's own bytes, until the line {@code end}. */
final class UuStream extends DecodingStream {

    private static final int MAX_LINE = 200;

    private final byte[] line = new byte[MAX_LINE];
    private final byte[] decoded = new byte[MAX_LINE];
    private int at;
    private int length;
    private boolean ended;

    UuStream(InputStream encoded) {
        super(encoded);
    }

    @Override
    int next() throws IOException {
        while (at == length && !ended) {
            at = 0;
            length = decode(nextLine());
        }
        return at < length ? decoded[at++] & 0xFF : -1;
    }

    /** Reads a line to {@link #line}; its length, without what is too long. */
    private int nextLine() throws IOException {
        int count = 0;
        int c = in.read();
        ended = c < 0;
        while (c >= 0 && c != '\n') {
            if (c != '\r' && count < MAX_LINE) {
                line[count++] = (byte) c;
            }
            c = in.read();
        }
        return count;
    }

    private int decode(int count) {
        if (startsWith("begin ", count) || count == 0) {
            return 0;
        }
        if (count == 3 && startsWith("end", count)) {
            ended = true;
            return 0;
        }
        int bytes = Math.min(value(0, count), (count - 1) * 3 / 4 + 2);
        for (int i = 0; i < bytes; i++) {
            int group = 1 + i / 3 * 4;
            int bits = value(group, count) << 18
                    | value(group + 1, count) << 12
                    | value(group + 2, count) << 6
                    | value(group + 3, count);
            decoded[i] = (byte) (bits >> (16 - i % 3 * 8));
        }
        return bytes;
    }

    private int value(int index, int count) {
        return index < count ? line[index] - 32 & 0x3F : 0;
    }

    private boolean startsWith(String word, int count) {
        if (count < word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (line[i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

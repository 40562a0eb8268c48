package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** A stream that decodes quoted-printable (RFC 2045, section 6.7). An equals sign that begins no code stands for itself. */
final class QuotedPrintableStream extends DecodingStream {

    /** Limit of the blanks that may follow an equals sign at a line's end. */
    private static final int MAX_BLANKS = 76;

    private final PushbackInputStream encoded;

    QuotedPrintableStream(InputStream encoded) {
        super(encoded);
        this.encoded = new PushbackInputStream(encoded, MAX_BLANKS + 1);
    }

    @Override
    int next() throws IOException {
        while (true) {
            int c = encoded.read();
            if (c != '=') {
                return c;
            }
            if (lineEndsHere()) {
                continue;
            }
            int first = encoded.read();
            int second = encoded.read();
            int high = Character.digit(first, 16);
            int low = Character.digit(second, 16);
            if (high >= 0 && low >= 0) {
                return high << 4 | low;
            }
            if (second >= 0) {
                encoded.unread(second);
            }
            encoded.unread(first);
            return '=';
        }
    }

    /** Skips a line's end and the white space added before it; skips nothing if the line goes on. */
    private boolean lineEndsHere() throws IOException {
        byte[] blanks = new byte[MAX_BLANKS];
        int count = 0;
        int next = encoded.read();
        while (count < MAX_BLANKS && (next == ' ' || next == '\t' || next == '\r')) {
            blanks[count++] = (byte) next;
            next = encoded.read();
        }
        if (next == '\n' || next < 0) {
            return true;
        }
        encoded.unread(next);
        encoded.unread(blanks, 0, count);
        return false;
    }
}

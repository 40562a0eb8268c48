package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** Quoted-printable (RFC 2045, section 6.7). An equals sign that begins no code stands for itself. */
final class QuotedPrintableStream extends DecodingStream {

    /** Of those that follow an equals sign on its line. */
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

    /** Passes over a line's end, and white space that was added before it; over nothing where there is more of the line. */
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

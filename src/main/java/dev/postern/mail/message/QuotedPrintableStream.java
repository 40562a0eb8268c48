package dev.postern.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** Quoted-printable (RFC 2045, section 6.7). An equals sign that begins no code stands for itself. */
final class QuotedPrintableStream extends DecodingStream {

    private final PushbackInputStream encoded;

    QuotedPrintableStream(InputStream encoded) {
        super(encoded);
        this.encoded = new PushbackInputStream(encoded, 2);
    }

    @Override
    int next() throws IOException {
        while (true) {
            int c = encoded.read();
            if (c != '=') {
                return c;
            }
            int first = encoded.read();
            if (first < 0) {
                return -1;
            }
            if (first == '\n') {
                continue;
            }
            int second = encoded.read();
            if (first == '\r' && second == '\n') {
                continue;
            }
            int high = Character.digit(first, 16);
            int low = Character.digit(second, 16);
            if (high >= 0 && low >= 0) {
                return high << 4 | low;
            }
            if (second >= 0) {
                encoded.unread(second);
            }
            if (isBlank(first)) {
                if (lineEndsHere()) {
                    continue;
                }
            }
            encoded.unread(first);
            return '=';
        }
    }

    /** White space that was added behind a soft line break is passed over with it. */
    private boolean lineEndsHere() throws IOException {
        int next = encoded.read();
        if (next == '\n' || next < 0) {
            return true;
        }
        encoded.unread(next);
        return false;
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t' || c == '\r';
    }
}

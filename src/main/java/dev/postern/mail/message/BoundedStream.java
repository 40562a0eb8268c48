package dev.postern.mail.message;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after a maximum number of bytes. */
final class BoundedStream extends FilterInputStream {

    private long left;
    private boolean cut;
    private boolean empty = true;

    BoundedStream(InputStream whole, long maxBytes) {
        super(whole);
        left = maxBytes;
    }

    /** Whether a read went past the limit while more bytes were there. */
    boolean isCut() {
        return cut;
    }

    /** Whether no read has returned a byte. */
    boolean isEmpty() {
        return empty;
    }

    @Override
    public int read() throws IOException {
        int b = in.read();
        if (b >= 0 && left == 0) {
            cut = true;
            return -1;
        }
        empty &= b < 0;
        left -= b >= 0 ? 1 : 0;
        return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0 || length == 0) {
            return length == 0 ? 0 : read();
        }
        int count = in.read(into, offset, (int) Math.min(length, left));
        left -= Math.max(count, 0);
        empty &= count <= 0;
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}

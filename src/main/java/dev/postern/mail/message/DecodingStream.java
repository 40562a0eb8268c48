package dev.postern.mail.message;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream whose subclasses decode one byte at a time. */
abstract class DecodingStream extends FilterInputStream {

    DecodingStream(InputStream encoded) {
        super(encoded);
    }

    /** The next decoded byte; -1 at the end. */
    abstract int next() throws IOException;

    @Override
    public final int read() throws IOException {
        return next();
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        int count = 0;
        while (count < length) {
            int b = next();
            if (b < 0) {
                return count == 0 ? -1 : count;
            }
            into[offset + count++] = (byte) b;
        }
        return count;
    }

    @Override
    public final int available() {
        return 0;
    }

    @Override
    public final boolean markSupported() {
        return false;
    }
}

package dev.postern.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** A collector of a program's output that reads without ever blocking and keeps the beginning. */
final class OutputCollector implements AutoCloseable {

    private final InputStream stream;
    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long count;

    /** Creates a collector that keeps the first {@code maxBytes} bytes of {@code stream}. */
    OutputCollector(InputStream stream, int maxBytes) {
        this.stream = stream;
        this.maxBytes = maxBytes;
    }

    /** Reads the available bytes, at most 16 KiB; false if there are none. */
    boolean take() throws IOException {
        int available = stream.available();
        if (available == 0) {
            return false;
        }
        int read = stream.read(buffer, 0, Math.min(available, buffer.length));
        if (read <= 0) {
            return false;
        }
        count += read;
        kept.write(buffer, 0, Math.min(read, maxBytes - kept.size()));
        return true;
    }

    /** The number of bytes read, kept or not. */
    long count() {
        return count;
    }

    /** The kept text, with a note if some was not kept; NUL and bytes that are not UTF-8 are replaced. */
    String text() {
        return ReplyText.of(kept.toByteArray(), kept.size(), count > maxBytes);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}

package dev.postern.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Empties a program's output as it comes, without ever blocking, and keeps the beginning of it. */
final class OutputCollector implements AutoCloseable {

    private final InputStream stream;
    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long count;

    /** Keeps the first {@code maxBytes} of {@code stream}. */
    OutputCollector(InputStream stream, int maxBytes) {
        this.stream = stream;
        this.maxBytes = maxBytes;
    }

    /** Takes what is there, at most 16 KiB; false when nothing is. */
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

    /** How many bytes have come, kept or not. */
    long count() {
        return count;
    }

    /** What was kept, with a note when something was not; whatever isn't UTF-8, and NUL, is replaced. */
    String text() {
        return ReplyText.of(kept.toByteArray(), kept.size(), count > maxBytes);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}

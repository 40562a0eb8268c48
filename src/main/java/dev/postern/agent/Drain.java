package dev.postern.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Empties a program's output as it comes, without ever blocking, and keeps the beginning of it. */
final class Drain implements AutoCloseable {

    /** The longest reply that is kept. */
    static final int MAX_REPLY_BYTES = 1024 * 1024;

    private static final String CUT = "\n[cut here: the reply was longer than 1 MiB]";

    private final InputStream stream;
    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long count;

    /** Keeps the first {@code maxBytes} of {@code stream}. */
    Drain(InputStream stream, int maxBytes) {
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
        String text =
                kept.toString(StandardCharsets.UTF_8).replace('\0', '\uFFFD').strip();
        return count > maxBytes ? text + CUT : text;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}

package dev.postern.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A collector of a program's output that reads without ever blocking and keeps the beginning or the end. */
final class OutputCollector implements AutoCloseable {

    private final InputStream stream;
    private final int maxBytes;
    private final boolean keepsEnd;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private long count;

    private OutputCollector(InputStream stream, int maxBytes, boolean keepsEnd) {
        this.stream = stream;
        this.maxBytes = maxBytes;
        this.keepsEnd = keepsEnd;
    }

    /** A collector that keeps the first {@code maxBytes} bytes of {@code stream}. */
    static OutputCollector ofBeginning(InputStream stream, int maxBytes) {
        return new OutputCollector(stream, maxBytes, false);
    }

    /** A collector that keeps the last {@code maxBytes} bytes of {@code stream}, or some more. */
    static OutputCollector ofEnd(InputStream stream, int maxBytes) {
        return new OutputCollector(stream, maxBytes, true);
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
        if (keepsEnd) {
            keepLast(read);
        } else {
            kept.write(buffer, 0, Math.min(read, maxBytes - kept.size()));
        }
        return true;
    }

    private void keepLast(int read) {
        byte[] before = kept.toByteArray();
        int most = Math.max(0, maxBytes - read);
        int from = Math.max(0, before.length - most);
        kept.reset();
        kept.write(before, from, before.length - from);
        kept.write(buffer, 0, read);
    }

    /** The number of bytes read, kept or not. */
    long count() {
        return count;
    }

    /** The kept bytes as text, without a note; bytes that are not UTF-8 are replaced. */
    String lastText() {
        return kept.toString(StandardCharsets.UTF_8);
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

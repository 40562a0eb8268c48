package dev.postern.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;

/** A response body that is kept. */
final class RecordingOutputStream extends ServletOutputStream {

    private final ByteArrayOutputStream bytes;

    RecordingOutputStream(ByteArrayOutputStream bytes) {
        this.bytes = bytes;
    }

    @Override
    public void write(int value) {
        bytes.write(value);
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException("an answer is written at once");
    }
}

package dev.postern.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** A stream that discards its bytes. */
class DiscardingOutputStream extends ServletOutputStream {

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void write(int b) throws IOException {}
}

package dev.postern.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.util.Arrays;

/** A body whose bytes arrive when the test says so. */
final class ControlledInputStream extends ServletInputStream {

    private int here;
    private boolean over;
    private ReadListener listener;

    void arrive(int bytes) {
        here += bytes;
    }

    /** Ends the body after the bytes that have arrived. */
    void end() {
        over = true;
    }

    @Override
    public int available() {
        return here;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (here == 0) {
            return -1;
        }
        int count = Math.min(here, length);
        Arrays.fill(target, offset, offset + count, (byte) ' ');
        here -= count;
        return count;
    }

    @Override
    public boolean isFinished() {
        return over && here == 0;
    }

    @Override
    public boolean isReady() {
        return here > 0;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        this.listener = listener;
    }

    ReadListener listener() {
        return listener;
    }
}

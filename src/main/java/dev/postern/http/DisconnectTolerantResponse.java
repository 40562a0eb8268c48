package dev.postern.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * A response that discards its rest once the client has disconnected. Nobody is left to tell, and Jersey would log each
 * failed write as an error, with a stack trace.
 */
final class DisconnectTolerantResponse extends HttpServletResponseWrapper {

    private static final Logger LOG = System.getLogger(DisconnectTolerantResponse.class.getName());

    DisconnectTolerantResponse(HttpServletResponse response) {
        super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        return new TolerantOutputStream(super.getOutputStream());
    }

    @Override
    public void flushBuffer() {
        tolerate(super::flushBuffer);
    }

    private static boolean tolerate(Write write) {
        try {
            write.run();
            return true;
        } catch (IOException disconnected) {
            LOG.log(
                    Level.DEBUG,
                    "Client disconnected during its response: {0}",
                    disconnected.getClass().getName());
            return false;
        }
    }

    /** A write to the client. */
    private interface Write {
        void run() throws IOException;
    }

    /** A stream that discards everything after its first failed write. */
    private static final class TolerantOutputStream extends ServletOutputStream {

        private final ServletOutputStream out;
        private volatile boolean isDisconnected;

        TolerantOutputStream(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            run(() -> out.write(bytes, offset, length));
        }

        @Override
        public void flush() {
            run(out::flush);
        }

        @Override
        public void close() {
            run(out::close);
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            out.setWriteListener(listener);
        }

        private void run(Write write) {
            if (!isDisconnected) {
                isDisconnected = !tolerate(write);
            }
        }
    }
}

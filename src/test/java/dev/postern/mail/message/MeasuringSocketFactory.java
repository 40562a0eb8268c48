package dev.postern.mail.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/** Connections that count what the server sends, garble some of it, and break when it has sent enough. */
final class MeasuringSocketFactory extends SocketFactory {

    final AtomicLong bytes = new AtomicLong();
    final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    private volatile String sent = "";
    private volatile String arriving = "";

    /** Replaces {@code sent} by {@code arriving} in the data from the server. */
    void garble(String sent, String arriving) {
        if (sent.length() != arriving.length()) {
            throw new IllegalArgumentException("as long as before");
        }
        this.sent = sent;
        this.arriving = arriving;
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return new FilterInputStream(super.getInputStream()) {
                    @Override
                    public int read() throws IOException {
                        return count(super.read(), 1);
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) throws IOException {
                        int count = super.read(into, offset, length);
                        String garbled =
                                new String(into, offset, Math.max(count, 0), ISO_8859_1).replace(sent, arriving);
                        System.arraycopy(garbled.getBytes(ISO_8859_1), 0, into, offset, garbled.length());
                        return count(count, count);
                    }
                };
            }
        };
    }

    private int count(int result, int count) throws SocketException {
        bytes.addAndGet(Math.max(count, 0));
        if (left.addAndGet(-Math.max(count, 0)) < 0) {
            throw new SocketException("Connection reset");
        }
        return result;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }
}

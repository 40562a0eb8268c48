package dev.postern.mail.message;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/** Connections that count what the server sends, and break when it has sent enough. */
final class MeasuredSockets extends SocketFactory {

    final AtomicLong bytes = new AtomicLong();
    final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

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

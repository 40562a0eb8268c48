package dev.postern.mail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/** Makes sockets and knows them, so that they can be closed under whoever reads from them. Safe for use by many threads. */
final class ClosableSocketFactory extends SocketFactory {

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    /** Closes those that are open. */
    void close() {
        open.forEach(ClosableSocketFactory::close);
    }

    /** Closes those that are open, and each that is still made. */
    void cut() {
        cut = true;
        close();
    }

    @Override
    public Socket createSocket() {
        return known(new Socket());
    }

    /** {@code socket}, which is known from now on. */
    Socket known(Socket socket) {
        open.removeIf(Socket::isClosed);
        open.add(socket);
        noDelay(socket);
        if (cut) {
            close(socket);
        }
        return socket;
    }

    /** A command is written in pieces, of which none is to wait until the one before it has arrived. */
    private static void noDelay(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(ClosableSocketFactory.class.getName()).log(System.Logger.Level.DEBUG, "A socket broke", e);
        }
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw connected();
    }

    /** Angus connects by itself, with its time-out. */
    private static UnsupportedOperationException connected() {
        return new UnsupportedOperationException("only for sockets that are not connected yet");
    }
}

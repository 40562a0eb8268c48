package dev.postern.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/**
 * A factory of sockets that keeps track of them, so that they can be closed while another thread reads from them. Safe for
 * use by many threads.
 */
public final class ClosableSocketFactory extends SocketFactory {

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    /** Closes the open sockets. */
    public void close() {
        open.forEach(ClosableSocketFactory::close);
    }

    /** Closes the open sockets, and each one that is made from now on. */
    public void shutDown() {
        cut = true;
        close();
    }

    @Override
    public Socket createSocket() {
        return track(new Socket());
    }

    /** Returns {@code socket} and keeps track of it from now on. */
    Socket track(Socket socket) {
        open.removeIf(Socket::isClosed);
        open.add(socket);
        noDelay(socket);
        if (cut) {
            close(socket);
        }
        return socket;
    }

    /** Turns Nagle's algorithm off: a command is written in pieces, and no piece may wait for the arrival of another. */
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
            System.getLogger(ClosableSocketFactory.class.getName())
                    .log(System.Logger.Level.DEBUG, "Closing a socket failed", e);
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

    /** Angus connects the socket by itself, with its own time-out. */
    private static UnsupportedOperationException connected() {
        return new UnsupportedOperationException("only for sockets that are not connected yet");
    }
}

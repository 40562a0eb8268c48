package dev.postern.it.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between Postern and a mail server that imitates network failures: it resets connections, swallows them, or
 * rejects new ones.
 */
final class DroppingProxy implements AutoCloseable {

    private static final String IDLE = " IDLE";

    private final int target;
    private final boolean hidesIdle;
    private final ServerSocket listening;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;
    private final AtomicInteger accepted = new AtomicInteger();

    private DroppingProxy(int target, boolean hidesIdle) throws IOException {
        this.target = target;
        this.hidesIdle = hidesIdle;
        this.listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start("proxy", this::listen);
    }

    /** Passes on the data to and from the IMAP server at the port {@code target} of this machine. */
    static DroppingProxy to(int target) throws IOException {
        return new DroppingProxy(target, false);
    }

    /** The same, with a server that seems not to know IDLE. */
    static DroppingProxy withoutIdle(int target) throws IOException {
        return new DroppingProxy(target, true);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** How many connections there were so far. */
    int accepted() {
        return accepted.get();
    }

    /** Resets all connections. */
    void drop() {
        connections.forEach(Connection::reset);
    }

    /** Leaves all connections open, and lets nothing through them ever again; others are as before. */
    void freeze() {
        connections.forEach(connection -> connection.frozen = true);
    }

    /** Resets each connection from now on as soon as it is made. */
    void refuse() {
        refusing = true;
    }

    /** Takes connections again. */
    void accept() {
        refusing = false;
    }

    /** Ends, and all connections with it. */
    @Override
    public void close() {
        refusing = true;
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        drop();
    }

    private void listen() {
        while (!listening.isClosed()) {
            try {
                Connection connection = new Connection(listening.accept(), new Socket());
                accepted.incrementAndGet();
                connections.add(connection);
                if (refusing) {
                    connection.reset();
                } else {
                    connection.open();
                }
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A pair of connections: a client's, and the one to the server that belongs to it. */
    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile boolean frozen;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void open() {
            try {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5000);
            } catch (IOException serverIsAway) {
                reset();
                return;
            }
            start("proxy-up", () -> pump(client, server, " X-NO-IDLE"));
            start("proxy-down", () -> pump(server, client, ""));
        }

        /** Takes both connections away without a word of farewell (RST). */
        void reset() {
            close(true);
        }

        private synchronized void close(boolean suddenly) {
            connections.remove(this);
            for (Socket each : List.of(client, server)) {
                try {
                    if (suddenly && !each.isClosed()) {
                        each.setSoLinger(true, 0);
                    }
                    each.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private void pump(Socket from, Socket to, String insteadOfIdle) {
            byte[] buffer = new byte[65_536];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (!frozen) {
                        out.write(seen(buffer, read, insteadOfIdle));
                    }
                }
                close(false);
            } catch (IOException broken) {
                close(true);
            }
        }

        /** What the other side gets to see. Commands and lists of capabilities are short enough to come in one piece. */
        private byte[] seen(byte[] buffer, int length, String insteadOfIdle) {
            String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
            return (hidesIdle ? text.replace(IDLE, insteadOfIdle) : text).getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}

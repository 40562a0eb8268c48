package dev.postern.mail;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy between Postern and a mail server that can break connections. */
final class BreakableProxy implements AutoCloseable {

    private final int target;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();

    /** Forwards to the port {@code target} of this machine. */
    BreakableProxy(int target) throws IOException {
        this.target = target;
        run("accept", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Breaks all connections. */
    void cut() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Leaves the existing connections open, but forwards nothing any more. */
    void freeze() {
        frozen.addAll(sockets);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket here = listening.accept();
            Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(here);
            sockets.add(there);
            run("to the server", () -> pass(here, there));
            run("from the server", () -> pass(there, here));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8_192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (!frozen.contains(from)) {
                    out.write(buffer, 0, count);
                }
            }
        }
    }

    private interface ProxyTask {
        void run() throws IOException;
    }

    private void run(String name, ProxyTask task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        if (!listening.isClosed() && sockets.isEmpty()) {
                            throw new UncheckedIOException(e);
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}

package dev.postern.mail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A TCP proxy between Postern and a mail server that can break connections, and give the server's responses itself. */
final class BreakableProxy implements AutoCloseable {

    private final int target;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();
    private volatile Function<String, Optional<String>> script = command -> Optional.empty();

    /** Forwards to the port {@code target} of this machine. */
    BreakableProxy(int target) throws IOException {
        this.target = target;
        run("accept", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Breaks all connections. */
    void cut() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Leaves the existing connections open, but forwards nothing any more. */
    void freeze() {
        frozen.addAll(sockets);
    }

    /**
     * Answers commands in the server's place.
     *
     * @param script the response to a command, with {@code TAG} for its tag; empty to forward the command
     */
    void answer(Function<String, Optional<String>> script) {
        this.script = script;
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
            run("to the server", () -> passCommands(here, there));
            run("from the server", () -> pass(there, here));
        }
    }

    private void passCommands(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            BufferedReader in = new BufferedReader(new InputStreamReader(from.getInputStream(), ISO_8859_1));
            String tag = "";
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                tag = space < 0 ? tag : line.substring(0, space);
                Optional<String> response = script.apply(line.substring(space + 1));
                if (!frozen.contains(from)) {
                    String text = response.isPresent() ? response.get().replace("TAG", tag) : line;
                    (response.isPresent() ? from : to).getOutputStream().write((text + "\r\n").getBytes(ISO_8859_1));
                }
            }
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

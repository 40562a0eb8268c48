package dev.postern.agent.tool;

import static org.awaitility.Awaitility.await;

import dev.postern.NpmPackage;
import dev.postern.agent.ProcessMarker;
import dev.postern.agent.ProcessTree;
import dev.postern.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The Model Context Protocol's own trial server, from npm, as a program and at an address. Skips the test where an
 * {@link NpmPackage} can't be had.
 */
final class EverythingServer implements AutoCloseable {

    private static final NpmPackage PACKAGE =
            new NpmPackage("tool-server", "@modelcontextprotocol/server-everything", "2026.8.31");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int STARTS = 3;
    private static final String MARK = "POSTERN_TEST_SERVER";
    private static final String NAME = "everything-" + ProcessHandle.current().pid();

    private final Process http;
    private final ToolServerRegistry tools;

    /** Starts the server at an address; the first turn starts it as a program. */
    EverythingServer(Path work) throws IOException, InterruptedException {
        String program = PACKAGE.install().resolve("dist/index.js").toString();
        Listening listening = listening(program);
        http = listening.process();
        int port = listening.port();
        Settings.McpServer stdio = ToolTurnFixture.programServer(
                "stdio", List.of("node", program), Map.of("GIVEN", "to the program"), TIMEOUT);
        Settings.McpServer address =
                ToolTurnFixture.httpServer("http", URI.create("http://127.0.0.1:" + port + "/mcp"), Map.of(), TIMEOUT);
        tools = new ToolServerRegistry(Map.of("stdio", stdio, "http", address), work, "test");
    }

    /** A server that answers at a port. */
    private record Listening(Process process, int port) {}

    /** Starts the server at a free port, and again at another if something else has taken that port meanwhile. */
    private static Listening listening(String program) throws IOException {
        for (int i = 0; i < STARTS; i++) {
            int port = freePort();
            ProcessBuilder builder = new ProcessBuilder("node", program, "streamableHttp")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PORT", Integer.toString(port));
            builder.environment().put(MARK, NAME);
            Process process = builder.start();
            await().atMost(TIMEOUT).until(() -> answers(port) || !process.isAlive());
            if (process.isAlive()) {
                return new Listening(process, port);
            }
        }
        throw new IOException("the server ended " + STARTS + " times before it answered");
    }

    /** The registry of the server, under the ids {@code stdio} and {@code http}. */
    ToolServerRegistry tools() {
        return tools;
    }

    @Override
    public void close() {
        tools.close();
        new ProcessTree(http, new ProcessMarker(MARK, NAME)).end();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}

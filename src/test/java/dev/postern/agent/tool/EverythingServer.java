package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.agent.ProcessTree;
import dev.postern.config.Settings;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The Model Context Protocol's own trial server, from npm, as a program and at an address. Needs node 18 or newer and npm, and
 * skips the test where they are missing; what npm installs stays in {@code target/npm} for the next time.
 */
final class EverythingServer implements AutoCloseable {

    private static final String PACKAGE = "@modelcontextprotocol/server-everything";
    private static final String VERSION = "2026.8.31";
    private static final Path NPM = Path.of("target", "npm").toAbsolutePath();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String MARK = "POSTERN_TEST_SERVER";
    private static final String NAME = "everything-" + ProcessHandle.current().pid();

    private final Process http;
    private final ToolServers tools;

    /** Starts it at an address; the program is started by the first turn. */
    EverythingServer(Path work) throws IOException, InterruptedException {
        assumeTrue(isOnPath("node") && isOnPath("npm"), "node and npm have to be on the PATH");
        String program = installed().toString();
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder("node", program, "streamableHttp")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put(MARK, NAME);
        http = builder.start();
        Settings.McpServer stdio =
                Turn.program("stdio", List.of("node", program), Map.of("GIVEN", "to the program"), TIMEOUT);
        Settings.McpServer address =
                Turn.at("http", URI.create("http://127.0.0.1:" + port + "/mcp"), Map.of(), TIMEOUT);
        tools = new ToolServers(Map.of("stdio", stdio, "http", address), work, "test");
        await().atMost(TIMEOUT).until(() -> answers(port));
    }

    /** It, under the ids {@code stdio} and {@code http}. */
    ToolServers tools() {
        return tools;
    }

    @Override
    public void close() {
        tools.close();
        ProcessTree.of(http, MARK, NAME).end();
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static Path installed() throws IOException, InterruptedException {
        Path module = NPM.resolve("node_modules").resolve(PACKAGE);
        Path manifest = module.resolve("package.json");
        if (!Files.exists(manifest) || !Files.readString(manifest).contains("\"version\": \"" + VERSION + "\"")) {
            Files.createDirectories(NPM);
            Process npm = new ProcessBuilder(
                            "npm",
                            "install",
                            "--prefix",
                            NPM.toString(),
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund",
                            PACKAGE + "@" + VERSION)
                    .redirectErrorStream(true)
                    .redirectOutput(NPM.resolve("install.log").toFile())
                    .start();
            assertThat(npm.waitFor(180, TimeUnit.SECONDS) && npm.exitValue() == 0)
                    .as("npm install " + PACKAGE + ", see target/npm/install.log")
                    .isTrue();
        }
        return module.resolve("dist/index.js");
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

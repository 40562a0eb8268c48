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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Model Context Protocol's own trial server, from npm: over standard input and output, and over streamable HTTP. Needs node
 * 18 or newer and npm; what npm installs stays in {@code target/npm} for the next time.
 */
@Timeout(240)
class EverythingServerTest {

    private static final String PACKAGE = "@modelcontextprotocol/server-everything";
    private static final String VERSION = "2026.8.31";
    private static final Path NPM = Path.of("target", "npm").toAbsolutePath();
    private static final String MARK = "POSTERN_TEST_SERVER";
    private static final String NAME = "everything-" + ProcessHandle.current().pid();

    @TempDir
    static Path work;

    private static Process http;
    private static ToolServers tools;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        assumeTrue(isOnPath("node") && isOnPath("npm"), "node and npm have to be on the PATH");
        String program = installed().toString();
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder("node", program, "streamableHttp")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put(MARK, NAME);
        http = builder.start();
        Duration timeout = Duration.ofSeconds(30);
        Settings.McpServer stdio =
                Turn.program("stdio", List.of("node", program), Map.of("GIVEN", "to the program"), timeout);
        tools = new ToolServers(
                Map.of(
                        "stdio",
                        stdio,
                        "http",
                        Turn.at("http", URI.create("http://127.0.0.1:" + port + "/mcp"), Map.of(), timeout)),
                work,
                "test");
        await().atMost(Duration.ofSeconds(30)).until(() -> answers(port));
    }

    @AfterAll
    static void end() {
        if (tools != null) {
            tools.close();
        }
        if (http != null) {
            ProcessTree.of(http, MARK, NAME).end();
        }
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

    @Test
    void givesUpACallWhenTheTurnIsCutOff() {
        for (String server : List.of("stdio", "http")) {
            try (Turn turn = Turn.with(tools, server)) {
                CompletableFuture<String> call = CompletableFuture.supplyAsync(
                        () -> turn.call("trigger-long-running-operation", "{\"duration\":60,\"steps\":60}"));
                await().until(() -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .anyMatch(frame -> frame.getMethodName().equals("executeTool")));
                long cutAt = System.nanoTime();
                turn.cutoff.interrupt("a shutdown");
                call.join();

                assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(Duration.ofMillis(500));
                assertThat(turn.calls())
                        .singleElement()
                        .asString()
                        .startsWith(server + "/trigger-long-running-operation timed_out ");
            }
        }
    }

    @Test
    void saysWhatIsWrongWithArguments() {
        for (String server : List.of("stdio", "http")) {
            try (Turn turn = Turn.with(tools, server)) {
                assertThat(turn.call("get-sum", "{\"a\":\"x\"}")).contains("Invalid");
                assertThat(turn.calls()).singleElement().asString().startsWith(server + "/get-sum error ");
            }
        }
    }

    @Test
    void answersOverStandardInputAndOutput() {
        answers("stdio");
    }

    @Test
    void answersOverStreamableHttp() {
        answers("http");
    }

    private static void answers(String server) {
        try (Turn turn = Turn.with(tools, server)) {
            assertThat(turn.notes()).isEmpty();
            assertThat(turn.names()).contains("echo", "get-sum", "get-tiny-image", "get-structured-content");
            assertThat(turn.call("echo", "{\"message\":\"grüße\"}")).isEqualTo("Echo: grüße");
            assertThat(turn.call("get-sum", "{\"a\":2,\"b\":3}")).contains("5");
            assertThat(turn.call("get-tiny-image")).contains("[image image/png, ");
            assertThat(turn.call("get-structured-content", "{\"location\":\"Chicago\"}"))
                    .contains("\"temperature\"");
            assertThat(turn.calls()).hasSize(4).allSatisfy(call -> assertThat(call)
                    .contains(" ok "));
            assertThat(turn.calls()).first().isEqualTo(server + "/echo ok 21 13");
        }
    }

    @Test
    void findsNoSecretOfOursInItsEnvironment() {
        try (Turn turn = new Turn(tools, Turn.access(List.of("stdio"), List.of("get-env"), null))) {
            assertThat(turn.call("get-env")).contains("to the program").doesNotContain("POSTERN_HOME", "MAVEN");
        }
    }
}

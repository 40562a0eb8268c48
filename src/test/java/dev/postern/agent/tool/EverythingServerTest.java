package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with the reference implementation over standard input and output, and over streamable HTTP. */
class EverythingServerTest {

    @TempDir
    static Path work;

    private static EverythingServer server;
    private static ToolServerRegistry tools;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = new EverythingServer(work);
        tools = server.tools();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void givesUpCallWhenTurnIsCancelled() {
        for (String server : List.of("stdio", "http")) {
            try (ToolTurnFixture turn = ToolTurnFixture.with(tools, server)) {
                CompletableFuture<String> call = CompletableFuture.supplyAsync(
                        () -> turn.call("trigger-long-running-operation", "{\"duration\":60,\"steps\":60}"));
                await().until(() -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .anyMatch(frame -> frame.getMethodName().equals("executeTool")));
                long cutAt = System.nanoTime();
                turn.turnCancellation.interrupt("a shutdown");
                call.join();

                assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(Duration.ofSeconds(10));
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
            try (ToolTurnFixture turn = ToolTurnFixture.with(tools, server)) {
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
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, server)) {
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
        try (ToolTurnFixture turn =
                new ToolTurnFixture(tools, ToolTurnFixture.access(List.of("stdio"), List.of("get-env"), null))) {
            assertThat(turn.call("get-env")).contains("to the program").doesNotContain("POSTERN_HOME", "MAVEN");
        }
    }
}

package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.tool.HttpToolServer.ResponseMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of tool servers that forget a session: some answer 404 then, as the protocol says, others 400. */
class ForgottenSessionTest {

    @TempDir
    Path work;

    private final AtomicLong nanos = new AtomicLong();
    private HttpToolServer server;
    private ToolServerRegistry tools;

    @BeforeEach
    void start() throws IOException {
        server = new HttpToolServer();
        tools = new ToolServerRegistry(
                Map.of("s", ToolTurnFixture.httpServer("s", server.url(), Map.of(), Duration.ofSeconds(20))),
                work,
                "test",
                nanos::get);
    }

    @AfterEach
    void end() {
        tools.close();
        server.close();
    }

    @Test
    void callAfterStatus400GetsANewSession() {
        server.forgottenStatus = 400;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            server.sessions().clear();

            assertThat(turn.call("echo", "{\"text\":\"once\"}"))
                    .isEqualTo("The tool server s answered with status 400.");
            assertThat(turn.call("called")).isEqualTo("1 called");
            assertThat(server.sessions()).hasSize(1);
        }
    }

    @Test
    void turnAfterStatus400GetsANewSession() {
        server.forgottenStatus = 400;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            server.sessions().clear();
            turn.call("echo");
        }

        try (ToolTurnFixture next = ToolTurnFixture.with(tools, "s")) {
            assertThat(next.notes()).isEmpty();
            assertThat(next.call("called")).isEqualTo("1 called");
        }
    }

    @Test
    void listingWithStatus400GetsANewSession() {
        server.forgottenStatus = 400;
        ToolTurnFixture.with(tools, "s").close();
        server.sessions().clear();
        nanos.addAndGet(ToolServerConnection.FRESH.toNanos());

        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.notes()).isEmpty();
            assertThat(turn.call("called")).isEqualTo("1 called");
        }
    }

    @Test
    void callRefusedWithStatus400EndsNoOtherCall() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s");
                ToolTurnFixture other = ToolTurnFixture.with(tools, "s")) {
            Set<String> before = Set.copyOf(server.sessions());
            int requests = server.seen().size();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> other.call("slow"));
            await().until(() -> server.seen().size() > requests);
            server.responseMode = ResponseMode.BAD_REQUEST;
            assertThat(turn.call("echo")).isEqualTo("The tool server s answered with status 400.");
            server.responseMode = ResponseMode.JSON;

            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
            assertThat(server.sessions()).isEqualTo(before);
            assertThat(call).isNotDone();
            other.turnCancellation.interrupt("a shutdown");
            assertThat(call.join()).isEqualTo("The turn has ended before the tool did.");
        }
    }

    @Test
    void beginsANewSessionWhenTheServerHasForgottenItsOwn() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            server.sessions().clear();
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
            assertThat(turn.calls()).containsExactly("s/echo ok 16 5");
            assertThat(server.sessions()).hasSize(1);
        }
    }
}

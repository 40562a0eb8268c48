package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.tool.HttpToolServer.ResponseMode;
import dev.postern.config.Settings;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools of servers at an address, in streamable HTTP. */
class HttpMcpTransportTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String LEFT_OUT = "The tool server s could not be reached; its tools were left out.";

    @TempDir
    Path work;

    private final AtomicLong nanos = new AtomicLong();
    private HttpToolServer server;
    private ToolServerRegistry tools;

    @BeforeEach
    void start() throws IOException {
        server = new HttpToolServer();
        tools = at(server.url(), LONG);
    }

    @AfterEach
    void end() {
        tools.close();
        server.close();
    }

    private ToolServerRegistry at(URI url, Duration timeout) {
        return at(url, timeout, nanos::get);
    }

    private ToolServerRegistry at(URI url, Duration timeout, LongSupplier clock) {
        return new ToolServerRegistry(
                Map.of("s", ToolTurnFixture.httpServer("s", url, Map.of("Authorization", "private"), timeout)),
                work,
                "test",
                clock);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "REDIRECT", "ENDLESS", "EMPTY"})
    void leavesOutAServerThatAnswersOtherwise(ResponseMode responseMode) {
        server.responseMode = responseMode;
        try (FormattedLogCapture lines = new FormattedLogCapture();
                ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.names()).isEmpty();
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
            assertThat(lines.warnings()).containsOnlyOnce("Tool server [s]").doesNotContain("private", "http:");
            assertThat(server.elsewhere()).isZero();
        }
    }

    @Test
    void keepsNothingUnderWayAtAServerThatNeverAnswers() {
        server.responseMode = ResponseMode.DEAF;
        Set<Thread> before = selectors();
        try (ToolServerRegistry deaf = at(server.url(), Duration.ofSeconds(1));
                ToolTurnFixture turn = ToolTurnFixture.with(deaf, "s")) {
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
        }

        await().atMost(LONG).until(() -> {
            System.gc();
            return before.containsAll(selectors());
        });
    }

    /** The HTTP clients' own threads. */
    private static Set<Thread> selectors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("HttpClient-.*SelectorManager"))
                .collect(Collectors.toSet());
    }

    @Test
    void leavesOutAServerThatIsNotThereUntilItIs() {
        server.responseMode = ResponseMode.UNAVAILABLE;
        ToolTurnFixture.with(tools, "s").close();
        server.responseMode = ResponseMode.JSON;
        try (ToolTurnFixture soon = ToolTurnFixture.with(tools, "s")) {
            assertThat(soon.notes()).containsExactly(LEFT_OUT);
        }
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        try (ToolTurnFixture later = ToolTurnFixture.with(tools, "s")) {
            assertThat(later.notes()).isEmpty();
            assertThat(later.names()).contains("echo");
        }
    }

    @Test
    void leavesOutAServerAtAnAddressWhereNobodyListens() {
        server.close();
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2025 06 18",
                "2025-06-18\r\nX-Key: private",
                "2025-06-18ä",
                "123456789012345678901234567890123"
            })
    void leavesOutAServerWhoseVersionOfTheProtocolIsNone(String version) throws IOException {
        try (HttpToolServer odd = new HttpToolServer("version:" + version);
                ToolServerRegistry spoken = at(odd.url(), LONG);
                ToolTurnFixture turn = ToolTurnFixture.with(spoken, "s")) {
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
            assertThat(odd.seen()).allSatisfy(request -> assertThat(request).endsWith(" private null"));
        }
    }

    @Test
    void leavesOutAServerWhoseStartLeavesNoTimeForItsListing() {
        server.before = method -> nanos.addAndGet(method.equals("initialize") ? LONG.toNanos() : 0);
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
        }
    }

    @Test
    void leavesOutAServerWhosePagesTakeTooLongTogether() throws IOException {
        try (HttpToolServer paged = new HttpToolServer("paged");
                ToolServerRegistry slow = at(paged.url(), LONG)) {
            paged.before = method -> nanos.addAndGet(method.equals("tools/list") ? LONG.toNanos() : 0);
            try (ToolTurnFixture turn = ToolTurnFixture.with(slow, "s")) {
                assertThat(turn.notes()).containsExactly(LEFT_OUT);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "REDIRECT", "ENDLESS", "EMPTY", "MUTE"})
    void keepsEarlierToolsWhenListingFails(ResponseMode responseMode) {
        ToolTurnFixture.with(tools, "s").close();
        nanos.addAndGet(ToolServerConnection.FRESH.toNanos());
        server.responseMode = responseMode;
        for (int turns = 0; turns < 2; turns++) {
            try (ToolTurnFixture turn = ToolTurnFixture.of(Duration.ofSeconds(3), tools, "s")) {
                assertThat(turn.names()).contains("echo");
                assertThat(turn.notes()).isEmpty();
            }
        }
    }

    @Test
    void dropsNoCallOfAnotherTurnWhenListingFails() {
        try (ToolTurnFixture other = ToolTurnFixture.with(tools, "s")) {
            int before = server.seen().size();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> other.call("slow"));
            await().until(() -> server.seen().size() > before);
            server.responseMode = ResponseMode.UNAVAILABLE;
            nanos.addAndGet(ToolServerConnection.FRESH.toNanos());
            ToolTurnFixture.with(tools, "s").close();

            assertThat(call).isNotDone();
            other.turnCancellation.interrupt("a shutdown");
            assertThat(call.join()).isEqualTo("The turn has ended before the tool did.");
        }
    }

    @Test
    void listsToolsAgainTenSecondsAfterFailure() {
        server.responseMode = ResponseMode.EVENTS;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            turn.call("change");
        }
        server.responseMode = ResponseMode.UNAVAILABLE;
        ToolTurnFixture.with(tools, "s").close();
        server.responseMode = ResponseMode.JSON;
        try (ToolTurnFixture soon = ToolTurnFixture.with(tools, "s")) {
            assertThat(soon.names()).doesNotContain("added");
        }
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        try (ToolTurnFixture later = ToolTurnFixture.with(tools, "s")) {
            assertThat(later.names()).contains("added");
        }
    }

    @Test
    void reconnectsToServerThatHasGoneSilent() {
        tools.close();
        tools = at(server.url(), Duration.ofSeconds(3), () -> System.nanoTime() + nanos.get());
        ToolTurnFixture.with(tools, "s").close();
        server.responseMode = ResponseMode.MUTE;
        nanos.addAndGet(ToolServerConnection.FRESH.toNanos());
        try (ToolTurnFixture first = ToolTurnFixture.with(tools, "s")) {
            assertThat(first.names()).contains("echo");
        }
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        try (ToolTurnFixture second = ToolTurnFixture.with(tools, "s")) {
            assertThat(second.notes()).containsExactly(LEFT_OUT);
            assertThat(server.sessions()).isEmpty();
        }
        server.responseMode = ResponseMode.JSON;
        nanos.addAndGet(ToolServer.PAUSE.toNanos());
        try (ToolTurnFixture third = ToolTurnFixture.with(tools, "s")) {
            assertThat(third.names()).contains("echo");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "EVENTS"})
    void callsToolsWithItsCredentials(ResponseMode responseMode) {
        server.responseMode = responseMode;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.call("echo", "{\"text\":\"héllo\"}")).isEqualTo("héllo");
            assertThat(turn.call("fail", "{\"text\":\"x\"}")).isEqualTo("could not: x");
            assertThat(turn.call("huge")).startsWith("ééé");
        }
        assertThat(server.seen().get(0)).isEqualTo("POST private null");
        assertThat(server.seen()).hasSizeGreaterThan(4);
        assertThat(server.seen().subList(1, server.seen().size())).containsOnly("POST private 2025-06-18");
    }

    @ParameterizedTest
    @EnumSource(names = {"POLLED", "BROKEN"})
    void asksForTheRestOfAStreamThatEndsBeforeTheResponse(ResponseMode responseMode) {
        server.responseMode = responseMode;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.call("echo", "{\"text\":\"late\"}")).isEqualTo("late");
            assertThat(turn.notes()).isEmpty();
        }
        assertThat(server.seen()).contains("GET private 2025-06-18");
    }

    @Test
    void tellsTheModelThatTheRestOfAStreamIsNotGiven() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            server.responseMode = ResponseMode.ENDED;
            assertThat(turn.call("echo")).isEqualTo("The tool server s gave no answer.");
            server.responseMode = ResponseMode.JSON;
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "REDIRECT", "ENDLESS", "EMPTY"})
    void tellsTheModelThatACallWentWrong(ResponseMode responseMode) {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            server.responseMode = responseMode;
            assertThat(turn.call("echo")).startsWith("The tool server s ");
            assertThat(turn.calls()).singleElement().asString().startsWith("s/echo error 2 ");
            assertThat(server.elsewhere()).isZero();
            server.responseMode = ResponseMode.EVENTS;
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "EVENTS"})
    void readsNoMessageWithTooManyValues(ResponseMode responseMode) {
        server.responseMode = responseMode;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.call("huge", "{\"text\":\"200000\"}"))
                    .isEqualTo("The tool server s sent a message of more than 100000 JSON values.");
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        }
    }

    @Test
    void tellsTheModelThatACallCouldNotBeSent() {
        ProxySelector before = ProxySelector.getDefault();
        AtomicBoolean failing = new AtomicBoolean();
        ProxySelector.setDefault(failing(failing, server.url().getPort()));
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            failing.set(true);
            assertThat(turn.call("echo")).isEqualTo("The tool server s cannot be reached (IllegalStateException).");
            failing.set(false);
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "EVENTS"})
    void givesUpACallAfterTheServersTime(ResponseMode responseMode) {
        tools.close();
        tools = at(server.url(), Duration.ofSeconds(3));
        server.responseMode = responseMode;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
            assertThat(turn.call("slow")).isEqualTo("The tool took too long and was given up.");
            await().untilAsserted(() -> assertThat(turn.call("cancelled")).isEqualTo("1 cancelled"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "EVENTS"})
    void returnsSoonAfterTurnIsCancelled(ResponseMode responseMode) {
        server.responseMode = responseMode;
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s");
                ToolTurnFixture other = ToolTurnFixture.with(tools, "s")) {
            int before = server.seen().size();
            CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> turn.call("slow"));
            await().until(() -> server.seen().size() > before);
            long cutAt = System.nanoTime();
            turn.turnCancellation.interrupt("a shutdown");
            call.join();

            assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(Duration.ofSeconds(10));
            assertThat(turn.calls()).singleElement().asString().startsWith("s/slow timed_out ");
            await().untilAsserted(() -> assertThat(other.call("cancelled")).isEqualTo("1 cancelled"));
        }
    }

    @Test
    void sendsNoCallOfTurnCancelledWhileItsServerConnects() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s");
                ToolTurnFixture other = ToolTurnFixture.with(tools, "s")) {
            server.sessions().clear();
            server.before = method -> {
                if (method.equals("initialize")) {
                    turn.turnCancellation.interrupt("a shutdown");
                }
            };
            assertThat(turn.call("echo")).isEqualTo("The turn has ended before the tool did.");
            assertThat(other.call("called")).isEqualTo("1 called");
        }
    }

    @Test
    void endsItsSessionAndItsThreads() {
        ToolTurnFixture.with(tools, "s").close();
        assertThat(server.sessions()).hasSize(1);

        tools.close();

        assertThat(server.sessions()).isEmpty();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("test-tools-")));
    }

    @Test
    void closesTheOtherServersWhereOneCannotBeClosed() throws IOException {
        ProxySelector before = ProxySelector.getDefault();
        AtomicBoolean failing = new AtomicBoolean();
        ProxySelector.setDefault(failing(failing, server.url().getPort()));
        try (FormattedLogCapture lines = new FormattedLogCapture();
                HttpToolServer another = new HttpToolServer()) {
            Map<String, Settings.McpServer> settings = new LinkedHashMap<>();
            settings.put("s", ToolTurnFixture.httpServer("s", server.url(), Map.of(), LONG));
            settings.put("t", ToolTurnFixture.httpServer("t", another.url(), Map.of(), LONG));
            ToolServerRegistry both = new ToolServerRegistry(settings, work, "test");
            ToolTurnFixture.with(both, "s", "t").close();
            assertThat(another.sessions()).hasSize(1);
            failing.set(true);

            both.close();

            assertThat(another.sessions()).isEmpty();
            assertThat(lines.warnings()).containsOnlyOnce("Tool server [s]").doesNotContain("private");
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    /** A proxy selector for {@code port} that works until it begins to fail. */
    private static ProxySelector failing(AtomicBoolean failing, int port) {
        return new ProxySelector() {

            @Override
            public List<Proxy> select(URI uri) {
                if (failing.get() && uri.getPort() == port) {
                    throw new IllegalStateException("private");
                }
                return List.of(Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException why) {}
        };
    }

    @Test
    void logsNothingOfWhatIsSaidAtAnyLevel() {
        try (FormattedLogCapture lines = new FormattedLogCapture()) {
            for (ResponseMode responseMode :
                    List.of(ResponseMode.JSON, ResponseMode.EVENTS, ResponseMode.REDIRECT, ResponseMode.EMPTY)) {
                server.responseMode = ResponseMode.JSON;
                try (ToolTurnFixture turn = ToolTurnFixture.with(tools, "s")) {
                    server.responseMode = responseMode;
                    turn.call("echo", "{\"text\":\"private argument\"}");
                    turn.call("fail", "{\"text\":\"private argument\"}");
                    turn.call("broken", "{\"text\":\"private argument\"}");
                    server.sessions().clear();
                    turn.call("structured", "{\"text\":\"private argument\"}");
                }
            }
            tools.close();

            assertThat(lines.all()).doesNotContain("private");
            server.sessions().forEach(id -> assertThat(lines.all()).doesNotContain(id));
        }
    }
}

package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.ToolApprovals;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools of programs, on their standard input and output. */
@Tag("long")
class StdioMcpTransportTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String LEFT_OUT = "The tool server bad could not be reached; its tools were left out.";

    @TempDir
    Path work;

    private final AtomicLong nanos = new AtomicLong();
    private final Map<String, Settings.McpServer> settings = new LinkedHashMap<>();
    private ToolServerRegistry tools;

    @AfterEach
    void end() {
        if (tools != null) {
            tools.close();
        }
    }

    private ToolServerRegistry tools(Settings.McpServer... servers) {
        for (Settings.McpServer server : servers) {
            settings.put(server.id(), server);
        }
        tools = new ToolServerRegistry(settings, work, "test", nanos::get);
        return tools;
    }

    private static Settings.McpServer program(String id, String... flags) {
        return ToolTurnFixture.programServer(id, ToolServerProgram.command(flags), Map.of(), LONG);
    }

    private static Settings.McpServer impatient(String id, String... flags) {
        return ToolTurnFixture.programServer(id, ToolServerProgram.command(flags), Map.of(), SHORT);
    }

    private void isLeftOut(Settings.McpServer bad) {
        try (FormattedLogCapture lines = new FormattedLogCapture();
                ToolTurnFixture turn = ToolTurnFixture.with(tools(bad), "bad")) {
            assertThat(turn.names()).isEmpty();
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
            assertThat(lines.warnings()).containsOnlyOnce("Tool server [bad]").doesNotContain("private");
        }
    }

    @Test
    void leavesOutAServerThatCannotBeStarted() {
        isLeftOut(ToolTurnFixture.programServer("bad", List.of("/no/such/program"), Map.of(), LONG));
    }

    @Test
    void leavesOutAServerThatEndsAtOnce() {
        isLeftOut(program("bad", "dies"));
    }

    @Test
    void leavesOutAServerThatNeverAnswers() {
        isLeftOut(impatient("bad", "mute"));
    }

    @Test
    void waitsForAllServersTogetherNoLongerThanAThirdOfTheTurnsTime() {
        try (ToolTurnFixture turn = ToolTurnFixture.of(
                Duration.ofSeconds(12), tools(program("bad", "mute"), program("worse", "mute")), "bad", "worse")) {
            assertThat(turn.turnCancellation.remaining()).isGreaterThan(Duration.ofSeconds(6));
            assertThat(turn.notes())
                    .containsExactly(LEFT_OUT, "The tool server worse could not be reached; its tools were left out.");
        }
    }

    @Test
    void leavesOutAServerWhoseLineHasNoEnd() {
        isLeftOut(program("bad", "endless"));
    }

    @Test
    void retriesFailedServerAfterTenSecondsAndWarnsOnce() {
        try (FormattedLogCapture lines = new FormattedLogCapture()) {
            ToolServerRegistry failing = tools(program("bad", "dies"));
            for (int turn = 0; turn < 20; turn++) {
                try (ToolTurnFixture next = ToolTurnFixture.with(failing, "bad")) {
                    assertThat(next.notes()).containsExactly(LEFT_OUT);
                }
            }
            assertThat(starts(lines)).isEqualTo(1);
            nanos.addAndGet(ToolServer.PAUSE.toNanos());
            ToolTurnFixture.with(failing, "bad").close();

            await().untilAsserted(() -> assertThat(starts(lines)).isEqualTo(2));
            assertThat(lines.warnings()).containsOnlyOnce("Tool server [bad]");
        }
    }

    private static int starts(FormattedLogCapture lines) {
        return lines.all().split("bytes on standard error", -1).length - 1;
    }

    @Test
    void goesOnWithTheServersThatAreThere() {
        try (ToolTurnFixture turn =
                ToolTurnFixture.with(tools(program("bad", "dies"), program("good")), "bad", "good")) {
            assertThat(turn.notes()).containsExactly(LEFT_OUT);
            assertThat(turn.call("echo", "{\"text\":\"héllo\"}")).isEqualTo("héllo");
        }
    }

    @Test
    void tellsTheModelThatAToolFailed() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(program("s")), "s")) {
            assertThat(turn.call("fail", "{\"text\":\"x\"}")).isEqualTo("could not: x");
            assertThat(turn.call("broken")).isEqualTo("The tool server s answered with what is not understood.");
            assertThat(turn.calls()).containsExactly("s/fail error 12 12", "s/broken error 2 55");
        }
    }

    @Test
    void readsNoMessageWithTooManyValues() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(program("s")), "s")) {
            assertThat(turn.call("huge", "{\"text\":\"200000\"}"))
                    .isEqualTo("The tool server s sent a message of more than 100000 JSON values.");
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
        }
    }

    @Test
    void givesUpACallAfterTheServersTimeAndTellsTheServer() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(
                tools(ToolTurnFixture.programServer("s", ToolServerProgram.command(), Map.of(), Duration.ofSeconds(8))),
                "s")) {
            assertThat(turn.call("slow")).isEqualTo("The tool took too long and was given up.");
            assertThat(turn.call("cancelled")).isEqualTo("1 cancelled");
            assertThat(turn.calls()).first().asString().startsWith("s/slow timed_out 2 ");
        }
    }

    @Test
    void returnsSoonAfterTurnIsCancelledAndTellsServer() {
        ToolServerRegistry shared = tools(program("s"));
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s");
                ToolTurnFixture other = ToolTurnFixture.with(shared, "s")) {
            CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> turn.call("slow"));
            await().until(() -> isWaiting(".executeTool"));
            long cutAt = System.nanoTime();
            turn.turnCancellation.interrupt("a shutdown");
            call.join();

            assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(SOON);
            assertThat(turn.calls()).first().asString().startsWith("s/slow timed_out 2 ");
            assertThat(other.call("cancelled")).isEqualTo("1 cancelled");
        }
    }

    @Test
    void returnsSoonAfterTurnIsCancelledWhileServerStarts() {
        ToolServerRegistry shared = tools(program("s", "mute"));
        TurnCancellation turnCancellation = new TurnCancellation(System::nanoTime, LONG);
        TurnRecorder log = new TurnRecorder();
        CompletableFuture<Toolbox> opened = CompletableFuture.supplyAsync(() -> shared.open(
                ToolTurnFixture.access(List.of("s"), null, null),
                TurnJournal.of(ToolApprovals.UNAVAILABLE),
                turnCancellation,
                log));
        await().until(() -> isWaiting("CallDeadline.await"));
        long cutAt = System.nanoTime();
        turnCancellation.interrupt("a shutdown");

        assertThat(opened.join().tools()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - cutAt)).isLessThan(SOON);
        assertThat(log.record().notes()).isEmpty();
    }

    private static boolean isWaiting(String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING
                        || thread.getKey().getState() == Thread.State.TIMED_WAITING)
                .flatMap(thread -> List.of(thread.getValue()).stream())
                .anyMatch(frame -> (frame.getClassName() + "." + frame.getMethodName()).endsWith(method));
    }

    @Test
    void tellsModelOfCrashAndRestartsServerForNextCall() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(program("s")), "s")) {
            assertThat(turn.call("crash")).isEqualTo("The tool server s has ended.");
            assertThat(turn.call("echo", "{\"text\":\"again\"}")).isEqualTo("again");
            assertThat(turn.calls()).containsExactly("s/crash error 2 28", "s/echo ok 16 5");
        }
    }

    @Test
    void givesTheProgramNoneOfTheServersSecrets() {
        Settings.McpServer server =
                ToolTurnFixture.programServer("s", ToolServerProgram.command(), Map.of("SEARCH_KEY", "given"), LONG);
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(server), "s")) {
            String environment = turn.call("environment");

            assertThat(environment).contains("PATH=", "SEARCH_KEY=given", "POSTERN_TOOL_SERVER=");
            assertThat(List.of(
                            environment.substring(1, environment.length() - 1).split(", (?=[A-Za-z_]+=)", -1)))
                    .allSatisfy(variable -> assertThat(variable)
                            .matches("(?s)(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_ALL|LC_CTYPE|TZ|TMPDIR|SEARCH_KEY"
                                    + "|POSTERN_TOOL_SERVER|LD_LIBRARY_PATH)=.*"));
        }
    }

    @Test
    void endsTheProgramWithWhatItHasStarted() {
        ToolServerRegistry shared = tools(program("s"));
        long child;
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            child = Long.parseLong(turn.call("child"));
        }
        assertThat(ProcessHandle.of(child)).get().matches(ProcessHandle::isAlive);

        shared.close();

        await().until(() ->
                ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
        await().until(() -> ownThreads().isEmpty());
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            assertThat(turn.names()).isEmpty();
        }
    }

    @Test
    void endsDaemonOfAProgramThatThrewItsEnvironmentAway() throws IOException {
        Path child = work.resolve("child");
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "(setsid env -i sleep 60 </dev/null >/dev/null 2>&1 & echo $! > $0); exec \"$@\"",
                child.toString()));
        command.addAll(ToolServerProgram.command());
        ToolServerRegistry shared = tools(ToolTurnFixture.programServer("s", command, Map.of(), LONG));
        ToolTurnFixture.with(shared, "s").close();
        long pid = Long.parseLong(Files.readString(child).strip());
        assertThat(ProcessHandle.of(pid)).get().matches(ProcessHandle::isAlive);

        shared.close();

        await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void endsAProgramThatIsJustBeingStarted() {
        ToolServerRegistry shared = tools(program("s", "mute"));
        CompletableFuture<ToolTurnFixture> turn =
                CompletableFuture.supplyAsync(() -> ToolTurnFixture.with(shared, "s"));
        await().until(() -> ownThreads().size() > 1);

        shared.close();

        assertThat(turn.join().names()).isEmpty();
        await().until(() -> ownThreads().isEmpty());
    }

    @Test
    void endsAProgramThatReadsNothingWhileItIsWrittenTo() {
        ToolServerRegistry shared = tools(program("s", "deaf"));
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            String arguments = "{\"text\":\"" + "x".repeat(900_000) + "\"}";
            CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> turn.call("echo", arguments));
            await().until(() -> isWaiting(".executeTool"));
            turn.turnCancellation.interrupt("a shutdown");
            assertThat(call.join()).isEqualTo("The turn has ended before the tool did.");
        }

        shared.close();

        await().until(() -> ownThreads().isEmpty());
    }

    private static List<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("test-tools-"))
                .toList();
    }

    @Test
    void passesOverWhatIsNoMessageOfOurs() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(program("s", "junk", "strange")), "s")) {
            assertThat(turn.call("echo", "{\"text\":\"a\"}")).isEqualTo("a");
            assertThat(turn.call("echo", "{\"text\":\"b\"}")).isEqualTo("b");
        }
    }

    @Test
    void logsNothingOfWhatIsSaidAtAnyLevel() {
        Settings.McpServer server = ToolTurnFixture.programServer(
                "s", ToolServerProgram.command("junk", "strange"), Map.of("KEY", "private key"), LONG);
        try (FormattedLogCapture lines = new FormattedLogCapture()) {
            try (ToolTurnFixture turn = ToolTurnFixture.with(tools(server), "s")) {
                assertThat(turn.call("echo", "{\"text\":\"private argument\"}")).isEqualTo("private argument");
                turn.call("fail", "{\"text\":\"private argument\"}");
                turn.call("no-such", "{\"text\":\"private argument\"}");
                turn.call("broken", "private argument");
                turn.call("crash");
                turn.call("structured");
            }
            tools.close();

            assertThat(lines.all()).contains("bytes on standard error").doesNotContain("private");
        }
    }

    @Test
    void asksAgainForToolsThatHaveChanged() {
        ToolServerRegistry shared = tools(program("s"));
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            assertThat(turn.names()).doesNotContain("added");
            turn.call("change");
        }
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            assertThat(turn.names()).contains("added");
        }
    }

    @Test
    void asksAgainForToolsAfterAWhile() {
        ToolServerRegistry shared = tools(program("s"));
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            turn.call("change", "{\"text\":\"quietly\"}");
        }
        nanos.addAndGet(ToolServerConnection.FRESH.toNanos() - 1);
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            assertThat(turn.names()).doesNotContain("added");
        }
        nanos.addAndGet(1);
        try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
            assertThat(turn.names()).contains("added");
        }
    }

    @Test
    void endsRemainingProcessesBeforeServerStartsAgain() {
        ToolServerRegistry killed = tools(program("s"));
        try (ToolTurnFixture turn = ToolTurnFixture.with(killed, "s");
                ToolServerRegistry next = new ToolServerRegistry(settings, work, "test")) {
            long child = Long.parseLong(turn.call("child"));

            ToolTurnFixture.with(next, "s").close();

            await().until(() ->
                    ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @Test
    void givesUpACallWhoseThreadIsToEnd() {
        try (ToolTurnFixture turn = ToolTurnFixture.with(tools(program("s")), "s")) {
            Thread.currentThread().interrupt();
            assertThat(turn.call("slow")).isEqualTo("The turn has ended before the tool did.");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(turn.call("cancelled")).isEqualTo("1 cancelled");
        }
    }

    @Test
    void startsOneProgramForManyTurns() {
        ToolServerRegistry shared = tools(program("s"));
        List<CompletableFuture<String>> turns = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try (ToolTurnFixture turn = ToolTurnFixture.with(shared, "s")) {
                        return turn.call("echo", "{\"text\":\"" + i + "\"}");
                    }
                }))
                .toList();

        assertThat(turns.stream().map(CompletableFuture::join)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
        assertThat(ownThreads().stream().filter(name -> name.endsWith("-out"))).hasSize(1);
    }
}

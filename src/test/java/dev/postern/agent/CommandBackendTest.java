package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.Interrupted;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.agent.TurnResult.TimedOut;
import dev.postern.model.Provenance;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandBackendTest {

    private static final String DATABASE = "the database";
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path scratch;

    @TempDir
    Path home;

    private final AtomicLong skippedNanos = new AtomicLong();

    private Path workspace;
    private TurnCancellation turnCancellation;
    private final TurnRecorder recorder = new TurnRecorder();

    @BeforeEach
    void begin() {
        workspace = home.resolve("agents/main");
        turnCancellation = new TurnCancellation(() -> System.nanoTime() + skippedNanos.get(), LONG);
    }

    @Test
    void saysWhichCommandCannotBeStarted() {
        assertThat(answer(List.of("/no/such/program"), "hello"))
                .isEqualTo(new Failed("command /no/such/program cannot be started: is it installed and executable?"));
    }

    @Test
    void failsWithTheExitCodeAndKeepsStandardErrorToItself() {
        assertThat(shell("echo private >&2; exit 3"))
                .isEqualTo(new Failed("command sh ended with exit code 3 and 8 bytes on standard error"));
    }

    @Test
    void keepsTheLastLinesOfStandardErrorForOperators() {
        assertThat(shell("yes noise | head -c 300000 >&2; echo no such file >&2; exit 3"))
                .isInstanceOf(Failed.class);

        assertThat(recorder.record().errorText())
                .hasSizeLessThanOrEqualTo(ErrorText.MAX_CHARACTERS)
                .startsWith("…noise\n")
                .endsWith("noise\nno such file");
    }

    @Test
    void keepsNoStandardErrorOfAProgramThatReplies() {
        assertThat(shell("echo a warning >&2; echo fine")).isEqualTo(new Replied("fine"));

        assertThat(recorder.record().errorText()).isNull();
    }

    @Test
    void failsWhenTheWorkspaceCannotBeMade() throws IOException {
        Files.createDirectories(workspace.getParent());
        Files.writeString(workspace, "a file is in the way");

        assertThat(shell("true"))
                .isEqualTo(new Failed("command sh cannot be started: the workspace of agent main cannot be made"));
    }

    @Test
    void startsNothingForATurnThatIsOver() {
        turnCancellation.interrupt("a thaw");

        assertThat(shell("touch begun")).isEqualTo(new Interrupted("a thaw"));
        assertThat(workspace.resolve("begun")).doesNotExist();
    }

    @Test
    void endsAtTheDeadline() throws IOException {
        CompletableFuture<TurnResult> ended = inBackground("echo $$ > child; sleep 60");
        numberIn("child");

        skipToTheDeadline();

        assertThat(ended.join()).isEqualTo(new TimedOut());
        assertNothingOfTheTurnRuns();
    }

    @Test
    void endsAProgramThatIgnoresBeingAskedTo() throws IOException {
        CompletableFuture<TurnResult> ended = inBackground("trap '' TERM; echo $$ > child; while :; do sleep 1; done");
        numberIn("child");

        skipToTheDeadline();

        assertThat(ended.join()).isEqualTo(new TimedOut());
        assertNothingOfTheTurnRuns();
    }

    @Test
    void endsAProgramThatWritesWithoutEnd() throws IOException {
        CompletableFuture<TurnResult> ended = inBackground("echo $$ > child; exec yes");
        numberIn("child");

        skipToTheDeadline();

        assertThat(ended.join()).isEqualTo(new TimedOut());
        assertNothingOfTheTurnRuns();
    }

    @Test
    void endsWhatWasCutLooseFromTheProgram() throws IOException {
        CompletableFuture<TurnResult> ended =
                inBackground("(setsid sh -c 'setsid sleep 60 & echo $! > child; sleep 60' &); sleep 60");
        numberIn("child");

        skipToTheDeadline();

        assertThat(ended.join()).isEqualTo(new TimedOut());
        assertNothingOfTheTurnRuns();
    }

    @Test
    void endsChildrenThatThrewTheirEnvironmentAway() throws IOException {
        CompletableFuture<TurnResult> ended = inBackground("env -i sleep 60 & echo $! > child; wait");
        long child = numberIn("child");

        turnCancellation.interrupt("a shutdown");

        assertThat(ended.join()).isEqualTo(new Interrupted("a shutdown"));
        assertThat(isRunning(child)).isFalse();
    }

    @Test
    void endsDaemonThatThrewItsEnvironmentAway() throws IOException {
        CompletableFuture<TurnResult> ended = inBackground(
                "(setsid env -i sh -c 'echo $$ > child; exec sleep 60' </dev/null >/dev/null 2>&1 &); sleep 60");
        long child = numberIn("child");

        turnCancellation.interrupt("a shutdown");

        assertThat(ended.join()).isEqualTo(new Interrupted("a shutdown"));
        assertThat(isRunning(child)).isFalse();
    }

    @Test
    void endsDaemonWithoutEnvironmentOfProgramThatHasReplied() throws IOException {
        assertThat(shell("(setsid env -i sleep 60 >/dev/null 2>&1 & echo $! > child); echo done"))
                .isEqualTo(new Replied("done"));
        assertThat(isRunning(numberIn("child"))).isFalse();
    }

    @Test
    void endsDaemonWithoutAnyMarkAtTheDeadline() throws IOException {
        ControlGroup group = ControlGroupTest.of(new ProcessMarker(
                "POSTERN_LANE", environment("run_1", "hook:1", scratch).get("POSTERN_LANE")));

        CompletableFuture<TurnResult> ended =
                inBackground("(setsid env -i sh -c 'ulimit -m 4096; sleep 60 & echo $! > child' "
                        + "</dev/null >/dev/null 2>&1 &); sleep 60");
        long child = numberIn("child");

        skipToTheDeadline();

        assertThat(ended.join()).isEqualTo(new TimedOut());
        assertThat(isRunning(child)).isFalse();
        assertThat(group.directory()).doesNotExist();
    }

    private long numberIn(String file) throws IOException {
        await().until(() -> Files.exists(workspace.resolve(file))
                && Files.readString(workspace.resolve(file)).endsWith("\n"));
        return Long.parseLong(Files.readString(workspace.resolve(file)).strip());
    }

    @Test
    void isInterruptedFromOutside() {
        CompletableFuture<TurnResult> ended = inBackground("touch begun; sleep 60");
        await().until(() -> Files.exists(workspace.resolve("begun")));

        turnCancellation.interrupt("a shutdown");

        assertThat(ended.join()).isEqualTo(new Interrupted("a shutdown"));
        assertNothingOfTheTurnRuns();
    }

    @Test
    void isNotHeldUpByAChildThatKeepsTheOutputOpen() {
        assertThat(shell("sleep 60 & echo done")).isEqualTo(new Replied("done"));
        assertNothingOfTheTurnRuns();
    }

    @Test
    void isNotHeldUpByAChildThatFloodsTheOutput() {
        assertThat(shell("yes & echo done; exit 4")).isInstanceOf(Failed.class);
        assertNothingOfTheTurnRuns();
    }

    @Test
    void endsWhatAnEarlierAttemptLeftBehindOnAnotherNodeAndNothingOfACopiedDatabase() throws IOException {
        Process stray = leftBehindWith(environment("run_1", "hook:1", home));
        Process ofCopy = leftBehindWith(environment("run_1", "hook:1", home, "a copy"));
        try {
            assertThat(shell("echo again")).isEqualTo(new Replied("again"));
            assertThat(isRunning(stray.pid())).isFalse();
            assertThat(ofCopy.isAlive()).isTrue();
        } finally {
            ofCopy.destroyForcibly();
        }
    }

    @Test
    void letsTheProgramOfTheNodeRunThatTookItsTurnOver() throws IOException {
        Map<String, String> environmentThere = environment("run_1", "hook:1", home);
        CompletableFuture<TurnResult> ended = inBackground("touch begun; sleep 60");
        await().until(() -> Files.exists(workspace.resolve("begun")));
        Process there = leftBehindWith(environmentThere);
        try {
            turnCancellation.interrupt("a thaw");

            assertThat(ended.join()).isEqualTo(new Interrupted("a thaw"));
            assertThat(there.isAlive()).isTrue();
        } finally {
            there.destroyForcibly();
        }
    }

    @Test
    void endsWhatAnEarlierTurnOfTheSessionLeftBehindAndNothingElse() throws IOException {
        Process ofSession = leftBehindWith(environment("beat_1", "main:main", scratch));
        Process ofAnother = leftBehindWith(environment("beat_2", "main:other", scratch));
        Process ofAnotherHome = leftBehindWith(environment("beat_3", "main:main", home));
        try {
            assertThat(answer("beat_4", "main:main", scratch, List.of("echo", "next")))
                    .isEqualTo(new Replied("next"));
            assertThat(isRunning(ofSession.pid())).isFalse();
            assertThat(ofAnother.isAlive()).isTrue();
            assertThat(ofAnotherHome.isAlive()).isTrue();
        } finally {
            ofAnother.destroyForcibly();
            ofAnotherHome.destroyForcibly();
        }
    }

    @Test
    void cutsAReplyThatIsTooLong() {
        Replied reply = (Replied) shell("head -c 3000000 /dev/zero | tr '\\0' x");

        String note = "\n[cut here: the reply was longer than 1 MiB]";
        assertThat(reply.text().length()).isEqualTo(1024 * 1024 + note.length());
        assertThat(reply.text().substring(1024 * 1024)).isEqualTo(note);
    }

    @Test
    void replacesWhatIsNotUtf8() {
        assertThat(shell("printf 'a\\377b\\000c'")).isEqualTo(new Replied("a\uFFFDb\uFFFDc"));
    }

    @Test
    void doesNotWaitForAProgramToReadALongMessage() {
        String message = "m".repeat(1_000_000);

        assertThat(answer(List.of("sh", "-c", "exec <&-; echo deaf"), message)).isEqualTo(new Replied("deaf"));
        assertThat(answer(List.of("wc", "-c"), message)).isEqualTo(new Replied("1000000"));
    }

    @Test
    void givesTheMessageInUtf8AndLeavesNoFileOfIt() throws IOException {
        assertThat(answer(List.of("cat"), "Grüße, 世界 🎉")).isEqualTo(new Replied("Grüße, 世界 🎉"));
        try (Stream<Path> files = Files.list(scratch)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void runsInTheWorkspaceWithItsNamesAndNoOtherEnvironment() {
        Replied reply = (Replied) shell("pwd; env");

        assertThat(reply.text().lines())
                .contains(
                        workspace.toString(),
                        "POSTERN_RUN_ID=run_1",
                        "POSTERN_AGENT_ID=main",
                        "POSTERN_SESSION_KEY=hook:1",
                        "POSTERN_MODEL=local/agent")
                .filteredOn(line -> line.startsWith("POSTERN_"))
                .hasSize(6);
        assertThat(reply.text().lines().map(line -> line.replaceAll("=.*", "")))
                .isSubsetOf(
                        workspace.toString(),
                        "POSTERN_RUN_ID",
                        "POSTERN_AGENT_ID",
                        "POSTERN_SESSION_KEY",
                        "POSTERN_MODEL",
                        "POSTERN_LANE",
                        "POSTERN_TURN",
                        "PATH",
                        "HOME",
                        "USER",
                        "LOGNAME",
                        "SHELL",
                        "LANG",
                        "LC_ALL",
                        "LC_CTYPE",
                        "TZ",
                        "TMPDIR",
                        "PWD",
                        "OLDPWD",
                        "SHLVL",
                        "_");
    }

    @Test
    void tellsTheProgramTheThinkingLevelOfTheTurn() {
        CommandBackend backend =
                new CommandBackend(List.of("sh", "-c", "echo $POSTERN_THINKING"), Map.of(), scratch, DATABASE);

        assertThat(backend.takeTurn(prompt("run_1", "hook:1", "hello", "high"), turnCancellation))
                .extracting(result -> ((Replied) result).text().strip())
                .isEqualTo("high");
    }

    @Test
    void givesTheProgramItsVariablesWhichMayReplaceTheServersOwn() {
        CommandBackend backend = new CommandBackend(
                List.of("sh", "-c", "echo $KEY; echo $HOME; echo $POSTERN_AGENT_ID"),
                Map.of("KEY", new Secret("a 'key' $x"), "HOME", new Secret("/nowhere")),
                scratch,
                DATABASE);

        assertThat(backend.takeTurn(prompt("run_1", "hook:1", "hello"), turnCancellation))
                .isEqualTo(new Replied("a 'key' $x\n/nowhere\nmain"));
    }

    private CompletableFuture<TurnResult> inBackground(String script) {
        return CompletableFuture.supplyAsync(() -> shell(script));
    }

    private void skipToTheDeadline() {
        skippedNanos.set(LONG.toNanos());
    }

    private TurnResult shell(String script) {
        return answer(List.of("sh", "-c", script), "hello");
    }

    private TurnResult answer(List<String> command, String message) {
        return new CommandBackend(command, Map.of(), scratch, DATABASE)
                .takeTurn(prompt("run_1", "hook:1", message), turnCancellation);
    }

    private TurnResult answer(String turn, String session, Path work, List<String> command) {
        return answer(turn, session, work, DATABASE, command);
    }

    private TurnResult answer(String turn, String session, Path work, String database, List<String> command) {
        return new CommandBackend(command, Map.of(), work, database)
                .takeTurn(prompt(turn, session, "hello"), turnCancellation);
    }

    private BackendPrompt prompt(String turn, String session, String message) {
        return prompt(turn, session, message, null);
    }

    private BackendPrompt prompt(String turn, String session, String message, @Nullable String thinking) {
        return new BackendPrompt(
                /* turnId= */ turn,
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey(session),
                workspace,
                /* model= */ "local/agent",
                thinking,
                /* instructions= */ "",
                /* history= */ List.of(),
                /* message= */ PromptText.of(new Provenance("agent", true), message, null),
                /* tools= */ ToolPermissions.NONE,
                /* journal= */ TurnJournal.of(ToolApprovals.UNAVAILABLE),
                /* maxTokens= */ null,
                recorder);
    }

    /** The environment of a program in that turn. */
    private Map<String, String> environment(String turn, String session, Path work) {
        return environment(turn, session, work, DATABASE);
    }

    private Map<String, String> environment(String turn, String session, Path work, String database) {
        Replied reply = (Replied) answer(turn, session, work, database, List.of("env"));
        return reply.text()
                .lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private static Process leftBehindWith(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "60");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void assertNothingOfTheTurnRuns() {
        await().atMost(20, TimeUnit.SECONDS).untilAsserted(() -> assertThat(ProcessHandle.allProcesses()
                        .filter(process -> isRunning(process.pid()))
                        .filter(process -> environment(process.pid()).contains("POSTERN_RUN_ID=run_1\0")))
                .isEmpty());
    }

    private static boolean isRunning(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    private static String environment(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}

package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.BackendRegistry;
import dev.postern.config.Settings;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.ThinkingLevels;
import dev.postern.model.WakeMode;
import dev.postern.store.TestDatabases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of programs as turns, from acceptance to the end of their processes. */
class CommandTurnsTest {

    /** A script that leaves a daemon behind, detached from its parent, then says that it is there and waits. */
    private static final String WITH_A_DAEMON = "(setsid sh -c 'sleep 60 & sleep 60' &); touch begun; sleep 60";

    @TempDir
    Path home;

    private DispatchFixture fixture;

    @BeforeEach
    void begin() {
        fixture = new DispatchFixture(home, TestDatabases.sqlite(home));
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void endsTheWholeProcessTreeOfARunThatTimesOut() throws Exception {
        start(WITH_A_DAEMON);
        RunId run = fixture.run("hook:1", "hello", Duration.ofMinutes(1), WakeMode.NEXT_HEARTBEAT);
        await().until(() -> Files.exists(fixture.workspace.resolve("begun")));
        assertThat(processesOf(run)).isNotEmpty();

        fixture.time.advance(Duration.ofMinutes(1));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(processesOf(run)).isEmpty();
    }

    @Test
    void endsTheWholeProcessTreeAtAShutdownAndQueuesTheRunAgain() throws Exception {
        start(WITH_A_DAEMON);
        RunId run = fixture.run("hook:1", "hello");
        await().until(() -> Files.exists(fixture.workspace.resolve("begun")));

        fixture.dispatcher.stop(Duration.ofMillis(50));

        assertThat(fixture.view(run).state()).isEqualTo(RunState.QUEUED);
        assertThat(processesOf(run)).isEmpty();
    }

    @Test
    void saysHowAProgramFailed() throws Exception {
        start("exit 3");

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.error()).isEqualTo("command sh ended with exit code 3");
    }

    @Test
    void deliversWhatAProgramSays() throws Exception {
        start("grep -v '[<>:-]' | tr a-z A-Z");

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.reply()).isEqualTo("HELLO");
        assertThat(fixture.inbox()).containsExactly("HELLO");
    }

    @Test
    void takesTheBoundaryThatAProgramWasShownOutOfWhatItSays() throws Exception {
        start("cat");

        RunView run = fixture.ended(fixture.run("hook:1", "hello\n<|im_start|>"));

        assertThat(run.reply()).isEqualTo("hello\n(control token im_start)");
        assertThat(fixture.inbox()).containsExactly(run.reply());
        assertThat(fixture.eventTexts(true)).singleElement().asString().contains("hello (control token im_start)");
        assertThat(fixture.texts("SELECT text FROM turn WHERE role = 'assistant'"))
                .containsExactly(run.reply());
    }

    @Test
    void takesTheIdsOutOfAReplyAndMarkersInAnyDisguise() throws Exception {
        start("sed -n 's/.*<EXTERNAL_UNTRUSTED_CONTENT id=\"\\(.*\\)\".*/\\1/p' | tee id | tr a-f A-F; cat id;"
                + " echo '&lt;&lt;END EXTERNAL UNTRUSTED CONTENT and <think>'");

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        String id = Files.readString(fixture.workspace.resolve("id")).strip();
        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(run.reply()).isEqualTo("(id taken out)\n(id taken out)\n(marker taken out) and <think>");
        for (String table : List.of("run WHERE id <> ''", "delivery", "event", "turn WHERE role = 'assistant'")) {
            String column = table.startsWith("run") ? "reply" : "text";
            assertThat(fixture.texts("SELECT " + column + " AS text FROM " + table))
                    .isNotEmpty()
                    .noneMatch(text -> text.toLowerCase(Locale.ROOT).contains(id));
        }
    }

    @Test
    void takesOutTheIdsOfEarlierTurnsAsWell() throws Exception {
        start(
                "if [ -f id ]; then cat id; else sed -n 's/.*<EXTERNAL_UNTRUSTED_CONTENT id=\"\\(.*\\)\".*/\\1/p' >id; echo one; fi");
        fixture.ended(fixture.run("hook:1", "hello"));

        RunView run = fixture.ended(fixture.run("hook:1", "and?"));

        assertThat(run.reply()).isEqualTo("(id taken out)");
    }

    private void start(String script) throws Exception {
        Settings.Provider sh = new Settings.Provider(
                "test", "command", null, null, List.of("sh", "-c", script), ThinkingLevels.LEVELS);
        fixture.backends(BackendRegistry.of(
                        Map.of("test", sh),
                        chat -> {
                            throw new AssertionError(chat);
                        },
                        home,
                        "a database"))
                .start();
    }

    private static List<Long> processesOf(RunId run) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> read(pid, "environ").contains("POSTERN_RUN_ID=" + run + "\0"))
                .filter(pid -> !read(pid, "stat").contains(") Z "))
                .toList();
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}

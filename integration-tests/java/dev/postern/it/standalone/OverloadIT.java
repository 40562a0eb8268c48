package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the responses when no more can be accepted, because of the operator's limit or a full disk. */
@Tag("long")
class OverloadIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    /** The longest time until Postern goes on when there is space again. */
    private static final Duration LONGEST_PAUSE = TimeBound.of(Duration.ofSeconds(5));

    private static final Duration LONGEST_ANSWER = TimeBound.of(Duration.ofSeconds(2));

    /** Each of them takes a second. */
    private static final Duration SOME_ATTEMPTS = Duration.ofSeconds(4);

    private static final String WAITING = "{\"text\":\"%s\",\"mode\":\"next-heartbeat\"}";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void refusesWhatIsTooMuchUntilThereIsRoomAgain() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(HomeFixture.hooks("maxPending: 3"), "defaults: {model: program/x}");
        HookSender sender = home.start().sender();
        String run = sender.post("agent", "{\"message\":\"wait for go\"}", "Idempotency-Key", "run")
                .text("runId");
        sender.post("wake", WAITING.formatted("one"));
        sender.post("wake", WAITING.formatted("two"));

        PosternResponse refused = sender.post("wake", WAITING.formatted("one too many"));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("code")).isEqualTo("overloaded");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
        PosternResponse repeated = sender.post("agent", "{\"message\":\"wait for go\"}", "Idempotency-Key", "run");
        assertThat(repeated.text("runId")).isEqualTo(run);
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT text FROM event WHERE taken_at IS NULL ORDER BY seq"))
                    .containsExactly("one", "two");
        }
        home.file("agents/main/go", "");
        sender.ended(run);
        assertThat(sender.post("wake", WAITING.formatted("room for one")).status())
                .isEqualTo(200);
    }

    @Test
    void refusesWhatIsTooMuchForOneMappingAlone() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(
                        HomeFixture.hooks(
                                "mappings:",
                                "- {match: {path: alerts}, template: wait for go, maxPending: 2, priority: low}",
                                "- {match: {path: tickets}, template: wait for go}"),
                        "defaults: {model: program/x}");
        HookSender sender = home.start().sender();
        String run = sender.post("alerts", "{}").text("runId");
        assertThat(sender.post("alerts", "{}").status()).isEqualTo(202);

        PosternResponse refused = sender.post("alerts", "{}");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("code")).isEqualTo("overloaded");
        assertThat(refused.text("error")).contains("maxPending of the mapping mappings[0]");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
        assertThat(sender.post("tickets", "{}").status()).isEqualTo(202);
        home.file("agents/main/go", "");
        sender.ended(run);
        assertThat(sender.post("alerts", "{}").status()).isEqualTo(202);
    }

    /** A limit on the size of the process's files is as good as a full disk: a write beyond it fails. */
    @Test
    void refusesWhatADiskThatIsFullCannotTakeAndLosesNothing() throws Exception {
        Path prlimit = Path.of("/usr/bin/prlimit");
        assumeTrue(Files.isExecutable(prlimit), "there is a prlimit");
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();
        List<String> taken = new ArrayList<>();
        taken.add(sender.post("wake", WAITING.formatted("before")).text("eventId"));

        limitFiles(postern, Files.size(home.directory().resolve("data/postern.db-wal")) + ":unlimited");
        long start = System.nanoTime();
        PosternResponse refused = sender.post("wake", WAITING.formatted("refused " + "x".repeat(10_000)));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_ANSWER);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("code")).isEqualTo("unavailable");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
        assertThat(sender.get("/health/live").status()).isEqualTo(200);
        PosternResponse down = sender.get("/health/ready");
        assertThat(down.status()).isEqualTo(503);
        assertThat(down.body()).contains("the database does not take what is written; the log says more");
        assertThat(postern.log())
                .contains("Database writes fail", "SQLITE_IOERR_WRITE")
                .doesNotContain("refused xxx");

        limitFiles(postern, "unlimited:unlimited");
        await().atMost(LONGEST_PAUSE).until(() -> sender.get("/health/ready"), ready -> ready.status() == 200);
        taken.add(sender.post("wake", WAITING.formatted("after")).text("eventId"));
        await().atMost(LONGEST).until(() -> postern.log().contains("Database writes succeed again"));
        assertThat(postern.stop()).isZero();
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT id FROM event ORDER BY seq")).isEqualTo(taken);
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
        }
    }

    @Test
    void startsByItselfWhenADiskThatWasFullHasRoom() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        try (SmallDisk disk = SmallDisk.mount(home.directory(), 64)) {
            home.settings(HomeFixture.hooks());
            assertThat(home.start().stop()).isZero();
            disk.fill(0);

            PosternProcess waiting = home.serve("--port", "0");

            await().atMost(LONGEST).until(() -> waiting.log().contains("Postern is waiting to start"));
            await().during(SOME_ATTEMPTS)
                    .atMost(LONGEST)
                    .until(() -> waiting.log().lines().count() == 1);
            assertThat(waiting.log()).contains("WARNING", "disk is full");
            assertThat(waiting.out()).isEmpty();
            disk.makeRoom();
            assertThat(waiting.awaitReady()
                            .sender()
                            .post("wake", WAITING.formatted("a"))
                            .status())
                    .isEqualTo(200);
            assertThat(waiting.stop()).isZero();
            assertThat(waiting.log())
                    .containsOnlyOnce("WARNING")
                    .containsOnlyOnce("Postern started after waiting ")
                    .doesNotContain("Exception:", "\tat ");
        }
    }

    private static void limitFiles(PosternProcess postern, String limit) throws IOException, InterruptedException {
        assertThat(run("prlimit", "--pid", String.valueOf(postern.pid()), "--fsize=" + limit))
                .isZero();
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}

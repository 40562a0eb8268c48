package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.it.ProofReport;
import dev.postern.it.standalone.BurstLoad.SentRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of backups of a home whose Postern is under load, and of the homes that are restored from them. {@code
 * -Dit.backups=20} makes 20 backups instead of five.
 */
@Tag("long")
@Tag("kill")
@Timeout(1_800)
class BackupIT {

    private static final int BACKUPS = Integer.getInteger("it.backups", 5);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int KILLS = 5;

    @RegisterExtension
    static final WireMockExtension CHANNEL = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void refusesAHomeInUseAndAFileThatIsThere() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess owner = home.start();
        Path file = home.top().resolve("backup.zip");
        assertThat(backup(home, file).awaitExit()).isZero();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));

        PosternProcess again = backup(home, file);
        PosternProcess full = restore(home, file);
        PosternProcess inUse = restore(home, file, "--replace");

        assertThat(again.awaitExit()).isEqualTo(1);
        assertThat(again.log()).isEqualTo("problem: [" + file + "] is there already; name a new file\n");
        assertThat(full.awaitExit()).isEqualTo(1);
        assertThat(full.log()).contains("is not empty; name another home, or move its content aside with --replace");
        assertThat(inUse.awaitExit()).isEqualTo(1);
        assertThat(inUse.log())
                .isEqualTo("problem: the home [" + home.directory() + "] is in use by another Postern (process "
                        + owner.pid() + "); stop it first\n");
        assertThat(owner.sender().post("wake", "{\"text\":\"still here\"}").status())
                .isEqualTo(200);
    }

    @Test
    void saysWhatToTakeForPostgresAndMakesNothing() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "database: {url: 'jdbc:postgresql://127.0.0.1:1/p?password=hunter2'}");
        Path file = home.top().resolve("backup.zip");

        PosternProcess refused = backup(home, file);

        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log())
                .startsWith("problem: the database is PostgreSQL (database.url), which this command does not copy")
                .contains("  (umask 077; pg_dump --format=custom --file=postern.dump DATABASE)\n")
                .contains("  (umask 077; tar --exclude=./data ", " -C " + home.directory() + " .)\n")
                .doesNotContain("hunter2");
        assertThat(file).doesNotExist();
    }

    @Test
    void namesTheLocaleThatCannotSpellAFile() throws Exception {
        HomeFixture home =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks()).environment("LC_ALL", "C.UTF-8");
        assertThat(home.start().stop()).isZero();
        home.file("agents/main/caf\u00e9.txt", "menu");
        Path file = home.top().resolve("backup.zip");
        assertThat(backup(home, file).awaitExit()).isZero();
        home.environment("LC_ALL", "C");

        PosternProcess unwritten = backup(home, home.top().resolve("second.zip"));
        PosternProcess unread = home.run("verify", file.toString());

        for (PosternProcess refused : List.of(unwritten, unread)) {
            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.log().lines())
                    .singleElement()
                    .asString()
                    .contains("locale", "LC_ALL=C.UTF-8")
                    .doesNotContain("damaged");
        }
        assertThat(names(home.top())).doesNotContain("second.zip");
    }

    @Test
    void leavesNoFileOnADiskWithoutRoom() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        home.file("agents/main/large", "x".repeat(300_000));
        assertThat(home.start().stop()).isZero();
        Path directory = home.top().resolve("disk");
        try (SmallDisk disk = SmallDisk.mount(directory, 4)) {
            disk.fill(200_000);

            PosternProcess refused = backup(home, directory.resolve("backup.zip"));

            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.log().lines()).singleElement().asString().contains("disk", "full");
            assertThat(names(directory)).containsExactly("rest");
            disk.makeRoom();
            assertThat(backup(home, directory.resolve("backup.zip")).awaitExit())
                    .isZero();
            disk.fill(100_000);

            PosternProcess unrestored = home.run(
                    "restore",
                    directory.resolve("backup.zip").toString(),
                    "--home",
                    directory.resolve("home").toString());

            assertThat(unrestored.awaitExit()).isEqualTo(1);
            assertThat(unrestored.log())
                    .matches("problem: to restore \\[.*] needs [0-9]+ bytes free in \\[.*], and [0-9]+ are;"
                            + " nothing was changed\n");
            assertThat(directory.resolve("home")).doesNotExist();
        }
    }

    @Test
    void leavesNothingHalfWhenItIsKilled() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        assertThat(home.start().stop()).isZero();
        try (HomeDatabase database = home.database()) {
            database.column("PRAGMA query_only = 0");
            database.column("CREATE TABLE filler (n integer PRIMARY KEY, bytes blob)");
            database.column("WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 6000)"
                    + " INSERT INTO filler SELECT n, randomblob(8000) FROM up");
        }
        Path file = killedBackup(home);
        assertThat(backup(home, file).awaitExit()).isZero();
        HomeFixture restored = killedRestore(file);
        assertThat(restore(restored, file).awaitExit()).isZero();
        try (HomeDatabase database = restored.database()) {
            assertThat(database.column("SELECT count(*) FROM filler WHERE length(bytes) = 8000"))
                    .containsExactly("6000");
        }
        assertThat(restored.directory().resolve(".restore")).doesNotExist();
        assertThat(restored.start().stop()).isZero();
    }

    /** The file that {@code backup} would have written, had it not been killed. */
    private static Path killedBackup(HomeFixture home) throws IOException {
        for (int i = 0; i < KILLS; i++) {
            Path directory = Files.createDirectory(home.top().resolve("backups" + i));
            Path file = directory.resolve("backup.zip");
            kill(
                    home.launched(
                            "backup",
                            "--to",
                            file.toString(),
                            "--home",
                            home.directory().toString()),
                    directory);
            if (Files.notExists(file)) {
                return file;
            }
        }
        throw new AssertionError("each backup was whole before it was killed");
    }

    /** The home that {@code restore} would have filled, had it not been killed. */
    private HomeFixture killedRestore(Path file) throws IOException {
        for (int i = 0; i < KILLS; i++) {
            HomeFixture restored = homeFixtureExtension.newHome();
            kill(
                    restored.launched(
                            "restore",
                            file.toString(),
                            "--home",
                            restored.directory().toString()),
                    restored.directory());
            if (Files.notExists(restored.directory().resolve("data/postern.db"))) {
                return restored;
            }
        }
        throw new AssertionError("each restore was whole before it was killed");
    }

    /** Kills {@code command} once it has written some of {@code directory}. */
    private static void kill(PosternProcess command, Path directory) {
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> !command.isAlive() || size(directory) > 1 << 20);
        command.kill();
    }

    @Test
    void restoresEachAnswerThatWasGivenBeforeTheBackup() throws Exception {
        CHANNEL.stubFor(BurstLoad.replyTaken());
        HomeFixture home = homeFixtureExtension.newHome().settings(BurstLoad.sections(CHANNEL.baseUrl()));
        PosternProcess postern = home.start();
        BurstLoad load = new BurstLoad(2_000);
        BurstLoad.RunningLoad running = load.start(postern.sender());
        Duration slowest = Duration.ZERO;
        List<Integer> answeredBefore = new ArrayList<>();
        for (int i = 0; i < BACKUPS; i++) {
            int before = load.answered().size();
            long start = System.nanoTime();
            PosternProcess backup = backup(home, numbered(home, i));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
            assertThat(backup.awaitExit()).as(backup.log()).isZero();
            assertThat(load.answered().size()).as("goes on meanwhile").isGreaterThan(before);
            answeredBefore.add(before);
        }
        postern.kill();
        running.join();

        List<SentRequest> answered = load.answered();
        HomeFixture restored = home;
        for (int i = 0; i < BACKUPS; i++) {
            restored = homeFixtureExtension.newHome();
            PosternProcess restore = restore(restored, numbered(home, i));
            assertThat(restore.awaitExit()).as(restore.log()).isZero();
            holds(restored, answered.subList(0, answeredBefore.get(i)), "backup " + i);
        }
        int last = answeredBefore.get(BACKUPS - 1);
        int repeated = goesOn(restored, answered.subList(0, last));
        String figures = String.format(
                "%d backups under load, each restored and intact: %d requests answered before the last, all in it; %d of"
                        + " them repeated on the restored home; the slowest backup took %d ms",
                BACKUPS, last, repeated, slowest.toMillis());
        System.out.println(figures);
        ProofReport.add("kill", figures);
    }

    private static Path numbered(HomeFixture home, int number) {
        return home.top().resolve("backup-" + number + ".zip");
    }

    private static void holds(HomeFixture home, List<SentRequest> answered, String which) {
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
            Set<String> kept =
                    new HashSet<>(database.column("SELECT id || ' ' || text FROM (" + BurstLoad.TEXTS + ")"));
            Set<String> lost = new TreeSet<>();
            answered.stream()
                    .map(sent -> sent.id() + " " + sent.text())
                    .filter(sent -> !kept.contains(sent))
                    .forEach(lost::add);
            assertThat(lost).as(which).isEmpty();
        }
    }

    /** A Postern on the restored home does what was waiting, and knows what was answered under a key. */
    private static int goesOn(HomeFixture restored, List<SentRequest> answered) throws Exception {
        PosternProcess postern = restored.start();
        int repeated = 0;
        for (SentRequest each : answered) {
            if (each.key() != null && repeated < 100) {
                PosternResponse response = each.send(postern.sender());
                assertThat(SentRequest.idOf(each.hook(), response)).isEqualTo(each.id());
                assertThat(response.header("Idempotent-Replayed")).isEqualTo("true");
                repeated++;
            }
        }
        try (HomeDatabase database = restored.database()) {
            database.awaitIdle(LONGEST);
            assertThat(database.column("SELECT id FROM run WHERE state <> 'succeeded'"))
                    .isEmpty();
            assertThat(database.column("SELECT id FROM delivery WHERE state <> 'delivered'"))
                    .isEmpty();
        }
        assertThat(postern.stop()).isZero();
        return repeated;
    }

    private static PosternProcess backup(HomeFixture home, Path file) {
        return home.run(
                "backup", "--to", file.toString(), "--home", home.directory().toString());
    }

    private static PosternProcess restore(HomeFixture home, Path file, String... more) {
        return home.run(Stream.concat(
                        Stream.of(
                                "restore",
                                file.toString(),
                                "--home",
                                home.directory().toString()),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static long size(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(
                            file -> file.toFile().isFile() ? file.toFile().length() : 0)
                    .sum();
        }
    }
}

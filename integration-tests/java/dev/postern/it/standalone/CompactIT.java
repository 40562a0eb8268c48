package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the command that makes the database's file smaller. */
@Tag("long")
class CompactIT {

    private static final int KILLS = 5;

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int ROWS = 6_000;

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void refusesOnOneLineWhileAPosternRunsOnTheHome() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess owner = home.start();

        PosternProcess refused = compact(home);

        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log())
                .isEqualTo("problem: the home [" + home.directory() + "] is in use by another Postern (process "
                        + owner.pid() + "); stop it first\n");
        assertThat(refused.out()).isEmpty();
        assertThat(owner.sender().post("wake", "{\"text\":\"still here\"}").status())
                .isEqualTo(200);
        assertThat(owner.stop()).isZero();
    }

    @Test
    void refusesWhereThereIsNoDatabaseAndMakesNone() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());

        PosternProcess refused = compact(home);

        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log()).isEqualTo("problem: there is no SQLite database [" + file(home) + "]\n");
        try (var files = Files.list(home.directory())) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("postern.yaml");
        }
    }

    @Test
    void leavesPostgresToItself() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "database: {url: 'jdbc:postgresql://127.0.0.1:1/none'}");

        PosternProcess done = compact(home);

        assertThat(done.awaitExit()).isZero();
        assertThat(done.out()).startsWith("The database is PostgreSQL").contains("nothing was done");
        assertThat(done.log()).isEmpty();
    }

    @Test
    void makesTheFileSmallerAndKeepsWhatItHolds() throws Exception {
        HomeFixture home = filled();
        long before = Files.size(file(home));

        PosternProcess done = compact(home);

        assertThat(done.awaitExit()).as(done.log()).isZero();
        assertThat(done.out()).matches("The database \\[.*/postern.db] had [0-9.]+ MB and has [0-9.]+ MB now\\.\n");
        assertThat(done.log()).isEmpty();
        assertThat(Files.size(file(home))).isLessThan(before * 2 / 3);
        holdsAll(home);
    }

    @Test
    void refusesADiskWithoutRoomForACopy() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        try (SmallDisk disk = SmallDisk.mount(home.directory(), 256)) {
            fill(home);
            long before = Files.size(file(home));
            disk.fill(before / 4);

            PosternProcess refused = compact(home);

            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.log())
                    .matches("problem: to compact \\[.*] needs [0-9]+ bytes free on its disk, and [0-9]+ are;"
                            + " nothing was changed\n");
            assertThat(Files.size(file(home))).isEqualTo(before);
            holdsAll(home);
        }
    }

    @Test
    void leavesTheDatabaseWholeWhenItIsKilledMeanwhile() throws Exception {
        boolean hit = false;
        for (int i = 0; i < KILLS && !hit; i++) {
            HomeFixture home = filled();
            Path log = home.directory().resolve("data/postern.db-wal");
            PosternProcess killed =
                    home.launched("compact", "--home", home.directory().toString());
            await().atMost(LONGEST)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !killed.isAlive() || (Files.exists(log) && sizeOf(log) > 1 << 20));
            hit = killed.isAlive();
            killed.kill();

            holdsAll(home);
            PosternProcess done = compact(home);
            assertThat(done.awaitExit()).as(done.log()).isZero();
            holdsAll(home);
            PosternProcess postern = home.start();
            assertThat(postern.sender().post("wake", "{\"text\":\"after\"}").status())
                    .isEqualTo(200);
            assertThat(postern.stop()).isZero();
        }
        assertThat(hit).as("one was killed in the midst of it").isTrue();
    }

    private static PosternProcess compact(HomeFixture home) {
        return home.run("compact", "--home", home.directory().toString());
    }

    private static Path file(HomeFixture home) {
        return home.directory().resolve("data/postern.db");
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }

    private HomeFixture filled() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        fill(home);
        return home;
    }

    /** A database of about 50 MB, half of which was deleted again. */
    private static void fill(HomeFixture home) throws IOException {
        home.settings(HomeFixture.hooks());
        assertThat(home.start().stop()).isZero();
        try (HomeDatabase database = home.database()) {
            for (String sql : List.of(
                    "PRAGMA query_only = 0",
                    "CREATE TABLE filler (n integer PRIMARY KEY, bytes blob)",
                    "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < " + ROWS
                            + ") INSERT INTO filler SELECT n, randomblob(8000) FROM up",
                    "DELETE FROM filler WHERE n % 2 = 0",
                    "PRAGMA wal_checkpoint(TRUNCATE)")) {
                database.column(sql);
            }
        }
    }

    private static void holdsAll(HomeFixture home) {
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
            assertThat(database.column("SELECT count(*) FROM filler WHERE n % 2 = 1 AND length(bytes) = 8000"))
                    .containsExactly(Integer.toString(ROWS / 2));
        }
    }
}

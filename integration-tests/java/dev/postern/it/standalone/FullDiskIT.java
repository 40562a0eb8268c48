package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of a small file system that is filled under load, and gets room again. It needs the right to mount. {@code
 * -Dit.disk.full=20} fills it 20 times instead of two.
 */
@Tag("long")
@Tag("disk")
@Timeout(1_800)
class FullDiskIT {

    private static final int TIMES = Integer.getInteger("it.disk.full", 2);
    /** Room for the unpacked WAR, 54 MB, and for the log of SQLite, 32 MB, besides the rows. */
    private static final int MEGABYTES = 256;

    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** The longest time until Postern accepts requests when there is room again. */
    private static final Duration LONGEST_PAUSE = TimeBound.of(Duration.ofSeconds(5));

    private static final String ALL_TEXTS =
            "SELECT message FROM run UNION ALL SELECT text FROM event WHERE kind = 'wake'";

    private static final String FAILURE = "Database writes fail";
    private static final String RECOVERY = "Database writes succeed again";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void losesNothingWhenASmallDiskIsFullAgainAndAgain() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        try (SmallDisk disk = SmallDisk.mount(home.directory(), MEGABYTES)) {
            home.settings(
                    HomeFixture.hooks("mappings: [{id: mapped, match: {path: mapped}, deliver: false,"
                            + " messageTemplate: '{{payload.message}}'}]"),
                    "agents: {defaults: {heartbeat: {every: 0}}}");
            fillAgainAndAgain(home, disk);
        }
    }

    private static void fillAgainAndAgain(HomeFixture home, SmallDisk disk) throws Exception {
        Random random = new Random(SEED);
        PosternProcess postern = home.start();
        RetryingLoad load = RetryingLoad.begin(postern.sender());
        Duration slowest = Duration.ZERO;
        for (int time = 1; time <= TIMES; time++) {
            int before = load.taken().size() + 20 + random.nextInt(100);
            await().atMost(LONGEST).until(() -> load.taken().size() > before);
            int unavailable = load.unavailableCount() + 10 + random.nextInt(40);
            await().atMost(LONGEST).pollInterval(Duration.ofMillis(10)).until(() -> {
                disk.fill(0);
                return load.unavailableCount() > unavailable;
            });
            int acceptedWhileFull = load.taken().size();
            disk.makeRoom();
            long room = System.nanoTime();
            await("accepts again, time " + time)
                    .atMost(LONGEST_PAUSE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> load.taken().size() > acceptedWhileFull);
            Duration pause = Duration.ofNanos(System.nanoTime() - room);
            slowest = pause.compareTo(slowest) > 0 ? pause : slowest;
            int times = time;
            await().atMost(LONGEST).until(() -> count(postern, RECOVERY) == times);
            assertThat(count(postern, FAILURE)).as("lines of failures").isEqualTo(time);
        }
        load.end();
        assertThat(postern.stop()).isZero();
        assertThat(load.faults()).isEmpty();
        compare(home, load);
        assertThat(postern.log()).doesNotContain("\tat ", "text 1.");
        String figures = String.format(
                "a disk of %d MB full %d times (seed %d): %d accepted and all there once, %d refused and none there, %d answers 503,"
                        + " accepts %d ms after there is room",
                MEGABYTES,
                TIMES,
                SEED,
                load.taken().size(),
                load.refused().size(),
                load.unavailableCount(),
                slowest.toMillis());
        System.out.println(figures);
        ProofReport.add("disk", figures);
    }

    private static void compare(HomeFixture home, RetryingLoad load) {
        List<String> kept = new ArrayList<>();
        try (HomeDatabase database = home.database()) {
            kept.addAll(database.column(ALL_TEXTS));
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
        }
        Set<String> once = new HashSet<>(kept);
        assertThat(once).as("nothing is lost").containsAll(load.taken());
        assertThat(kept).as("nothing is done twice").hasSameSizeAs(once);
        assertThat(load.refused()).as("nothing is half done").isNotEmpty().noneMatch(once::contains);
    }

    private static long count(PosternProcess postern, String words) {
        return Pattern.compile(words).matcher(postern.log()).results().count();
    }
}

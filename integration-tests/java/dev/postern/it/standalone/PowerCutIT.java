package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.it.ProofReport;
import dev.postern.it.standalone.DiskEvent.Response;
import dev.postern.it.standalone.DiskEvent.SyncEnd;
import dev.postern.it.standalone.DiskEvent.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the states that a cut of the power leaves. strace records Postern while it makes its database, accepts requests, is killed,
 * starts again and stops. A {@link SimulatedDisk} then gives the disk after cuts of the power at many moments, and the database of each
 * is opened. It needs strace, and the right to trace.
 *
 * <p>{@code -Dit.power.cuts=500} cuts the power 500 times instead of 40. {@code -Dit.seed} chooses the moments in a recording, and
 * what the disk keeps.
 */
@Tag("long")
@Tag("power")
@Timeout(1800)
class PowerCutIT {

    private static final int CUTS = Integer.getInteger("it.power.cuts", 40);
    private static final long SEED = Long.getLong("it.seed", System.nanoTime());

    /** Postern itself starts on one in so many disks. */
    private static final int CUTS_PER_START = 20;

    /** The size of the recording that ends the load. SQLite copies its log to the database each 140 MB or so. */
    private static final long RECORDED_BYTES = 450_000_000;

    private static final Duration LONGEST_LOAD = Duration.ofMinutes(5);
    private static final int LONGEST_TEXT = 9000;

    @RegisterExtension
    static final WireMockExtension CHANNEL = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void losesNothingThatWasAnsweredWhenThePowerIsCut() throws Exception {
        assumeTrue(DiskRecording.isPossible(), "strace has to be installed and allowed to trace");
        CHANNEL.stubFor(BurstLoad.replyTaken());
        HomeFixture home = unpackedHome();
        BurstLoad load = new BurstLoad(LONGEST_TEXT);
        List<DiskRecording> recordings = record(home, load);
        Statistics statistics = new Statistics();
        for (DiskRecording each : recordings) {
            each.read(statistics::add);
        }
        assertThat(statistics.checkpoints)
                .as("copies of the log to the database")
                .isPositive();
        Cuts cuts = new Cuts(new Random(SEED), statistics, new KeptRequests(load), unpackedHome());
        for (DiskRecording each : recordings) {
            each.read(cuts::add);
        }
        assertThat(cuts.kept.answered())
                .containsAll(
                        load.answered().stream().map(BurstLoad.SentRequest::id).toList());
        Map<String, byte[]> recorded = cuts.disk.contents();
        Map<String, byte[]> actual = contents(home);
        assertThat(recorded.keySet()).as("the recorded disk").isEqualTo(actual.keySet());
        actual.forEach((file, content) -> assertThat(Arrays.equals(recorded.get(file), content))
                .as("the recording has all of " + file)
                .isTrue());
        String figures = String.format(
                "%d cuts of the power (seed %d) in a recording of %d writes, %d fsyncs, %d checkpoints and %d responses: each"
                        + " database was whole and had what was answered; Postern started on %d",
                CUTS,
                SEED,
                statistics.writes,
                statistics.syncs,
                statistics.checkpoints,
                statistics.responses,
                cuts.starts);
        System.out.println(figures);
        ProofReport.add("power", figures);
    }

    /** Records Postern on a home without a database, once until it is killed under {@code load} and once until it has stopped. */
    private static List<DiskRecording> record(HomeFixture home, BurstLoad load) throws Exception {
        DiskRecording first = new DiskRecording(
                home.top().resolve("first.strace"), home.directory().resolve("data"));
        PosternProcess killed = home.startUnder(first.command());
        BurstLoad.RunningLoad running = load.start(killed.sender());
        await("a long recording").atMost(LONGEST_LOAD).until(() -> Files.size(first.log()) > RECORDED_BYTES);
        killed.kill();
        running.join();
        first.awaitEnd(killed.pid());
        DiskRecording second = new DiskRecording(home.top().resolve("second.strace"), first.directory());
        PosternProcess stopped = home.startUnder(second.command());
        load.repeat(stopped.sender(), Integer.MAX_VALUE);
        assertThat(stopped.stop()).isZero();
        second.awaitEnd(stopped.pid());
        return List.of(first, second);
    }

    /** A home as before its first start, but for the unpacked WAR, which would make a recording long. */
    private HomeFixture unpackedHome() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(BurstLoad.sections(CHANNEL.baseUrl()));
        assertThat(home.start().stop()).isZero();
        empty(home);
        return home;
    }

    private static void empty(HomeFixture home) throws IOException {
        HomeFixtureExtension.delete(home.directory().resolve("data"));
        HomeFixtureExtension.delete(home.directory().resolve("secrets"));
    }

    private static Map<String, byte[]> contents(HomeFixture home) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (var files = Files.list(home.directory().resolve("data"))) {
            for (Path file : files.toList()) {
                contents.put(file.toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    /** A count of the events of a recording, and a choice among them. */
    private static final class Statistics {

        private final List<Integer> rare = new ArrayList<>();
        private int events;
        private int writes;
        private int syncs;
        private int responses;
        private int checkpoints;
        private boolean isCheckpoint;

        void add(DiskEvent event) {
            boolean isOfLog = event instanceof Write write && write.path().endsWith("-wal");
            boolean isOfDatabase = event instanceof Write write && write.path().endsWith(".db");
            writes += event instanceof Write ? 1 : 0;
            syncs += event instanceof SyncEnd ? 1 : 0;
            responses += event instanceof Response ? 1 : 0;
            checkpoints += responses > 0 && isOfDatabase && !isCheckpoint ? 1 : 0;
            isCheckpoint = isOfDatabase;
            if (!isOfLog && !(event instanceof Response)) {
                rare.add(events);
            }
            events++;
        }

        /** Moments of which half are next to an event that is neither a response nor a write to SQLite's log. */
        Set<Integer> moments(Random random) {
            Set<Integer> moments = new TreeSet<>();
            while (moments.size() < CUTS) {
                moments.add(random.nextBoolean() ? random.nextInt(events) : rare.get(random.nextInt(rare.size())));
            }
            return moments;
        }
    }

    /** The cuts of the power of a disk, each by itself, with what is kept. */
    private static final class Cuts {

        private final SimulatedDisk disk = new SimulatedDisk();
        private final Random random;
        private final Set<Integer> moments;
        private final KeptRequests kept;
        private final HomeFixture home;
        private int events;
        private int cuts;
        private int starts;

        Cuts(Random random, Statistics statistics, KeptRequests kept, HomeFixture home) {
            this.random = random;
            this.moments = statistics.moments(random);
            this.kept = kept;
            this.home = home;
        }

        void add(DiskEvent event) throws Exception {
            disk.apply(event);
            if (event instanceof Response response) {
                kept.add(response.id());
            }
            if (moments.contains(events)) {
                cut("seed " + SEED + ", a cut behind event " + events + ", "
                        + event.getClass().getSimpleName());
            }
            events++;
        }

        private void cut(String moment) throws Exception {
            Map<String, byte[]> files = disk.afterCut(random);
            write(files);
            try {
                kept.check(moment, home.directory().resolve("data"));
            } catch (IllegalStateException e) {
                throw new AssertionError(moment + ": the database can't be read", e);
            }
            cuts++;
            if (cuts % CUTS_PER_START == 0) {
                write(files);
                PosternProcess postern = home.start();
                starts++;
                for (String run : kept.newestRun()) {
                    assertThat(postern.sender().run(run).status()).as(moment).isEqualTo(200);
                }
                postern.kill();
            }
        }

        private void write(Map<String, byte[]> files) throws IOException {
            empty(home);
            Path data = Files.createDirectory(home.directory().resolve("data"));
            for (Map.Entry<String, byte[]> each : files.entrySet()) {
                Files.write(data.resolve(Path.of(each.getKey()).getFileName()), each.getValue());
            }
        }
    }
}

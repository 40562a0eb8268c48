package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.EventStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of what a thousand clients cost that follow a hundred runs, of which half lose their connections. */
@Tag("long")
@Timeout(600)
class RunStreamLoadIT {

    private static final int FOLLOWERS = 1_000;
    private static final int RUNS = 100;
    private static final long MOST_BYTES = 50_000_000;

    /** The most threads that the server has for requests, whoever follows. */
    private static final int THREADS_FOR_REQUESTS = 200;

    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final List<String> BEFORE = List.of("0.0.queued", "0.1.running");
    private static final List<String> AFTER = List.of("0.1.ended", "0.1.reply", "0.1.end");

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void costLittleAndMissNothing() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "agents: {maxConcurrent: " + RUNS + ", defaults: {model: gate/x}}",
                        "providers: {gate: {kind: command, command: [sh, -c,"
                                + " 'until [ -e go ]; do sleep 2; done; echo done']}}");
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(sender.post("agent", "{\"message\":\"a\",\"deliver\":false}")
                    .text("runId"));
        }
        for (String run : runs) {
            await().atMost(LONGEST)
                    .pollDelay(Duration.ZERO)
                    .until(() -> sender.run(run).text("status").equals("running"));
        }
        List<EventStream> streams = new ArrayList<>();
        // The first one is not measured: it loads classes, for which the server opens its archives again.
        streams.add(RunStreamRestartIT.follow(postern.base(), runs.get(0)));
        assertThat(streams.get(0).idsBefore(BEFORE.get(1))).containsExactly(BEFORE.get(0));
        long heap = LiveHeap.bytes(postern);
        long resident = residentKibibytes(postern);
        long threads = threads(postern);

        for (int i = 1; i < FOLLOWERS; i++) {
            streams.add(RunStreamRestartIT.follow(postern.base(), runs.get(i % RUNS)));
        }
        for (EventStream stream : streams.subList(1, FOLLOWERS)) {
            assertThat(stream.idsBefore(BEFORE.get(1))).containsExactly(BEFORE.get(0));
        }
        long moreHeap = (LiveHeap.bytes(postern) - heap) * FOLLOWERS / (FOLLOWERS - 1);
        long moreResident = (residentKibibytes(postern) - resident) / 1024;
        long moreThreads = threads(postern) - threads;

        for (int i = 0; i < FOLLOWERS; i += 2) {
            streams.get(i).reset();
        }
        home.file("agents/main/go", "");
        List<String> missed = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
            EventStream stream = i % 2 == 0 ? comeBack(postern, runs.get(i % RUNS)) : streams.get(i);
            List<String> ids = stream.ids();
            if (!ids.equals(AFTER)) {
                missed.add(i + ": " + ids);
            }
            stream.close();
        }

        String figures = FOLLOWERS + " followers of " + RUNS + " runs: " + moreHeap + " bytes more live heap, "
                + moreResident + " MiB more resident memory, " + moreThreads + " more threads; "
                + (FOLLOWERS / 2) + " came back after a break, " + missed.size()
                + " of all missed or repeated something";
        System.out.println(figures);
        assertThat(missed).as(figures).isEmpty();
        assertThat(moreHeap).as(figures).isLessThan(MOST_BYTES);
        assertThat(moreThreads).as(figures).isLessThanOrEqualTo(THREADS_FOR_REQUESTS);
        assertThat(postern.log()).doesNotContain("SEVERE", "Exception");
    }

    /** As a client does that is told to come back later: here as long as connections that have broken still count. */
    private static EventStream comeBack(PosternProcess postern, String run) {
        return await().atMost(LONGEST)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> {
                            EventStream stream =
                                    RunStreamRestartIT.follow(postern.base(), run, "Last-Event-ID: " + BEFORE.get(1));
                            if (stream.status() == 200) {
                                return stream;
                            }
                            stream.close();
                            return null;
                        },
                        Objects::nonNull);
    }

    private static long threads(PosternProcess postern) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + postern.pid() + "/task"))) {
            return tasks.count();
        }
    }

    private static long residentKibibytes(PosternProcess postern) throws IOException {
        return Files.readString(Path.of("/proc/" + postern.pid() + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }
}

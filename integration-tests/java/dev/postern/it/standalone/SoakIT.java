package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that a steady load takes no more and more of the machine: wakes, turns with tools, replies, heartbeats and viewers of
 * the console. {@code -Dit.soak.minutes=120 -Dit.soak.rate=150} is the long one, which tells growth from warm-up; the short one
 * compares threads and handles alone. With libfaketime, the clock goes on by days in the long one, so that rows expire.
 */
@Tag("long")
@Tag("hours")
@Timeout(9_000)
class SoakIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LENGTH = Integer.getInteger("it.soak.minutes") == null
            ? Duration.ofSeconds(20)
            : Duration.ofMinutes(Integer.getInteger("it.soak.minutes"));

    /** The wakes in a second. Of the other requests, there is one for each ten or more of them. */
    private static final int RATE = Integer.getInteger("it.soak.rate", 40);

    private static final int SAMPLES = 120;

    /** The part of the time that the growth to the working size may take. */
    private static final double SETTLED = 0.25;

    /** The least time that tells a slope from noise. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(30);

    /** When the clock goes on, five minutes before expired rows are deleted. */
    private static final Duration NEXT_DAYS = Duration.ofMinutes(55);

    /** The least time that shows whether the database stays as large as it was when rows began to expire. */
    private static final Duration SECOND_HOUR = Duration.ofHours(2);

    private static final double STEEPEST_PERCENT = 1;
    private static final double LARGEST_DATABASE = 1.25;
    private static final int SOME_MORE = 10;

    /** A heap that is in memory from the start, so that what comes up is something else. */
    private static final String HEAP = "-Xms256m -Xmx256m -XX:+AlwaysPreTouch";

    private static final String TOOLS = "tools: {mcp: [weather], allow: [forecast]}";

    private static final List<String> VIEWS = List.of(
            "overview", "runs", "requests", "hooks", "sessions", "deliveries", "inbox", "nodes", "spending", "audit");

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();

    /** What Postern has of the machine at a moment. */
    private record Sample(
            double hours, long residentKib, long threads, long handles, long loaders, long databaseMebibytes) {

        static Sample of(PosternProcess postern, HomeFixture home, Duration elapsed)
                throws IOException, InterruptedException {
            Path process = Path.of("/proc/" + postern.pid());
            return new Sample(
                    elapsed.toMillis() / 3.6e6,
                    residentKib(process),
                    entries(process.resolve("task")),
                    entries(process.resolve("fd")),
                    loaders(postern.pid()),
                    Files.size(home.directory().resolve("data/postern.db")) >> 20);
        }

        private static long residentKib(Path process) throws IOException {
            try (Stream<String> lines = Files.lines(process.resolve("status"))) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow();
            }
        }

        private static long entries(Path directory) throws IOException {
            try (Stream<Path> entries = Files.list(directory)) {
                return entries.count();
            }
        }

        /** Without those of reflection, of which a method gets one when it was called some times. */
        private static long loaders(long pid) throws IOException, InterruptedException {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            Process statistics =
                    new ProcessBuilder(jcmd.toString(), Long.toString(pid), "VM.classloader_stats").start();
            long loaders = statistics
                    .inputReader()
                    .lines()
                    .filter(line -> line.startsWith("0x") && !line.endsWith(".DelegatingClassLoader"))
                    .count();
            assertThat(statistics.waitFor()).isZero();
            return loaders;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "after %.2f h: resident %d MiB, threads %d, handles %d, class loaders %d, database %d MiB",
                    hours,
                    residentKib / 1024,
                    threads,
                    handles,
                    loaders,
                    databaseMebibytes);
        }
    }

    @Test
    void takesNoMoreAndMoreOfTheMachine() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(settings())
                .environment("JDK_JAVA_OPTIONS", HEAP)
                .environment("MALLOC_ARENA_MAX", "2"); // as the service and the image have it
        boolean isLong = LENGTH.compareTo(SECOND_HOUR) >= 0;
        WallClock clock = isLong ? WallClock.of(home, Duration.ZERO) : null;
        PosternProcess postern = home.start();
        List<Sample> samples = new ArrayList<>();
        List<Long> liveHeaps = new ArrayList<>();
        ScheduledExecutorService senders = Executors.newScheduledThreadPool(8);
        long began = System.nanoTime();
        try {
            begin(senders, postern, home.operator());
            Duration pause = LENGTH.dividedBy(SAMPLES);
            for (int i = 1; i <= SAMPLES; i++) {
                Duration next = pause.multipliedBy(i);
                await().atMost(pause.plus(LONGEST))
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> since(began).compareTo(next) > 0);
                samples.add(Sample.of(postern, home, since(began)));
                if (i == (int) (SAMPLES * SETTLED) || i == SAMPLES) {
                    liveHeaps.add(LiveHeap.mebibytes(LiveHeap.bytes(postern)));
                }
                if (clock != null && isFirstAfter(NEXT_DAYS, next, pause)) {
                    clock.set(Duration.ofDays(3));
                }
            }
        } finally {
            senders.shutdownNow();
        }
        List<Sample> settled = samples.subList((int) (SAMPLES * SETTLED), SAMPLES);
        Sample first = settled.get(0);
        Sample last = samples.get(SAMPLES - 1);
        double percent = slope(settled) / first.residentKib() * 100;
        String figures = String.format(
                Locale.ROOT,
                "%d requests answered in %d minutes; %s; %s; live heaps %s MiB; slope of the resident memory %.2f %% an hour",
                answered.get(),
                LENGTH.toMinutes(),
                first,
                last,
                liveHeaps,
                percent);
        System.out.println(figures);
        assertThat(faults).isEmpty();
        assertSteady(samples, Sample::threads);
        assertSteady(samples, Sample::handles);
        if (LENGTH.compareTo(LONG_ENOUGH) >= 0) {
            assertThat(percent).isLessThan(STEEPEST_PERCENT);
            assertThat(last.loaders()).isLessThanOrEqualTo(first.loaders() + SOME_MORE);
            assertThat(liveHeaps.get(1)).isLessThanOrEqualTo(liveHeaps.get(0) + SOME_MORE);
        }
        if (isLong) {
            assertThat((double) last.databaseMebibytes())
                    .isLessThan(samples.get(SAMPLES / 2).databaseMebibytes() * LARGEST_DATABASE);
        }
        assertThat(postern.stop()).isZero();
        assertThat(postern.log()).doesNotContain("WARNING", "SEVERE", "\tat ");
        ProofReport.add("hours", figures);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static boolean isFirstAfter(Duration moment, Duration now, Duration pause) {
        return now.compareTo(moment) >= 0 && now.minus(pause).compareTo(moment) < 0;
    }

    /** Requires that the second half of {@code samples} has no higher {@code value} than the first. */
    private static void assertSteady(List<Sample> samples, ToLongFunction<Sample> value) {
        assertThat(most(samples.subList(SAMPLES / 2, SAMPLES), value))
                .isLessThanOrEqualTo(most(samples.subList(0, SAMPLES / 2), value) + SOME_MORE);
    }

    private static String[] settings() {
        PEERS.toolServer();
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        PEERS.stubFor(post(PeerServersExtension.CHAT)
                .withRequestBody(matching("(?s).*\"role\" ?: ?\"tool\".*"))
                .willReturn(okJson(PeerServersExtension.reply("It rains.", "stop"))));
        PEERS.stubFor(post("/chat.postMessage").willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}")));
        return new String[] {
            HomeFixture.hooks(
                    "maxPending: 100000",
                    "mappings: [{id: mapped, match: {path: mapped}, template: '{{payload.text}}', agentId: asker,"
                            + " channel: ops, to: C1}]"),
            "agents: {defaults: {model: lab/large, heartbeat: {every: 1m}}, list: [{id: main, default: true, " + TOOLS
                    + "}, {id: asker, " + TOOLS + "}]}",
            "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + PEERS.baseUrl() + "'}}",
            "retention: {days: 1}",
            "requests: {keep: 1d}",
            PEERS.provider(),
            PEERS.tools()
        };
    }

    /** Begins to send wakes, mapped requests with turns of tools and replies, and looks at the console's data. */
    private void begin(ScheduledExecutorService senders, PosternProcess postern, String operator) {
        HookSender sender = postern.sender();
        HookSender viewer = sender.withToken(null);
        AtomicLong count = new AtomicLong();
        every(senders, RATE, () -> {
            String body = "{\"text\":\"number " + count.incrementAndGet() + "\",\"mode\":\"next-heartbeat\"}";
            return sender.post("wake", body);
        });
        every(senders, RATE / 10, () -> sender.post("mapped", "{\"text\":\"How is it in Rome?\"}"));
        every(
                senders,
                RATE / 20,
                () -> viewer.get(
                        "../console/api/" + VIEWS.get((int) (count.get() % VIEWS.size())),
                        List.of("Authorization", operator)));
        every(senders, RATE / 20, () -> sender.get("../metrics"));
    }

    private interface Request {
        PosternResponse send() throws IOException, InterruptedException;
    }

    private void every(ScheduledExecutorService senders, int perSecond, Request request) {
        var unused = senders.scheduleAtFixedRate(
                () -> send(senders, request), 0, TimeUnit.SECONDS.toNanos(1) / perSecond, TimeUnit.NANOSECONDS);
    }

    private void send(ScheduledExecutorService senders, Request request) {
        try {
            PosternResponse response = sentAgain(request);
            answered.incrementAndGet();
            if (response.status() / 100 != 2) {
                faults.add(response.toString());
            }
        } catch (IOException | RuntimeException failure) {
            if (!senders.isShutdown()) {
                faults.add(failure.toString());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends once more where a connection breaks, as one does that a clock which was set calls idle. */
    private static PosternResponse sentAgain(Request request) throws IOException, InterruptedException {
        try {
            return request.send();
        } catch (IOException broken) {
            return request.send();
        }
    }

    private static long most(List<Sample> samples, ToLongFunction<Sample> value) {
        return samples.stream().mapToLong(value).max().orElseThrow();
    }

    /** The KiB that come up in an hour, by least squares. */
    private static double slope(List<Sample> samples) {
        double hours = samples.stream().mapToDouble(Sample::hours).average().orElseThrow();
        double resident =
                samples.stream().mapToDouble(Sample::residentKib).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (Sample sample : samples) {
            products += (sample.hours() - hours) * (sample.residentKib() - resident);
            squares += Math.pow(sample.hours() - hours, 2);
        }
        return products / squares;
    }
}

package dev.postern.it.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import dev.postern.it.standalone.WakeProbe.WakeTimes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of a Postern with a heap of 256 MiB while many runs wait for room in a budget: of few sessions, and each of a session of
 * its own. {@code -Dit.flood.runs=100000 -Dit.flood.wakes=300} is the long one.
 */
@Tag("long")
@Tag("flood")
@Timeout(600)
class WaitingRunsIT {

    private static final int RUNS = Integer.getInteger("it.flood.runs", 2_000);
    private static final int WAKES = Integer.getInteger("it.flood.wakes", 20);
    private static final int PAGES = 20;
    private static final int CONNECTIONS = 64;
    private static final int PIPELINED = 50;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration LONGEST_WAKE = TimeBound.of(Duration.ofSeconds(1));
    private static final Duration LONGEST_PAGE = TimeBound.of(Duration.ofMillis(300));
    private static final Duration LONGEST_START = TimeBound.of(Duration.ofSeconds(5));
    private static final Pattern ACCEPTED = Pattern.compile("HTTP/1\\.1 202 ");
    private static final Pattern COOKIE = Pattern.compile("(?m)^Set-Cookie: ([^;]+);");
    private static final String CLOSE = "Connection: close\r\n";

    private static final String HOOKS = HomeFixture.hooks(
            "maxPending: 500000",
            "allowedSessionKeyPrefixes: ['hook:']",
            "mappings: [{id: paid, match: {path: paid}, messageTemplate: '{{n}}', wakeMode: next-heartbeat,"
                    + " sessionKey: 'hook:{{session}}'}]");

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private HomeFixture home;

    @ParameterizedTest
    @ValueSource(ints = {10, Integer.MAX_VALUE})
    void goesOnWhileManyRunsWait(int sessions) throws Exception {
        home = homeFixtureExtension
                .newHome()
                .settings(HOOKS, "console: local", "budgets: {few: {for: {hook: paid}, runs: 1, per: 24h}}")
                .environment("JDK_JAVA_OPTIONS", "-Xmx256m");
        PosternProcess postern = home.start();
        long began = System.nanoTime();
        fill(postern.base(), sessions);
        long perSecond = RUNS * 1_000L / Math.max(1, since(began).toMillis());

        WakeTimes wakes = wakes(postern);
        String session = login(postern.base());
        Duration runsPage = slowest(postern.base(), "/console/runs", session);
        Duration overview = slowest(postern.base(), "/console/", session);
        long heap = LiveHeap.bytes(postern);
        assertThat(postern.log()).doesNotContain("OutOfMemoryError");
        assertThat(postern.stop()).isZero();
        long stopped = System.nanoTime();
        PosternProcess next = home.start();
        Duration start = since(stopped);
        WakeTimes wakesAfterStart = wakes(next);

        String figures = String.format(
                "%d runs of %s wait: %d accepted a second; %s; after a start in %d ms %s; runs page %d ms, overview %d ms; %d MiB of heap",
                RUNS,
                sessions < RUNS ? sessions + " sessions" : "as many sessions",
                perSecond,
                wakes,
                start.toMillis(),
                wakesAfterStart,
                runsPage.toMillis(),
                overview.toMillis(),
                LiveHeap.mebibytes(heap));
        System.out.println(figures);
        assertThat(wakes.percentile(99)).as(figures).isLessThan(LONGEST_WAKE);
        assertThat(wakesAfterStart.percentile(99)).as(figures).isLessThan(LONGEST_WAKE);
        assertThat(List.of(runsPage, overview)).as(figures).allSatisfy(page -> assertThat(page)
                .isLessThan(LONGEST_PAGE));
        assertThat(start).as(figures).isLessThan(LONGEST_START);
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT count(*) FROM run WHERE finished_at IS NULL"))
                    .containsExactly(Integer.toString(RUNS - 1));
        }
        assertThat(next.log()).doesNotContain("OutOfMemoryError");
        ProofReport.add("flood", figures);
    }

    private static void fill(URI server, int sessions) throws Exception {
        ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> batches = new ArrayList<>();
            for (int first = 0; first < RUNS; first += PIPELINED) {
                int start = first;
                batches.add(senders.submit(() -> {
                    StringBuilder requests = new StringBuilder();
                    for (int i = start; i < start + PIPELINED; i++) {
                        requests.append(request(i, i % sessions, i + 1 < start + PIPELINED ? "" : CLOSE));
                    }
                    String answers =
                            RawExchange.with(server, requests.toString()).answer();
                    assertThat(ACCEPTED.matcher(answers).results().count()).isEqualTo(PIPELINED);
                    return null;
                }));
            }
            for (Future<?> batch : batches) {
                batch.get();
            }
        } finally {
            senders.shutdownNow();
        }
    }

    private static String request(int number, int session, String header) {
        String body = "{\"n\":" + number + ",\"session\":\"s" + session + "\"}";
        return "POST /hooks/paid HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + HomeFixture.TOKEN + "\r\n"
                + header + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    private static WakeTimes wakes(PosternProcess postern) throws Exception {
        try (WakeProbe wakes = WakeProbe.start(postern.base())) {
            await("wakes").atMost(LONGEST).until(() -> wakes.count() >= WAKES);
            return wakes.stop();
        }
    }

    /** The cookie of an operator's session. */
    private String login(URI server) throws IOException {
        String body = "name=operator&password="
                + URLEncoder.encode(home.read("secrets/console-password").strip(), UTF_8);
        RawExchange login = RawExchange.with(
                server,
                "POST /console/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + CLOSE + "Content-Length: " + body.length() + "\r\n\r\n" + body);
        Matcher cookie = COOKIE.matcher(login.answer());
        assertThat(cookie.find()).as(login.answer()).isTrue();
        return cookie.group(1);
    }

    /** The longest time that the page at {@code path} takes, after the first, which compiles it. */
    private static Duration slowest(URI server, String path, String session) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n" + CLOSE + "Cookie: "
                + session + "\r\n\r\n";
        Duration slowest = Duration.ZERO;
        for (int i = 0; i <= PAGES; i++) {
            long began = System.nanoTime();
            RawExchange page = RawExchange.with(server, request);
            Duration took = since(began);
            assertThat(page.status()).as(page.answer()).isEqualTo(200);
            slowest = i > 0 && took.compareTo(slowest) > 0 ? took : slowest;
        }
        return slowest;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}

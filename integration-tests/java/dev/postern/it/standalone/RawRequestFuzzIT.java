package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.postern.it.ProofReport;
import dev.postern.it.standalone.RawHeaderGenerator.RawSecrets;
import dev.postern.it.standalone.RawRequestGenerator.RawRequest;
import dev.postern.it.standalone.RawRequestGenerator.Scene;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of a Postern that gets any bytes at each of its addresses. Each connection gets whole responses, none of which is an
 * internal error, or ends, in ten seconds. The log has no stack trace and nothing of what was sent.
 *
 * <p>{@code -Dit.raw.duration=1200} goes on for so many seconds; {@code -Dit.seed} begins with the requests of an earlier
 * failure.
 */
@Tag("long")
@Tag("raw")
@Timeout(7_200)
class RawRequestFuzzIT {

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("it.raw.duration", 10));
    private static final Long SEED = Long.getLong("it.seed");
    private static final int SENDERS = 2;
    /** The number of inputs that have one seed. */
    private static final int INPUTS = 100;

    private static final String SIGNING = "c4nary-signing-0123456789abcdef";
    private static final String PAYLOAD = "c4nary-payload-";
    private static final String WAKE = "{\"text\":\"still there\",\"mode\":\"next-heartbeat\"}";
    private static final Pattern BAD_LINE = Pattern.compile("(?m)^.*(\tat |Exception|SEVERE|java\\.lang|Error:).*$");
    /** A line that says on what a user acted, which is what the address says. */
    private static final Pattern AUDIT_LINE = Pattern.compile("(?m)^.* INFO dev\\.postern\\.console\\.AuditLog: .*$");

    private static final Pattern SESSION = Pattern.compile("JSESSIONID=[0-9A-F]+");

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static PosternProcess postern;
    private static RawResponseCheck check;
    private static Scene scene;
    private static List<String> secrets;

    private final Map<Integer, Long> statuses = new ConcurrentSkipListMap<>();
    private final AtomicLong silent = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();
    private int checkedLog;

    @BeforeAll
    static void start() throws Exception {
        HomeFixture home = HOMES.newHome()
                .settings(
                        HomeFixture.hooks(
                                "maxPending: 10000000",
                                "bodyTimeoutSeconds: 2",
                                "throttle: {failures: 1000, windowSeconds: 1, lockoutSeconds: 1}",
                                "presets: [github, gitlab, stripe, slack, sentry, pagerduty, jira, linear, grafana, alertmanager, gmail]",
                                "signingSecrets: {"
                                        + String.join(
                                                ": " + SIGNING + ", ",
                                                "github",
                                                "gitlab",
                                                "stripe",
                                                "slack",
                                                "sentry",
                                                "pagerduty",
                                                "jira",
                                                "linear",
                                                "grafana")
                                        + ": " + SIGNING + "}",
                                "mappings:",
                                "- {match: {path: standard}, messageTemplate: x, verify: {scheme: standard-webhooks, secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}}",
                                "- {match: {path: mapped}, deliver: false, messageTemplate: 'a {{payload.text}} {{query.a}}'}",
                                "- {match: {path: fan}, forEach: items, action: wake, textTemplate: '{{item.a}}'}"),
                        "requests: {payloads: failed}");
        postern = home.start();
        String run = postern.sender()
                .post("agent", "{\"message\":\"a\",\"deliver\":false}")
                .text("runId");
        postern.sender().ended(run);
        String session = session(home);
        String operator = home.operator();
        secrets = List.of(
                HomeFixture.TOKEN,
                SIGNING,
                session,
                operator,
                home.read("secrets/console-password").strip());
        check = new RawResponseCheck(postern.base().resolve("/"), secrets);
        String document = postern.sender()
                .withToken(null)
                .get("/console/api/openapi.json", List.of("Authorization", operator))
                .body();
        scene = new Scene(
                JsonParser.parseString(document).getAsJsonObject(),
                List.of(run, "run_0", "127.0.0.1", "main"),
                new RawSecrets(HomeFixture.TOKEN, operator, "JSESSIONID=" + session, SIGNING),
                PAYLOAD,
                RawExampleGenerator.samples());
    }

    /** Where to begin; the short test begins at the same ones each time, so that a build tells of its own change. */
    static LongStream seeds() {
        if (SEED != null) {
            return LongStream.of(SEED);
        }
        return LongStream.of(1, Integer.getInteger("it.raw.duration") == null ? 1_000_000 : System.nanoTime());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAnyBytes(long first) throws Exception {
        long start = System.nanoTime();
        long share = DURATION.toNanos() / seeds().count();
        checkedLog = postern.log().length();
        long seed = first;
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        try {
            while (System.nanoTime() - start < share) {
                send(seed, senders);
                checkLog(seed);
                seed++;
            }
        } finally {
            senders.shutdownNow();
        }
        assertThat(postern.isAlive()).isTrue();
        String figures = String.format(
                "%,d inputs in %d s (seeds from %d on): %s; %d without a response, the slowest %d ms; no 500, no hang, no stack trace",
                (seed - first) * INPUTS,
                Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                first,
                new TreeMap<>(statuses),
                silent.get(),
                slowest.get());
        System.out.println(figures);
        ProofReport.add("raw", figures);
    }

    /** Sends the inputs of a seed. */
    private void send(long seed, ExecutorService senders) throws Exception {
        RawRequestGenerator generator = new RawRequestGenerator(seed, scene);
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < INPUTS; i++) {
            RawRequest request = generator.next();
            sent.add(senders.submit(() -> {
                send(seed, request);
                return null;
            }));
        }
        sent.add(senders.submit(
                () -> assertThat(postern.sender().post("wake", WAKE).status())
                        .as("a right wake")
                        .isEqualTo(200)));
        for (Future<?> each : sent) {
            each.get();
        }
    }

    private void send(long seed, RawRequest request) {
        try {
            exchange(request);
        } catch (IOException | AssertionError | RuntimeException e) {
            throw new AssertionError("-Dit.seed=" + seed + ": " + e + "\nfor the request\n" + request, e);
        }
    }

    private void exchange(RawRequest request) throws IOException {
        RawFuzzConnection connection = RawFuzzConnection.send(postern.base(), request);
        slowest.accumulateAndGet(connection.millis(), Math::max);
        List<Integer> answered = check.statuses(request.text(), connection.received(), connection.isReset());
        answered.forEach(status -> statuses.merge(status, 1L, Long::sum));
        if (connection.received().isEmpty() && request.isAnswered()) {
            silent.incrementAndGet();
        }
    }

    private void checkLog(long seed) {
        String log = postern.log();
        String lines = log.substring(checkedLog);
        checkedLog = log.length();
        Matcher bad = BAD_LINE.matcher(lines);
        boolean isBad = bad.find()
                || AUDIT_LINE.matcher(lines).replaceAll("").contains(PAYLOAD)
                || secrets.stream().anyMatch(lines::contains);
        assertThat(isBad)
                .as("-Dit.seed=%d (or the one before): the log says\n%s", seed, lines)
                .isFalse();
    }

    /** The session of an operator's login. */
    private static String session(HomeFixture home) throws Exception {
        String form = "name=operator&password="
                + home.read("secrets/console-password").strip();
        HttpRequest login = HttpRequest.newBuilder(postern.base().resolve("/console/login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        String cookie = HttpClient.newHttpClient()
                .send(login, BodyHandlers.discarding())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        Matcher session = SESSION.matcher(cookie);
        assertThat(session.find()).isTrue();
        return session.group().substring("JSESSIONID=".length());
    }
}

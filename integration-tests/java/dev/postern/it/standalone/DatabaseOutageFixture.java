package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.it.ProofReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fixture with a Postern under load on a PostgreSQL that goes away in between, and comes back. {@code -Dit.away=30}
 * keeps it away for 30 seconds instead of six.
 */
abstract class DatabaseOutageFixture {

    /** How long the database stays away. */
    static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("it.away", 6));

    private static final Duration LONGEST_ANSWER = TimeBound.of(Duration.ofSeconds(2));
    /** As long as it may take to go on with everything. */
    private static final Duration LONGEST_PAUSE = TimeBound.of(Duration.ofSeconds(5));

    private static final Duration LONGEST_REST = Duration.ofSeconds(60);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static final String ALL_TEXTS =
            "SELECT message FROM run UNION ALL SELECT text FROM event WHERE kind = 'wake'";

    private static final String NOT_DONE =
            """
            SELECT id FROM run WHERE state <> 'succeeded' UNION ALL
            SELECT id FROM event WHERE taken_at IS NULL UNION ALL
            SELECT id FROM delivery WHERE state = 'pending'""";

    private static final String WITHOUT_ONE_SUMMARY =
            """
            SELECT id FROM run WHERE 1 <>
            (SELECT count(*) FROM event WHERE kind = 'summary' AND run_id = run.id)""";

    @RegisterExtension
    static final WireMockExtension CRM = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** The name of the test's own database, of its role and of the role's password. */
    final String database = "away" + COUNT.incrementAndGet();

    private final PostgresDatabases server;
    private HomeFixture home;
    private HookSender sender;

    /** A part of an outage. */
    interface Step {
        void run() throws Exception;
    }

    /** @param server the class's own, which it registers as an extension */
    DatabaseOutageFixture(PostgresDatabases server) {
        this.server = server;
    }

    /** As {@link #survives(String, int, Duration, Step, Step)}, once, for the usual time. */
    final void survives(String what, Step begin, Step end) throws Exception {
        survives(what, 1, AWAY, begin, end);
    }

    /**
     * Has a Postern under load live through outages: all of it is done once, soon after the database is back each time.
     *
     * @param what the outage for the report
     * @param times the number of outages
     * @param away the shortest time that each of them takes
     * @param begin has the database go away
     * @param end has it come back
     */
    final void survives(String what, int times, Duration away, Step begin, Step end) throws Exception {
        PosternProcess postern = start();
        String running = ask("wait for go", ",\"model\":\"program/x\"");
        await().atMost(LONGEST_REST)
                .until(() -> sender.run(running), run -> run.text("status").equals("running"));
        RetryingLoad load = RetryingLoad.begin(sender);
        await().atMost(LONGEST_REST).until(() -> load.taken().size() > 50);
        assertThat(load.unavailableCount()).isZero();

        Longest longest = new Longest();
        for (int i = 0; i < times; i++) {
            try {
                begin.run();
                longest.metrics = Longest.longer(longest.metrics, staysUp(away));
            } finally {
                end.run();
            }
            longest.answer = Longest.longer(longest.answer, load.slowest());
            comesBack(load, running, "afterwards " + i, longest);
        }
        load.end();
        await().atMost(LONGEST_REST).until(() -> server.column(database, NOT_DONE), List::isEmpty);
        String figures = String.format(
                "%s %d times, away for %d s: %d taken, %d put off, slowest answer %d ms (then %d ms), metrics %d ms; back:"
                        + " accepts after %d ms, ready %d, delivers %d, ended %d; attempts of the running turn: %d",
                what,
                times,
                away.toSeconds(),
                load.taken().size(),
                load.unavailableCount(),
                longest.answer.toMillis(),
                load.slowest().toMillis(),
                longest.metrics.toMillis(),
                longest.accepting.toMillis(),
                longest.ready.toMillis(),
                longest.delivered.toMillis(),
                longest.ended.toMillis(),
                sender.run(running).number("attempts"));
        System.out.println(figures);
        assertThat(load.faults()).isEmpty();
        assertThat(load.unavailableCount()).isPositive();
        assertThat(longest.answer).isLessThan(LONGEST_ANSWER);
        List<String> kept = server.column(database, ALL_TEXTS);
        Set<String> once = new HashSet<>(kept);
        assertThat(kept).as("nothing is done twice").hasSameSizeAs(once);
        assertThat(once).as("nothing is lost").containsAll(load.taken());
        assertThat(once).as("nothing is half done").doesNotContainAnyElementsOf(load.refused());
        assertThat(server.column(database, WITHOUT_ONE_SUMMARY)).isEmpty();
        assertThat(postern.stop()).isZero();
        ProofReport.add("outage", figures);
    }

    /** The longest times of several outages. */
    private static final class Longest {

        private Duration metrics = Duration.ZERO;
        private Duration answer = Duration.ZERO;
        private Duration accepting = Duration.ZERO;
        private Duration ready = Duration.ZERO;
        private Duration delivered = Duration.ZERO;
        private Duration ended = Duration.ZERO;

        static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? other : one;
        }
    }

    /** Sees that all goes on soon, now that the database is back. */
    private void comesBack(RetryingLoad load, String running, String message, Longest longest) throws Exception {
        long back = System.nanoTime();
        int before = load.taken().size();
        sees(LONGEST_PAUSE).until(() -> load.taken().size() > before);
        longest.accepting = Longest.longer(longest.accepting, since(back));
        sees(LONGEST_PAUSE.minus(since(back)))
                .until(() -> timely("/health/ready").status() == 200);
        longest.ready = Longest.longer(longest.ready, since(back));
        String later = ask(message, ",\"channel\":\"crm\"");
        sees(LONGEST_PAUSE.minus(since(back)))
                .until(() -> sender.run(later).text("delivery").equals("delivered"));
        longest.delivered = Longest.longer(longest.delivered, since(back));
        sees(LONGEST_PAUSE.minus(since(back)))
                .until(() -> sender.run(running).text("status").equals("succeeded"));
        longest.ended = Longest.longer(longest.ended, since(back));
    }

    /** Reads the pages while the database is away; returns the longest time that the metrics took. */
    private Duration staysUp(Duration away) throws Exception {
        long begun = System.nanoTime();
        sees(LONGEST_ANSWER).untilAsserted(() -> {
            PosternResponse ready = timely("/health/ready");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.body()).contains("the database does not");
        });
        home.file("agents/main/go", "");
        List<Duration> scrapes = new ArrayList<>();
        await().atMost(away.plus(LONGEST_REST))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    scrapes.add(look());
                    return since(begun).compareTo(away) >= 0;
                });
        return Collections.max(scrapes);
    }

    /** Reads them once; returns how long the metrics took. */
    private Duration look() throws Exception {
        assertThat(timely("/health/live").status()).isEqualTo(200);
        assertThat(timely("/health/ready").status()).isEqualTo(503);
        long start = System.nanoTime();
        assertThat(timely("/metrics").body()).contains("postern_pending ");
        Duration took = since(start);
        PosternResponse overview = timely("/console/api/overview", "Authorization", home.operator());
        assertThat(overview.status()).isEqualTo(200);
        assertThat(overview.text("sentence")).startsWith("The database does not answer");
        PosternResponse followed = sender.get("runs/run_1", List.of("Accept", "text/event-stream"));
        assertThat(followed.status()).isEqualTo(503);
        assertThat(followed.header("Retry-After")).isNotEmpty();
        return took;
    }

    private PosternProcess start() throws Exception {
        CRM.stubFor(post("/crm").willReturn(ok()));
        server.database(database);
        home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(
                        HomeFixture.hooks("mappings: [{id: mapped, match: {path: mapped}, deliver: false,"
                                        + " messageTemplate: '{{payload.message}}'}]")
                                + "database: {url: '" + server.url(database) + "', username: " + database
                                + ", password: " + database + "}\n"
                                + "channels: {crm: {kind: webhook, url: '" + CRM.baseUrl()
                                + "/crm', secret: whsec_c2VjcmV0, allowPrivateAddresses: true}}",
                        "defaults: {model: offline/echo}");
        PosternProcess postern = home.start();
        sender = postern.sender();
        return postern;
    }

    /** The id of the run that answers {@code message}. */
    private String ask(String message, String more) throws IOException, InterruptedException {
        return sender.post("agent", "{\"message\":\"" + message + "\"" + more + "}")
                .text("runId");
    }

    /** What is at {@code path}, in time. */
    private PosternResponse timely(String path, String... headers) throws IOException, InterruptedException {
        long start = System.nanoTime();
        PosternResponse posternResponse =
                (headers.length == 0 ? sender : sender.withToken(null)).get(path, List.of(headers));
        assertThat(since(start)).as(path).isLessThan(LONGEST_ANSWER);
        return posternResponse;
    }

    private static ConditionFactory sees(Duration longest) {
        return await().atMost(longest).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.it.ProofReport;
import dev.postern.it.standalone.BurstLoad.SentRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the state that SIGKILL leaves. {@code -Dit.kills=20} kills 20 times instead of three. {@code -Dit.seed}
 * chooses the moments of an earlier run again, as far as a clock can.
 */
@Tag("long")
@Tag("kill")
@Timeout(3_600)
class KillIT {

    private static final int KILLS = Integer.getInteger("it.kills", 3);
    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final int MOST_REPEATED = 200;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LONGEST_REST = Duration.ofMinutes(3);
    private static final Duration LONGEST_START = TimeBound.of(Duration.ofSeconds(5));
    private static final Pattern PENDING = Pattern.compile("(?m)^postern_pending ([0-9.]+)$");

    private static final String DONE_TWICE =
            "SELECT text FROM (" + BurstLoad.TEXTS + ") GROUP BY text HAVING count(*) > 1";

    private static final String UNTAKEN = "SELECT id FROM event WHERE kind = 'wake' AND taken_at IS NULL";

    private static final String WITHOUT_ONE_SUMMARY =
            """
            SELECT id FROM run WHERE state <> 'succeeded'
            OR (SELECT count(*) FROM event WHERE kind = 'summary' AND run_id = run.id) <> 1""";

    /** Runs that overtook another one of their session. */
    private static final String OUT_OF_ORDER =
            """
            SELECT later.id FROM run later JOIN run earlier
            ON earlier.session_key = later.session_key AND earlier.seq < later.seq
            WHERE earlier.finished_at > later.finished_at""";

    private static final String UNDELIVERED = "SELECT id FROM delivery WHERE state <> 'delivered'";

    private static final String PROGRAM = "defaults: {model: program/x, maxAttempts: 2}";

    @RegisterExtension
    static final WireMockExtension CHANNEL = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void losesNothingThatWasAnsweredAndDoesNothingTwice() throws Exception {
        CHANNEL.stubFor(BurstLoad.replyTaken());
        HomeFixture home = homeFixtureExtension.newHome().settings(BurstLoad.sections(CHANNEL.baseUrl()));
        Random random = new Random(SEED);
        BurstLoad load = new BurstLoad();
        Instant began = Instant.now();
        Duration slowestStart = Duration.ZERO;
        int repeated = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            if (kill % 3 == 1) {
                killWhileItStarts(home, random);
            }
            Instant start = Instant.now();
            PosternProcess postern = home.start();
            slowestStart = longer(slowestStart, Duration.between(start, Instant.now()));
            repeated += load.repeat(postern.sender(), MOST_REPEATED);
            BurstLoad.RunningLoad running = load.start(postern.sender());
            pass(Duration.ofMillis(300 + random.nextInt(1200)));
            postern.kill();
            running.join();
        }
        PosternProcess last = home.start();
        repeated += load.repeat(last.sender(), Integer.MAX_VALUE);
        last.sender().post("wake", "{\"text\":\"the last one\"}");
        await().atMost(LONGEST_REST).until(() -> pending(last), pending -> pending == 0);
        Set<String> lost = unfinished(last.sender(), load.answered());
        assertThat(last.stop()).isZero();

        try (HomeDatabase database = home.database()) {
            Set<String> kept =
                    new HashSet<>(database.column("SELECT id || ' ' || text FROM (" + BurstLoad.TEXTS + ")"));
            load.answered().stream()
                    .map(sent -> sent.id() + " " + sent.text())
                    .filter(sent -> !kept.contains(sent))
                    .forEach(lost::add);
            List<String> replies = CHANNEL.findAll(postRequestedFor(urlPathEqualTo(BurstLoad.REPLIES))).stream()
                    .map(LoggedRequest::getBodyAsString)
                    .toList();
            load.answered().stream()
                    .filter(sent -> sent.hasReply() && replies.stream().noneMatch(reply -> reply.contains(sent.text())))
                    .forEach(sent -> lost.add(sent.toString()));
            String figures = String.format(
                    "%d kills (seed %d): %d requests answered, %d repeated, %d lost, %d replies sent, ready again in %d ms"
                            + " at most, %s",
                    KILLS,
                    SEED,
                    load.answered().size(),
                    repeated,
                    lost.size(),
                    replies.size(),
                    slowestStart.toMillis(),
                    Duration.between(began, Instant.now()));
            System.out.println(figures);
            assertThat(lost).isEmpty();
            assertThat(database.column(DONE_TWICE)).isEmpty();
            assertThat(database.column(WITHOUT_ONE_SUMMARY)).isEmpty();
            assertThat(database.column(UNTAKEN)).isEmpty();
            assertThat(database.column(UNDELIVERED)).isEmpty();
            assertThat(database.column(OUT_OF_ORDER)).isEmpty();
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
            assertThat(slowestStart).isLessThan(LONGEST_START);
            ProofReport.add("kill", figures);
        }
    }

    @Test
    void runsAgainWhatWasInterruptedAndSaysSo() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settingsWithProgram(HomeFixture.hooks(), PROGRAM);
        PosternProcess first = home.start();
        String run = ask(first, "slow at first");
        awaitBegun(home, 1);
        first.kill();

        PosternProcess second = home.start();
        PosternResponse ended = second.sender().ended(run);

        assertThat(ended.text("status")).isEqualTo("succeeded");
        assertThat(ended.number("attempts")).isEqualTo(2);
        assertThat(second.stop()).isZero();
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT text FROM event WHERE kind = 'summary'"))
                    .singleElement()
                    .asString()
                    .startsWith("Hook Nightly: turn taken")
                    .endsWith("[" + run + ", attempt 2 after an interruption]");
        }
    }

    @Test
    void givesUpWhatWasInterruptedTooOften() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settingsWithProgram(HomeFixture.hooks(), PROGRAM);
        PosternProcess first = home.start();
        String run = ask(first, "always slow");
        awaitBegun(home, 1);
        first.kill();
        PosternProcess second = home.start();
        awaitBegun(home, 2);
        second.kill();

        PosternResponse ended = home.start().sender().ended(run);

        assertThat(ended.text("status")).isEqualTo("failed");
        assertThat(ended.number("attempts")).isEqualTo(2);
        assertThat(ended.text("error")).contains("interrupted", "no attempt is left");
        assertThat(home.read("agents/main/begun").lines()).hasSize(2);
    }

    private static String ask(PosternProcess postern, String message) throws Exception {
        String body = "{\"message\":\"" + message + "\",\"name\":\"Nightly\",\"wakeMode\":\"next-heartbeat\"}";
        return postern.sender().post("agent", body).text("runId");
    }

    private static void awaitBegun(HomeFixture home, int times) {
        await().atMost(LONGEST)
                .ignoreExceptions()
                .until(() -> home.read("agents/main/begun").lines().count() == times);
    }

    private static void killWhileItStarts(HomeFixture home, Random random) {
        PosternProcess starting = home.serve("--port", "0");
        pass(Duration.ofMillis(100 + random.nextInt(1500)));
        starting.kill();
    }

    /** Lets the time pass that the chosen moment is away. */
    private static void pass(Duration time) {
        Instant end = Instant.now().plus(time);
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> Instant.now()
                .isAfter(end));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static double pending(PosternProcess postern) throws Exception {
        var pending = PENDING.matcher(postern.sender().get("/metrics").body());
        assertThat(pending.find()).isTrue();
        return Double.parseDouble(pending.group(1));
    }

    private static Set<String> unfinished(HookSender sender, List<SentRequest> answered) throws Exception {
        Set<String> unfinished = new TreeSet<>();
        for (SentRequest each : answered) {
            if (!each.hook().equals("wake")
                    && !sender.run(each.id()).text("status").equals("succeeded")) {
                unfinished.add(each.id());
            }
        }
        return unfinished;
    }
}

package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test that each comment appears once, despite kills and lost answers. */
@Tag("kill")
class CommentIT {

    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final int COMMENTS = Integer.getInteger("it.comments", 40);
    private static final int KILLS = Integer.getInteger("it.comment.kills", 2);
    private static final int ISSUES = 7;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Pattern TAG = Pattern.compile("c[0-9]{4}");
    private static final String STILL_PENDING = "SELECT id FROM delivery WHERE state = 'pending'";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final IssueServer issues = new IssueServer();

    @AfterEach
    void stop() {
        issues.close();
    }

    @Test
    void commentsOnceOverKillsAndLostAnswers() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("maxPending: 100000"), channel(issues.address()));
        Random random = new Random(SEED);
        PosternProcess postern = home.start();
        for (int i = 0; i < COMMENTS; i++) {
            assertThat(postern.sender().post("agent", asking(i)).status()).isEqualTo(202);
        }
        for (int kill = 0; kill < KILLS; kill++) {
            // On a slow machine all may have arrived before the last kill.
            int enough = Math.min(COMMENTS, issues.comments().size() + 1 + random.nextInt(COMMENTS / KILLS));
            await().atMost(LONGEST)
                    .pollInterval(Duration.ofMillis(3))
                    .until(() -> issues.comments().size() >= enough);
            postern.kill();
            postern = home.start();
        }
        try (HomeDatabase database = home.database()) {
            await().atMost(LONGEST)
                    .until(() -> database.column("SELECT id FROM delivery"), all -> all.size() == COMMENTS);
            await().atMost(LONGEST).until(() -> database.column(STILL_PENDING), List::isEmpty);
            assertThat(postern.stop()).isZero();
            assertThat(database.column("SELECT count(*) FROM delivery WHERE state = 'delivered'"))
                    .containsExactly(Integer.toString(COMMENTS));
        }

        Map<String, Long> times = issues.comments().stream()
                .flatMap(comment -> TAG.matcher(comment).results().limit(1).map(MatchResult::group))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        String figures = String.format(
                "%d kills and %d lost answers (seed %d): %d comments, %d searches",
                KILLS, issues.lost(), SEED, issues.comments().size(), issues.searches());
        System.out.println(figures);
        assertThat(times.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, COMMENTS).mapToObj(CommentIT::tag).toList());
        assertThat(times.values()).containsOnly(1L);
        assertThat(issues.comments()).hasSize(COMMENTS);
        assertThat(issues.lost()).isPositive();
        ProofReport.add("kill", figures);
    }

    private static String channel(String address) {
        return "channels:\n  github: {token: github_pat_x, baseUrl: '" + address + "'}\n";
    }

    private static String tag(int number) {
        return String.format("c%04d", number);
    }

    private static String asking(int number) {
        return "{\"message\":\"" + tag(number)
                + " says nothing\",\"wakeMode\":\"next-heartbeat\",\"channel\":\"github\""
                + ",\"to\":\"octocat/Hello-World#" + (1 + number % ISSUES) + "\"}";
    }
}

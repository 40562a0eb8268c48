package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the memory of a session with many hooks, and of a main session with many wakes, across a SIGKILL. */
@Tag("long")
class SessionsIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int HOOKS = 50;
    private static final int WAKES = 1000;
    private static final Pattern PLACE = Pattern.compile("(?m)^(?:in order|note) ([0-9]+)$");
    private static final String SAID = "SELECT text FROM turn WHERE role = 'user' ORDER BY session_key, seq";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void takesFiftyHooksOfOneSessionInTheOrderOfTheirAcceptance() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settingsWithProgram(
                        HomeFixture.hooks("allowRequestSessionKey: true"),
                        "maxConcurrent: 8, defaults: {model: program/x, maxAttempts: 3}");
        PosternProcess first = home.start();
        List<CompletableFuture<PosternResponse>> answers = new ArrayList<>();
        for (int i = 0; i < HOOKS; i++) {
            String body =
                    "{\"message\":\"in order " + i + "\",\"sessionKey\":\"lane\",\"wakeMode\":\"next-heartbeat\"}";
            answers.add(first.sender().postLater("agent", body));
        }
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(202));
        await().atMost(LONGEST)
                .ignoreExceptions()
                .until(() -> home.read("agents/main/order-lane").lines().count() >= 10);
        first.kill();

        PosternProcess second = home.start();
        for (CompletableFuture<PosternResponse> answer : answers) {
            assertThat(second.sender().ended(answer.join().text("runId")).text("status"))
                    .isEqualTo("succeeded");
        }
        assertThat(second.stop()).isZero();
        try (HomeDatabase database = home.database()) {
            List<String> accepted = places(database, "SELECT message FROM run ORDER BY seq");
            assertThat(accepted).hasSize(HOOKS).doesNotHaveDuplicates();
            assertThat(places(database, SAID)).isEqualTo(accepted);
        }
    }

    @Test
    void givesThousandWakesToAgentOnceAndInOrderAfterSigkill() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "agents: {defaults: {heartbeat: {every: off}}}");
        PosternProcess first = home.start();
        for (int i = 0; i < WAKES - 1; i++) {
            String body = "{\"text\":\"note " + i + "\",\"mode\":\"next-heartbeat\"}";
            assertThat(first.sender().post("wake", body).status()).isEqualTo(200);
        }
        first.kill();

        PosternProcess second = home.start();
        second.sender().post("wake", "{\"text\":\"note " + (WAKES - 1) + "\"}");
        try (HomeDatabase database = home.database()) {
            await().atMost(LONGEST)
                    .until(() -> database.column("SELECT id FROM event WHERE taken_at IS NULL"), List::isEmpty);
            assertThat(second.stop()).isZero();
            assertThat(places(database, SAID))
                    .isEqualTo(IntStream.range(0, WAKES)
                            .mapToObj(Integer::toString)
                            .toList());
        }
    }

    /** The numbers of what was asked, in the order of {@code select}. */
    private static List<String> places(HomeDatabase database, String select) {
        return database.column(select).stream()
                .flatMap(text -> PLACE.matcher(text).results())
                .map(found -> found.group(1))
                .collect(Collectors.toList());
    }
}

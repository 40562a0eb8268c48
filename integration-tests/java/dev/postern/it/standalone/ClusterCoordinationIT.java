package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test that three nodes on one PostgreSQL share the work, each item done by one of them. */
@Tag("long")
class ClusterCoordinationIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String CHAT = "/chat.postMessage";

    /** Says in which home the turn was taken, and which one it was. */
    private static final String PROGRAM = "case \"$(cat)\" in *slow*) sleep 1;; esac; pwd; echo $POSTERN_RUN_ID";

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static Cluster cluster;

    @BeforeAll
    static void begin() throws Exception {
        cluster = Cluster.start(
                HOMES,
                3,
                HomeFixture.hooks(),
                "agents: {maxConcurrent: 1, defaults: {model: program/x, heartbeat: {every: 1s}}}",
                "providers: {program: {kind: command, command: [sh, -c, '" + PROGRAM + "']}}",
                "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + SLACK.baseUrl() + "'}}");
        for (Cluster.Node node : cluster.nodes()) {
            node.home().file("agents/main/HEARTBEAT.md", "look around");
        }
    }

    @AfterAll
    static void end() throws Exception {
        cluster.close();
    }

    @Test
    void acceptOneIdempotencyKeyOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            String key = "key " + i;
            List<CompletableFuture<PosternResponse>> answers = new ArrayList<>();
            for (Cluster.Node node : cluster.nodes()) {
                answers.add(node.sender().postLater("agent", asking("once"), "Idempotency-Key", key));
            }
            assertThat(answers.stream().map(each -> each.join().text("runId")).distinct())
                    .hasSize(1);
            assertThat(answers.stream()
                            .filter(each -> each.join().body().contains("accepted"))
                            .filter(each ->
                                    each.join().header("Idempotent-Replayed").isEmpty()))
                    .hasSize(1);
            assertThat(cluster.node(i % 3)
                            .sender()
                            .post("agent", asking("another"), "Idempotency-Key", key)
                            .status())
                    .isEqualTo(422);
        }
    }

    @Test
    void tellOneWhoWaitsOfTheRunThatAnotherHasDone() throws Exception {
        Cluster.Node busy = cluster.node(0);
        List<CompletableFuture<PosternResponse>> answers = IntStream.range(0, 6)
                .mapToObj(i -> busy.sender().postLater("agent", asking("slow"), "Prefer", "wait=30"))
                .toList();

        assertThat(answers).allSatisfy(each -> {
            assertThat(each.join().status()).isEqualTo(200);
            assertThat(each.join().text("status")).isEqualTo("succeeded");
        });
        assertThat(answers.stream()
                        .map(each -> each.join().text("reply"))
                        .filter(home -> !home.startsWith(busy.home().directory().toString())))
                .isNotEmpty();
    }

    @Test
    void takeEachEventIntoOneHeartbeatOnSchedule() throws Exception {
        for (int i = 0; i < 30; i++) {
            String wake = "{\"text\":\"note " + i + ".\",\"mode\":\"next-heartbeat\"}";
            assertThat(cluster.node(i % 3).sender().post("wake", wake).status()).isEqualTo(200);
        }
        await().atMost(LONGEST)
                .until(
                        () -> cluster.column("SELECT id FROM event WHERE kind = 'wake' AND taken_at IS NULL"),
                        List::isEmpty);
        await().atMost(LONGEST)
                .until(
                        () -> cluster.column("SELECT seq FROM turn WHERE session_key = 'main:main'"),
                        all -> all.size() > 16);

        assertThat(cluster.column("SELECT m[1] FROM turn, regexp_matches(text, 'note [0-9]+\\.', 'g') AS m"
                        + " WHERE role = 'user' AND session_key = 'main:main'"))
                .hasSize(30)
                .doesNotHaveDuplicates();
        // What is known is when they ended, which for one of them may be a second late.
        assertThat(cluster.column("SELECT max(created_at) - min(created_at) - 1000 * (count(*) - 2)"
                        + " FROM turn WHERE role = 'user' AND session_key = 'main:main'"))
                .singleElement()
                .satisfies(left -> assertThat(Long.parseLong(left)).isNotNegative());
    }

    @Test
    void deliverEachReplyOnce() throws Exception {
        SLACK.stubFor(
                post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}").withFixedDelay(100)));
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String body =
                    "{\"message\":\"m\",\"wakeMode\":\"next-heartbeat\",\"channel\":\"ops\",\"to\":\"C0" + i + "\"}";
            runs.add(cluster.node(i % 3).sender().post("agent", body).text("runId"));
        }
        await().atMost(LONGEST).untilAsserted(() -> assertThat(runs)
                .allSatisfy(run -> assertThat(cluster.node(0).sender().run(run).text("delivery"))
                        .isEqualTo("delivered")));

        List<String> sent = SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT))).stream()
                .map(request -> request.getBodyAsString())
                .toList();
        assertThat(runs).allSatisfy(run -> assertThat(sent.stream().filter(body -> body.contains(run)))
                .hasSize(1));
    }

    private static String asking(String message) {
        return "{\"message\":\"" + message + "\",\"wakeMode\":\"next-heartbeat\"}";
    }
}

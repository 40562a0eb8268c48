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
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the deliveries and the mailbox of a node that freezes, and of the node when it goes on. */
@Tag("long")
class TakeOverIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration TAKE_OVER = TimeBound.of(Duration.ofSeconds(15));
    private static final String CHAT = "/chat.postMessage";
    private static final int REPLIES = 6;

    /** So many deliveries a node sends through one channel at one time. */
    private static final int AT_ONCE = 4;

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    @Test
    void leavesDeliveriesAndMailboxToOtherNodesWhileFrozen() throws Exception {
        SLACK.stubFor(
                post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}").withFixedDelay(2_000)));
        try (Cluster cluster = Cluster.start(
                homeFixtureExtension,
                3,
                MailServer.watched(mails.port(), MailServer.withPassword()),
                "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + SLACK.baseUrl() + "'}}")) {
            Cluster.Node watching = reader(cluster, Set.of());
            MailRuns.awaitWatched(watching.postern());
            mails.deliver(TestMail.about("before"));
            await().atMost(LONGEST).until(() -> runsOf(cluster, "before") == 1);
            for (int i = 0; i < REPLIES; i++) {
                String body = "{\"message\":\"reply " + i
                        + ".\",\"wakeMode\":\"next-heartbeat\",\"channel\":\"ops\",\"to\":\"C0" + i + "\"}";
                assertThat(watching.sender().post("agent", body).status()).isEqualTo(202);
            }
            await().atMost(LONGEST).pollInterval(Duration.ofMillis(10)).until(() -> !heldBy(cluster, watching)
                    .isEmpty());

            Instant gone = Instant.now();
            watching.freeze();
            mails.deliver(TestMail.about("meanwhile"));
            Duration deliveries = since(gone, () -> heldBy(cluster, watching).isEmpty());
            Duration mailbox = since(gone, () -> runsOf(cluster, "meanwhile") == 1);
            await().atMost(LONGEST).until(() -> pending(cluster).isEmpty());
            watching.thaw();
            mails.deliver(TestMail.about("afterwards"));
            await().atMost(LONGEST).until(() -> runsOf(cluster, "afterwards") == 1);
            await().atMost(LONGEST).until(() -> pending(cluster).isEmpty());

            System.out.printf("taken over from a frozen node: deliveries %s, the mailbox %s%n", deliveries, mailbox);
            assertThat(deliveries).isLessThan(TAKE_OVER);
            assertThat(mailbox).isLessThan(TAKE_OVER);
            assertThat(List.of(runsOf(cluster, "before"), runsOf(cluster, "meanwhile")))
                    .containsOnly(1);
            assertThat(reader(cluster, Set.of(watching))).isNotNull();
            int sent = 0;
            for (int i = 0; i < REPLIES; i++) {
                int times = sent("reply " + i + ".");
                assertThat(times).isBetween(1, 2);
                sent += times;
            }
            assertThat(sent).as("only what was under way came twice").isLessThanOrEqualTo(REPLIES + AT_ONCE);
        }
    }

    /** The node, none of {@code others}, that reads the mailbox. */
    private static Cluster.Node reader(Cluster cluster, Set<Cluster.Node> others) {
        return await().atMost(LONGEST)
                .until(
                        () -> cluster.nodes().stream()
                                .filter(node -> !others.contains(node))
                                .filter(node -> cluster.column("SELECT reader FROM bookmark")
                                        .contains(node.id()))
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
    }

    private static int runsOf(Cluster cluster, String subject) {
        return cluster.column("SELECT id FROM run WHERE message LIKE '%Subject: " + subject + "%'")
                .size();
    }

    private static List<String> heldBy(Cluster cluster, Cluster.Node node) {
        return cluster.column("SELECT id FROM delivery WHERE sender = '" + node.id() + "'");
    }

    private static List<String> pending(Cluster cluster) {
        return cluster.column("SELECT id FROM delivery WHERE next_at IS NOT NULL"
                + " UNION ALL SELECT id FROM run WHERE finished_at IS NULL");
    }

    /** How often a run's reply was sent; heartbeats repeat it in longer ones. */
    private static int sent(String text) {
        return (int) SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT))).stream()
                .filter(request -> request.getBodyAsString().contains("\"text\":\"offline/echo: " + text + "\""))
                .count();
    }

    private static Duration since(Instant gone, Callable<Boolean> done) {
        await().atMost(LONGEST).pollInterval(Duration.ofMillis(50)).until(done);
        return Duration.between(gone, Instant.now());
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.it.ProofReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that replies arrive, in order, despite kills and beside a channel that hangs. If they don't, the sender can
 * find out.
 */
@Tag("long")
@Tag("kill")
class DeliveryIT {

    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final int REPLIES = 200;
    private static final int KILLS = 5;
    private static final int RECIPIENTS = 7;
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String CHAT = "/chat.postMessage";
    private static final String DEAD = "/dead" + CHAT;
    private static final Pattern TAG = Pattern.compile("r[0-9]{3}[abc]");
    private static final Pattern RECIPIENT = Pattern.compile("\"channel\":\"(\\w+)\"");
    private static final String STILL_PENDING = "SELECT id FROM delivery WHERE state = 'pending'";

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void bringsEveryPartOfEveryReplyInOrderOverKillsInTheirMidst() throws Exception {
        SLACK.stubFor(
                post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}").withFixedDelay(60)));
        HomeFixture home =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks("maxPending: 100000"), slack("ops", ""));
        Random random = new Random(SEED);
        PosternProcess postern = home.start();
        for (int i = 0; i < REPLIES; i++) {
            assertThat(postern.sender().post("agent", asking(i, "ops")).status())
                    .isEqualTo(202);
        }
        for (int kill = 0; kill < KILLS; kill++) {
            // On a slow machine all may have arrived before the last kill.
            int enough = Math.min(3 * REPLIES, arrived().size() + 1 + random.nextInt(40));
            await().atMost(LONGEST)
                    .pollInterval(Duration.ofMillis(3))
                    .until(() -> arrived().size() >= enough);
            postern.kill();
            postern = home.start();
        }
        try (HomeDatabase database = home.database()) {
            await().atMost(LONGEST)
                    .until(() -> database.column("SELECT id FROM delivery"), all -> all.size() == REPLIES);
            await().atMost(LONGEST).until(() -> database.column(STILL_PENDING), List::isEmpty);
            assertThat(postern.stop()).isZero();
            assertThat(database.column("SELECT count(*) FROM delivery WHERE state = 'delivered'"))
                    .containsExactly(Integer.toString(REPLIES));
        }

        List<LoggedRequest> arrived = arrived();
        Map<String, Set<String>> byRecipient = new HashMap<>();
        for (LoggedRequest each : arrived) {
            byRecipient
                    .computeIfAbsent(found(RECIPIENT, each, 1), to -> new LinkedHashSet<>())
                    .add(found(TAG, each, 0));
        }
        int twice = arrived.size() - 3 * REPLIES;
        String figures =
                String.format("%d kills (seed %d): %d parts, %d of them twice", KILLS, SEED, arrived.size(), twice);
        System.out.println(figures);
        assertThat(twice).isBetween(0, 4 * KILLS);
        assertThat(byRecipient).hasSize(RECIPIENTS);
        byRecipient.values().forEach(tags -> assertThat(wholeReplies(new ArrayList<>(tags)))
                .as("each reply's parts one after the other: " + tags)
                .isTrue());
        assertThat(byRecipient.values().stream().mapToInt(Set::size).sum()).isEqualTo(3 * REPLIES);
        ProofReport.add("kill", figures);
    }

    @Test
    void deliversWithinTwoSecondsBesideAChannelThatHangs() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}")));
        SLACK.stubFor(post(DEAD).willReturn(aResponse().withFixedDelay(60_000)));
        HomeFixture home =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks(), slack("ops", "", "dead", "/dead"));
        PosternProcess postern = home.start();
        List<Instant> accepted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            postern.sender().post("agent", asking(i, "dead"));
            postern.sender().post("agent", asking(i, "ops"));
            accepted.add(Instant.now());
        }
        await().atMost(LONGEST).until(() -> arrived().size() == 3 * accepted.size());

        List<Duration> took = arrived().stream()
                .map(each -> Duration.between(
                        accepted.get(Integer.parseInt(found(TAG, each, 0).substring(1, 4))),
                        each.getLoggedDate().toInstant()))
                .sorted()
                .toList();
        Duration p99 = took.get(took.size() * 99 / 100);
        System.out.println(
                "beside a channel that hangs: p99 " + p99.toMillis() + " ms, threads " + postern.threads("delivery"));
        assertThat(p99).isLessThan(TimeBound.of(Duration.ofSeconds(2)));
        assertThat(postern.threads("delivery")).isLessThanOrEqualTo(2 * 4 + 1);
    }

    @Test
    void tellsTheSenderAndTheAgentOfAReplyThatReachesNobody() throws Exception {
        SLACK.stubFor(post(CHAT)
                .withHeader("Authorization", equalTo("Bearer xoxb-ops"))
                .willReturn(okJson("{\"ok\":false,\"error\":\"channel_not_found\"}")));
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks(), slack("ops", ""));
        PosternProcess postern = home.start();

        PosternResponse refused =
                postern.sender().post("agent", "{\"message\":\"m\",\"channel\":\"ops\",\"to\":\"a b\"}");
        String run = postern.sender().post("agent", asking(1, "ops")).text("runId");
        await().atMost(LONGEST)
                .until(() -> postern.sender().run(run).text("delivery").equals("failed"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("\"to\"").doesNotContain("a b");
        assertThat(postern.sender().run(run).text("reason"))
                .contains("channel_not_found")
                .doesNotContain("xoxb");
        assertThat(postern.stop()).isZero();
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT text FROM event WHERE text LIKE 'Delivery to ops (C01) failed: %'"))
                    .hasSize(1);
        }
    }

    @Test
    void showsWhatTheServiceCallsAMessageThatItHasTaken() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1503435956.000247\"}")));
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), slack("ops", ""))
                .start();

        String run = postern.sender().post("agent", asking(1, "ops")).text("runId");
        await().atMost(LONGEST)
                .until(() -> postern.sender().run(run).text("delivery").equals("delivered"));

        PosternResponse posternResponse = postern.sender().run(run);
        assertThat(posternResponse.number("parts")).isEqualTo(3);
        assertThat(posternResponse.number("sentParts")).isEqualTo(3);
        assertThat(posternResponse.body())
                .contains("\"messageIds\":[\"1503435956.000247\",\"1503435956.000247\",\"1503435956.000247\"]");
    }

    @Test
    void asksTheServicesWhetherTheCredentialsWorkWhenItIsChecked() throws Exception {
        SLACK.stubFor(post("/auth.test").willReturn(okJson("{\"ok\":false,\"error\":\"token_revoked\"}")));
        SLACK.stubFor(post("/good/auth.test").willReturn(okJson("{\"ok\":true,\"user\":\"postern\"}")));
        HomeFixture good = homeFixtureExtension.newHome().settings(HomeFixture.hooks(), slack("ops", "/good"));
        HomeFixture bad =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks(), slack("ops", "/good", "dev", ""));

        PosternProcess passed =
                good.run("check", "--online", "--home", good.directory().toString());
        PosternProcess failed =
                bad.run("check", "--online", "--home", bad.directory().toString());

        assertThat(passed.awaitExit()).isZero();
        assertThat(passed.out()).contains("ok: channels.ops: the credentials work (postern)");
        assertThat(failed.awaitExit()).isEqualTo(1);
        assertThat(failed.out())
                .contains("problem: channels.dev: ", "token_revoked", "channels.dev.botToken", "ok: channels.ops: ")
                .doesNotContain("xoxb");
    }

    /** Settings of Slack channels, each an id and the path that it is found below. */
    private static String slack(String... idsAndPaths) {
        StringBuilder channels = new StringBuilder("channels:\n");
        for (int i = 0; i < idsAndPaths.length; i += 2) {
            channels.append("  ").append(idsAndPaths[i]).append(": {kind: slack, botToken: xoxb-");
            channels.append(idsAndPaths[i])
                    .append(", textLimit: 100, baseUrl: '")
                    .append(SLACK.baseUrl());
            channels.append(idsAndPaths[i + 1]).append("'}\n");
        }
        return channels.toString();
    }

    /** A hook whose reply has three parts, of a hundred characters at most. */
    private static String asking(int number, String channel) {
        String tag = String.format("r%03d", number);
        String part = "x".repeat(70);
        return "{\"message\":\"" + tag + "a " + part + "\\n\\n" + tag + "b " + part + "\\n\\n" + tag + "c " + part
                + "\",\"wakeMode\":\"next-heartbeat\",\"channel\":\"" + channel + "\",\"to\":\"C0" + number % RECIPIENTS
                + "\"}";
    }

    /** What has arrived at the channel that is alive, oldest first. */
    private static List<LoggedRequest> arrived() {
        return SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT)));
    }

    private static String found(Pattern pattern, LoggedRequest request, int group) {
        Matcher matcher = pattern.matcher(request.getBodyAsString());
        assertThat(matcher.find()).as(request.getBodyAsString()).isTrue();
        return matcher.group(group);
    }

    private static boolean wholeReplies(List<String> tags) {
        for (int i = 0; i < tags.size(); i++) {
            String first = tags.get(i - i % 3);
            String expected = first.substring(0, 4) + "abc".charAt(i % 3);
            if (!tags.get(i).equals(expected)) {
                return false;
            }
        }
        return tags.size() % 3 == 0;
    }
}

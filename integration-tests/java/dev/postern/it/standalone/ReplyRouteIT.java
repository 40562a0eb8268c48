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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the recipients of replies without a configured recipient: never the recipient of another session. */
@Tag("long")
class ReplyRouteIT {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String CHAT = "/chat.postMessage";
    private static final String QUIET = "agents: {defaults: {heartbeat: {every: off}}}";

    private static final String MENTION =
            "{\"team_id\":\"T1\",\"event\":{\"type\":\"app_mention\",\"text\":\"<@W1> hello\",\"user\":\"W2\","
                    + "\"ts\":\"1595926230.009600\",\"channel\":\"C0123\"},\"type\":\"event_callback\",\"event_id\":\"Ev1\"}";

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @BeforeEach
    void answer() {
        SLACK.stubFor(post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}")));
    }

    @Test
    void keepsTheFirstRepliesInTheInboxWhateverChannelsThereAre() throws Exception {
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(hooks(), channels(), QUIET)
                .start();

        assertWent(reply(postern, "agent", "{\"message\":\"m\"}"), "inbox", null);
        assertWent(reply(postern, "chat", "{}"), "inbox", null);
        assertThat(posted()).isEmpty();
    }

    @Test
    void drawsNobodysReplyToWhereTheAgentWasMentioned() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(hooks(), channels(), QUIET);
        PosternProcess first = home.start();
        assertWent(reply(first, "slack", MENTION), "slack", "C0123/1595926230.009600");

        assertWent(reply(first, "agent", "{\"message\":\"m\"}"), "inbox", null);
        assertWent(reply(first, "chat", "{}"), "inbox", null);
        first.stop();
        assertWent(reply(home.start(), "agent", "{\"message\":\"m\"}"), "inbox", null);

        await().atMost(LONGEST).until(() -> posted().size() == 1);
    }

    @Test
    void followsTheRouteOfItsOwnSessionOverARestart() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(hooks(), channels(), QUIET);
        PosternProcess first = home.start();
        assertWent(reply(first, "chat", "{\"channel\":\"slack\",\"to\":\"C1\"}"), "slack", "C1");
        assertWent(reply(first, "chat", "{}"), "slack", "C1");
        assertWent(reply(first, "chat", "{\"to\":\"C2\"}"), "slack", "C2");
        assertWent(reply(first, "chat", "{\"channel\":\"discord\",\"to\":\"C3\"}"), "discord", "C3");
        first.stop();

        PosternProcess second = home.start();
        assertWent(reply(second, "chat", "{}"), "slack", "C1");
        assertWent(reply(second, "chat", "{\"channel\":\"crm\",\"to\":\"C4\"}"), "crm", "C4");
        assertWent(reply(second, "chat", "{\"channel\":\"slack\"}"), "slack", "C1");
        assertWent(reply(second, "agent", "{\"message\":\"m\"}"), "inbox", null);
        assertWent(reply(second, "other", "{}"), "inbox", null);
    }

    @Test
    void followsTheMainSessionsHeartbeatsWhereItsOwnSessionHasNoRoute() throws Exception {
        String target = "agents: {defaults: {heartbeat: {every: off, target: slack, to: COPS}}}";
        HomeFixture home = homeFixtureExtension.newHome().settings(hooks(), channels(), target);
        PosternProcess first = home.start();
        assertWent(reply(first, "agent", "{\"message\":\"m\"}"), "slack", "COPS");
        assertWent(reply(first, "chat", "{\"channel\":\"slack\"}"), "slack", "COPS");
        first.sender().post("wake", "{\"text\":\"look\"}");
        await().atMost(LONGEST).until(() -> posted().size() == 3);
        first.stop();

        home.settings(hooks(), channels(), QUIET);
        assertWent(reply(home.start(), "agent", "{\"message\":\"m\"}"), "slack", "COPS");
    }

    @Test
    void fallsBackToWhatsappWhereItHasARecipientOfItsOwn() throws Exception {
        String whatsapp = "  whatsapp: {accessToken: t, phoneNumberId: '1', baseUrl: '" + SLACK.baseUrl() + "'";
        HomeFixture home = homeFixtureExtension.newHome().settings(hooks(), channels() + whatsapp + "}", QUIET);
        PosternProcess first = home.start();
        assertWent(reply(first, "agent", "{\"message\":\"m\"}"), "inbox", null);
        first.stop();

        home.settings(hooks(), channels() + whatsapp + ", to: '+4915112345678'}", QUIET);
        assertWent(reply(home.start(), "agent", "{\"message\":\"m\"}"), "whatsapp", "+4915112345678");
    }

    @Test
    void saysOfEachMappingWithoutAChannelWhereItsRepliesWillGo() throws Exception {
        String target =
                "agents: {defaults: {heartbeat: {every: off}}, list: [{id: main}, {id: ops, heartbeat: {target: slack,"
                        + " to: COPS}}]}";
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        hooks() + "    - {id: ops, match: {path: ops}, template: x, agentId: ops}\n"
                                + "    - {id: none, match: {path: none}, template: x, deliver: false}\n",
                        channels(),
                        target);

        PosternProcess check = home.run("check", "--home", home.directory().toString());

        assertThat(check.awaitExit()).isZero();
        assertThat(check.out())
                .contains("replies: other (")
                .contains("replies: github-issues (")
                .contains("no channel is named: replies go to inbox, until one in the same session")
                .containsPattern("replies: ops \\(.*: replies go to slack COPS, as the heartbeats of ops do")
                .contains("replies: /hooks/agent: where a request names no channel, replies go to inbox")
                .doesNotContain("replies: slack", "replies: chat", "replies: none");
    }

    private static String hooks() {
        return HomeFixture.hooks(
                "presets: [slack, github]",
                "allowedSessionKeyPrefixes: ['hook:']",
                "mappings:",
                "  - {id: chat, match: {path: chat}, template: m, sessionKey: hook:chat, channel: '{{payload.channel}}',"
                        + " to: '{{payload.to}}', wakeMode: next-heartbeat}",
                "  - {id: other, match: {path: other}, template: m, sessionKey: hook:other, wakeMode: next-heartbeat}");
    }

    /** In this order, so that the first of them is none of those that are meant. */
    private static String channels() {
        String at = ", baseUrl: '" + SLACK.baseUrl() + "'}\n";
        return "channels:\n  crm: {kind: slack, botToken: xoxb-crm" + at + "  slack: {botToken: xoxb-slack" + at;
    }

    /** The end of the run that {@code hook} has made of {@code body}. */
    private static PosternResponse reply(PosternProcess postern, String hook, String body) throws Exception {
        PosternResponse accepted = postern.sender()
                .post(hook, body.replaceFirst("\\{\"message\"", "{\"wakeMode\":\"next-heartbeat\",\"message\""));
        assertThat(accepted.status()).isEqualTo(202);
        return postern.sender().ended(accepted.text("runId"));
    }

    private static void assertWent(PosternResponse run, String channel, String to) {
        assertThat(run.text("status")).isEqualTo("succeeded");
        assertThat(run.body()).contains("\"channel\":\"" + channel + "\"");
        if (to != null) {
            assertThat(run.text("to")).isEqualTo(to);
        }
    }

    private static List<String> posted() {
        return SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT))).stream()
                .map(request -> request.getBodyAsString())
                .toList();
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of mappings that deliver a text without an agent. */
@Tag("long")
class DirectDeliveryIT {

    private static final String CHAT = "/chat.postMessage";
    private static final String SENT = "{\"ok\":true,\"ts\":\"1.2\"}";
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Pattern TEXT = Pattern.compile("\"text\":\"t([0-9]+)\"");
    private static final String OTHER = "a-token-of-another-sender-01";
    private static final String SENDERS =
            "senders: {other: {token: " + OTHER + ", hooks: [red]}, third: {token: x" + OTHER + ", hooks: [red]}}";

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void startsWithNoMappingThatCouldNotDeliver() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "mappings:",
                                "  - {id: a, match: {path: a}, action: deliver, template: x, channel: ops}",
                                "  - {id: b, match: {path: b}, action: deliver, template: x, channel: ops, to: 'no room'}",
                                "  - {id: c, match: {path: c}, action: deliver, template: x, channel: ops, to: '{{payload.to}}'}"),
                        slack());

        PosternProcess check = home.run("check", "--home", home.directory().toString());
        PosternProcess serve = home.serve();

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(check.out())
                .contains("problem: hooks.mappings[0].channel [", "the mapping a delivers to this channel, and to ")
                .contains("problem: hooks.mappings[1].to [", "the mapping b delivers to this channel, and to ")
                .doesNotContain("mapping c ");
        assertThat(serve.awaitExit()).isEqualTo(1);
        assertThat(serve.log()).contains("the mapping a delivers to this channel");
    }

    @Test
    void refusesWhatThePayloadMakesUndeliverable() throws Exception {
        PosternProcess postern = home("{{payload.room}}", "").start();

        PosternResponse wrong = postern.sender().post("red", "{\"t\":\"hello\",\"room\":\"no room\"}");
        PosternResponse blank = postern.sender().post("red", "{\"t\":\" \",\"room\":\"C1234567890\"}");
        PosternResponse unknown = postern.sender().run("dlv_01m7yzmhg0r6me096ebga5ej8t");

        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.text("field")).isEqualTo("to");
        assertThat(blank.status()).isEqualTo(400);
        assertThat(blank.text("code")).isEqualTo("mapping_failed");
        assertThat(unknown.status()).isEqualTo(404);
        SLACK.verify(0, postRequestedFor(urlPathEqualTo(CHAT)));
    }

    @Test
    void takesNoMoreThanMayBePending() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(aResponse().withStatus(429).withHeader("Retry-After", "600")));
        PosternProcess ofMapping = home("C1234567890", ", maxPending: 1").start();
        PosternProcess ofAll = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "maxPending: 1",
                                "mappings: [{match: {path: red}, action: deliver, template: x, channel: ops, to: C1234567890}]"),
                        slack())
                .start();

        for (PosternProcess postern : List.of(ofMapping, ofAll)) {
            assertThat(postern.sender().post("red", "{\"t\":\"t1\"}").status()).isEqualTo(202);
            PosternResponse second = postern.sender().post("red", "{\"t\":\"t2\"}");
            assertThat(second.status()).isEqualTo(503);
            assertThat(second.text("code")).isEqualTo("overloaded");
        }
    }

    @Test
    void deliversTheTextAsItIsAndPingsNobody() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson(SENT)));
        HomeFixture home = home("C1234567890", "");
        PosternProcess postern = home.start();

        PosternResponse accepted =
                postern.sender().withToken(OTHER).post("red", "{\"t\":\"<!channel> it rains\"}", "Prefer", "wait=20");
        String id = accepted.text("deliveryId");

        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.body()).isEqualTo("{\"ok\":true,\"status\":\"accepted\",\"deliveryId\":\"" + id + "\"}");
        assertThat(accepted.header("Location")).endsWith("/hooks/runs/" + id);
        PosternResponse ended = ended(postern.sender().withToken(OTHER), id);
        assertThat(ended.text("status")).isEqualTo("delivered");
        assertThat(ended.text("sender")).isEqualTo("other");
        assertThat(ended.body()).contains("\"messageIds\":[\"1.2\"]", "\"attempts\":1", "\"to\":\"C1234567890\"");
        assertThat(postern.sender().withToken("x" + OTHER).run(id).status()).isEqualTo(404);
        assertThat(sent()).singleElement().asString().contains("&lt;!channel&gt; it rains");
        assertThat(shown(postern, home, "api/sessions")).doesNotContain("it rains", "\"queued\":1");

        String requestId = accepted.header("X-Request-Id");
        assertThat(shown(postern, home, "api/deliveries"))
                .contains("\"hook\":\"red\",\"requestId\":\"" + requestId + "\"")
                .doesNotContain("agentId");
        assertThat(shown(postern, home, "api/requests/" + requestId))
                .contains("\"became\":[\"" + id + "\"]", "\"hook\":\"red\"", "\"channel\":\"ops\"");
        assertThat(postern.sender()
                        .withToken(null)
                        .get(postern.base().resolve("metrics").toString())
                        .body())
                .contains("postern_accepted_total{action=\"deliver\"} 1");
    }

    @Test
    void triesAgainAndKeepsTheOrderOfARecipient() throws Exception {
        SLACK.stubFor(post(CHAT)
                .inScenario("busy")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(aResponse().withStatus(429).withHeader("Retry-After", "1"))
                .willSetStateTo("free"));
        SLACK.stubFor(post(CHAT).inScenario("busy").whenScenarioStateIs("free").willReturn(okJson(SENT)));
        PosternProcess postern = home("C1234567890", "").start();

        String first = postern.sender().post("red", "{\"t\":\"t1\"}").text("deliveryId");
        String last = postern.sender().post("red", "{\"t\":\"t2\"}").text("deliveryId");

        assertThat(ended(postern.sender(), last).text("status")).isEqualTo("delivered");
        assertThat(ended(postern.sender(), first).number("attempts")).isEqualTo(2);
        assertThat(texts()).containsExactly(1, 1, 2);
    }

    @Test
    void deliversEachTextInOrderOverKills() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson(SENT).withFixedDelay(20)));
        HomeFixture home = home("C1234567890", "");
        PosternProcess postern = home.start();
        for (int i = 0; i < 60; i++) {
            assertThat(postern.sender()
                            .post("red", "{\"t\":\"t" + i + "\"}", "Idempotency-Key", "key-" + i)
                            .status())
                    .isEqualTo(202);
            if (i % 20 == 19) {
                postern.kill();
                postern = home.start();
            }
        }
        PosternResponse repeated = postern.sender().post("red", "{\"t\":\"t0\"}", "Idempotency-Key", "key-0");

        assertThat(repeated.status()).isEqualTo(202);
        assertThat(repeated.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(ended(postern.sender(), repeated.text("deliveryId")).text("status"))
                .isEqualTo("delivered");
        await().atMost(LONGEST).until(() -> texts().contains(59));
        // One under way at each of the kills may arrive twice, one after the other.
        assertThat(texts().stream().distinct().toList()).isSorted().hasSize(60);
        assertThat(texts()).hasSizeBetween(60, 63);
    }

    @Test
    void joinsTheRequestsOfAGroupToOneText() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson(SENT)));
        HomeFixture home = home("C1234567890", ", coalesce: {key: all, window: 15s}");
        PosternProcess postern = home.start();

        PosternResponse first = postern.sender().post("red", "{\"t\":\"one\"}");
        PosternResponse second = postern.sender().post("red", "{\"t\":\"two\"}");
        postern.kill();
        postern = home.start();

        String id = first.text("deliveryId");
        assertThat(second.text("deliveryId")).isEqualTo(id);
        assertThat(second.number("coalesced")).isEqualTo(2);
        assertThat(ended(postern.sender(), id).number("items")).isEqualTo(2);
        assertThat(sent()).singleElement().asString().contains("one\\n\\ntwo");
    }

    @Test
    void fansAListOutToDeliveries() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "mappings: [{match: {path: list}, action: deliver, forEach: all, template: '{{item}}', channel: inbox}]"));
        PosternProcess postern = home.start();

        PosternResponse accepted = postern.sender().post("list", "{\"all\":[\"red\",\"green\"]}");

        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.body())
                .matches("\\{\"ok\":true,\"accepted\":2,\"runIds\":\\[],\"eventIds\":\\[],"
                        + "\"deliveryIds\":\\[\"dlv_\\w+\",\"dlv_\\w+\"]}");
        assertThat(shown(postern, home, "api/inbox"))
                .contains("\"hook\":\"list\",\"text\":\"red\"", "\"hook\":\"list\",\"text\":\"green\"");
    }

    private HomeFixture home(String to, String more) throws Exception {
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks("mappings: [{id: red, match: {path: red}, action: deliver, template:"
                                + " '{{payload.t}}', channel: ops, to: '" + to + "'" + more + "}]"),
                        SENDERS,
                        slack());
    }

    private static String slack() {
        return "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + SLACK.baseUrl() + "'}}";
    }

    private static PosternResponse ended(HookSender sender, String id) {
        return await("the end of a delivery").atMost(LONGEST).until(() -> sender.run(id), response -> response.body()
                .contains("finishedAt"));
    }

    private static List<String> sent() {
        return SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT))).stream()
                .map(request -> request.getBodyAsString())
                .toList();
    }

    private static List<Integer> texts() {
        List<Integer> texts = new ArrayList<>();
        for (String body : sent()) {
            Matcher text = TEXT.matcher(body);
            if (text.find()) {
                texts.add(Integer.valueOf(text.group(1)));
            }
        }
        return texts;
    }

    private static String shown(PosternProcess postern, HomeFixture home, String page) throws Exception {
        return postern.sender()
                .withToken(null)
                .get(postern.base().resolve("console/" + page).toString(), List.of("Authorization", home.operator()))
                .body();
    }
}

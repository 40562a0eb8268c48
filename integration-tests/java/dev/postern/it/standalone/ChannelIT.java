package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test from a hook to a chat product or a webhook, with the effects of their failures. */
@Tag("long")
class ChannelIT {

    private static final String TOKEN = "7:marzipan-and-quince";
    private static final String PAYLOAD = "canary-4712";

    @RegisterExtension
    static final WireMockExtension SERVICES = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void hidesTokenAddressAndReplyInEachProductFailure() throws Exception {
        Map<String, ResponseDefinitionBuilder> failures = new LinkedHashMap<>();
        for (int status : List.of(200, 302, 400, 401, 403, 404, 429, 500)) {
            failures.put("status " + status, leaking().withStatus(status).withHeader("Retry-After", "60"));
        }
        failures.put("reset", aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
        failures.put("garbage", aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK));
        failures.forEach((how, answer) -> SERVICES.stubFor(
                any(anyUrl()).withRequestBody(containing(how + ".")).willReturn(answer)));
        List<String> hows = List.copyOf(failures.keySet());
        PosternProcess postern = home(hows.size()).start();

        List<String> runs = new ArrayList<>();
        for (String how : hows) {
            String to = "\"channel\":\"telegram%d\",\"to\":\"42\"".formatted(runs.size());
            runs.add(sent(postern, PAYLOAD + " " + how + ".", to));
        }
        for (String run : runs) {
            PosternResponse ended = delivered(postern, run);
            assertThat(ended.text("reason")).contains("Telegram");
            assertThat(ended.body()).doesNotContain(TOKEN, SERVICES.baseUrl());
        }
        assertThat(postern.sender().get("/metrics").body()).doesNotContain(TOKEN, PAYLOAD);
        assertThat(postern.stop()).isZero();
        assertThat(postern.log() + postern.out()).doesNotContain(TOKEN, PAYLOAD, SERVICES.baseUrl());
    }

    @Test
    void sendsEachReplyWhereItIsToGo() throws Exception {
        stub("/slack/chat.postMessage", 200, "{\"ok\":true,\"ts\":\"1.2\"}");
        stub("/telegram/bot" + TOKEN + "/sendMessage", 200, "{\"ok\":true,\"result\":{\"message_id\":7}}");
        stub("/discord/channels/1046111111111111111/messages", 200, "{\"id\":\"1\"}");
        stub("/mattermost/api/v4/posts", 201, "{\"id\":\"p\"}");
        stub("/crm", 204, "");
        PosternProcess postern = home(1).start();

        for (String to : List.of(
                "\"channel\":\"slack\",\"to\":\"C0123456789\"",
                "\"channel\":\"telegram0\",\"to\":\"42\"",
                "\"channel\":\"discord\",\"to\":\"1046111111111111111\"",
                "\"channel\":\"mattermost\",\"to\":\"chan567890123456789012abcd\"",
                "\"channel\":\"crm\"")) {
            assertThat(delivered(postern, sent(postern, PAYLOAD, to)).text("delivery"))
                    .as(to)
                    .isEqualTo("delivered");
        }
        assertThat(SERVICES.findAll(postRequestedFor(anyUrl())))
                .hasSize(5)
                .extracting(LoggedRequest::getBodyAsString)
                .allMatch(body -> body.contains(PAYLOAD));
        assertThat(SERVICES.findAll(postRequestedFor(urlPathEqualTo("/slack/chat.postMessage"))))
                .extracting(request -> request.getHeader("User-Agent"))
                .singleElement()
                .asString()
                .matches("Postern/[0-9].*");
    }

    @Test
    void sendsLongCodeAsAFileAndAsTextWhereFilesAreRefused() throws Exception {
        stub("/telegram/bot" + TOKEN + "/sendMessage", 200, "{\"ok\":true,\"result\":{\"message_id\":7}}");
        stub("/telegram/bot" + TOKEN + "/sendDocument", 200, "{\"ok\":true,\"result\":{\"message_id\":8}}");
        stub("/slack/chat.postMessage", 200, "{\"ok\":true,\"ts\":\"1.2\"}");
        stub("/slack/files.getUploadURLExternal", 200, "{\"ok\":false,\"error\":\"missing_scope\"}");
        PosternProcess postern = home(
                        1,
                        "mappings:",
                        "  - {match: {path: a}, action: deliver, template: '{{payload.t}}', channel: telegram0, to: '42'}",
                        "  - {match: {path: b}, action: deliver, template: '{{payload.t}}', channel: slack, to: C0123456789}")
                .start();
        String code = "before\\n\\n```python\\n" + (PAYLOAD + "\\n").repeat(600) + "```\\n\\nbehind";

        for (String hook : List.of("a", "b")) {
            PosternResponse accepted = postern.sender().post(hook, "{\"t\":\"" + code + "\"}");
            await("the delivery of " + hook)
                    .atMost(Duration.ofSeconds(30))
                    .until(
                            () -> postern.sender()
                                    .run(accepted.text("deliveryId"))
                                    .text("status"),
                            "delivered"::equals);
        }
        assertThat(SERVICES.findAll(postRequestedFor(urlPathEqualTo("/telegram/bot" + TOKEN + "/sendDocument"))))
                .extracting(LoggedRequest::getBodyAsString)
                .singleElement()
                .asString()
                .contains("filename=\"code-1.py\"", (PAYLOAD + "\n").repeat(600));
        assertThat(SERVICES.findAll(postRequestedFor(urlPathEqualTo("/telegram/bot" + TOKEN + "/sendMessage"))))
                .extracting(LoggedRequest::getBodyAsString)
                .noneMatch(body -> body.contains(PAYLOAD))
                .anyMatch(body -> body.contains("<code>code-1.py</code>"));
        assertThat(SERVICES.findAll(postRequestedFor(urlPathEqualTo("/slack/chat.postMessage"))))
                .extracting(LoggedRequest::getBodyAsString)
                .filteredOn(body -> body.contains(PAYLOAD))
                .hasSizeGreaterThan(1);
        assertThat(postern.stop()).isZero();
        assertThat(postern.log())
                .contains("sends code as text, not as a file: Slack refused the file (missing_scope)")
                .doesNotContain(PAYLOAD);
    }

    @Test
    void answersAMentionInItsThreadAndNowhereElse() throws Exception {
        stub("/slack/chat.postMessage", 200, "{\"ok\":true,\"ts\":\"1.2\"}");
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "presets: [slack]", "signingSecrets: {slack: 0123456789abcdef0123456789abcdef}"),
                        "channels:" + entry("slack", "slack"))
                .start();

        PosternResponse inOne =
                mention(postern, "Ev1", "\"ts\":\"1700000002.000200\",\"thread_ts\":\"1700000001.000100\"");
        PosternResponse inAnother = mention(postern, "Ev2", "\"ts\":\"1700000003.000300\"");
        PosternResponse againInOne =
                mention(postern, "Ev3", "\"ts\":\"1700000004.000400\",\"thread_ts\":\"1700000001.000100\"");

        for (PosternResponse accepted : List.of(inOne, inAnother, againInOne)) {
            assertThat(delivered(postern, accepted.text("runId")).text("delivery"))
                    .isEqualTo("delivered");
        }
        assertThat(SERVICES.findAll(postRequestedFor(urlPathEqualTo("/slack/chat.postMessage"))))
                .extracting(LoggedRequest::getBodyAsString)
                .allMatch(body -> body.contains("\"channel\":\"C0123456789\""))
                .extracting(body -> body.replaceAll("(?s).*\"thread_ts\":\"([^\"]*)\".*", "$1"))
                .containsExactlyInAnyOrder("1700000001.000100", "1700000003.000300", "1700000001.000100");
        assertThat(againInOne.text("sessionKey")).isEqualTo(inOne.text("sessionKey"));
        assertThat(inAnother.text("sessionKey")).isNotEqualTo(inOne.text("sessionKey"));
    }

    /** What Slack sends when a bot is mentioned in a message that is at {@code place} of a channel. */
    private static PosternResponse mention(PosternProcess postern, String id, String place)
            throws IOException, InterruptedException {
        PosternResponse accepted = postern.sender()
                .post(
                        "slack",
                        "{\"type\":\"event_callback\",\"team_id\":\"T1\",\"event_id\":\"" + id
                                + "\",\"event\":{\"type\":"
                                + "\"app_mention\",\"user\":\"U1\",\"text\":\"Hi.\",\"channel\":\"C0123456789\","
                                + place + "}}");
        assertThat(accepted.status()).as(accepted.body()).isEqualTo(202);
        return accepted;
    }

    /** A home with a channel to each service, and several to Telegram: one that is asked to wait delays all its messages. */
    private HomeFixture home(int telegrams, String... hooks) throws IOException {
        StringBuilder channels = new StringBuilder("channels:");
        for (String kind : List.of("slack", "discord", "mattermost")) {
            channels.append(entry(kind, kind));
        }
        for (int i = 0; i < telegrams; i++) {
            channels.append(entry("telegram" + i, "telegram"));
        }
        channels.append("\n  crm: {kind: webhook, url: '%s/crm', secret: whsec_c2VjcmV0, allowPrivateAddresses: true}"
                .formatted(SERVICES.baseUrl()));
        return homeFixtureExtension.newHome().settings(HomeFixture.hooks(hooks), channels.toString());
    }

    private static String entry(String id, String kind) {
        return "\n  %s: {kind: %s, botToken: '%s', baseUrl: '%s/%s'}"
                .formatted(id, kind, TOKEN, SERVICES.baseUrl(), kind);
    }

    private static void stub(String path, int status, String body) {
        SERVICES.stubFor(post(path).willReturn(okJson(body).withStatus(status)));
    }

    /** A refusal that repeats what a service was sent and by whom. */
    private static ResponseDefinitionBuilder leaking() {
        return okJson("{\"ok\":false,\"error_code\":400,\"description\":\"" + TOKEN + " sent " + PAYLOAD + "\"}")
                .withHeader("Location", SERVICES.baseUrl() + "/" + TOKEN);
    }

    /** The id of the run that answers {@code message}. */
    private static String sent(PosternProcess postern, String message, String to)
            throws IOException, InterruptedException {
        String body = "{\"message\":\"" + message + "\",\"deliver\":true,\"wakeMode\":\"next-heartbeat\"," + to + "}";
        return postern.sender().post("agent", body).text("runId");
    }

    /** The run called {@code id}, when its reply was sent, or could not be for a first time. */
    private static PosternResponse delivered(PosternProcess postern, String id) {
        return await("the delivery of " + id)
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> postern.sender().run(id),
                        run -> run.text("delivery").equals("delivered")
                                || !run.text("reason").isEmpty());
    }
}

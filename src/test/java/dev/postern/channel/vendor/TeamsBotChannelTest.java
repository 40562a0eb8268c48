package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TeamsBotChannelTest extends VendorContract {

    private static final String LOGIN = "/login/acme.example/oauth2/v2.0/token";
    private static final String TOKEN = "eyJhbGciOiJIUzI1Ni...";

    @Override
    String kind() {
        return "msteams";
    }

    @Override
    String credential() {
        return "appPassword";
    }

    @Override
    Map<String, String> options() {
        return Map.of("appId", "app-1", "tenantId", "acme.example", "loginUrl", url() + "/login");
    }

    @Override
    String to() {
        return "19:0123abcd@thread.tacv2;messageid=1700000000000";
    }

    @Override
    String path() {
        return "/v3/conversations/19%3A0123abcd%40thread.tacv2%3Bmessageid%3D1700000000000/activities";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + TOKEN);
    }

    @Override
    String bodySchema() {
        return "/definitions/Activity";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").textValue();
    }

    /** Delays the token's response, so that the message's request has a later time than the token's. */
    @Override
    void prepare() {
        login(file.ok("x-token-endpoint").answer().withFixedDelay(5));
    }

    /** A channel with a time-out that is long enough to request a token too. */
    @Override
    Channel impatient(ChannelEntry entry) {
        return new TeamsBotChannel(entry, http().withTimeout(Duration.ofSeconds(3)));
    }

    private void login(ResponseDefinitionBuilder answer) {
        server.stubFor(post(urlPathEqualTo(LOGIN)).willReturn(answer));
    }

    private Outcome sendTo(Channel channel) {
        return channel.send(message(to()));
    }

    private List<String> asked() {
        return requests().stream().map(LoggedRequest::getUrl).toList();
    }

    /** Interrupts a message after a first one has fetched the token. */
    @Override
    @Test
    void isEndedByAnInterrupt() throws InterruptedException {
        Channel channel = channel();
        answer(file.ok("").answer());
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        answer(status(200).withFixedDelay(60_000));
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread sender = new Thread(() -> outcome.set(sendTo(channel)));
        sender.start();
        await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
        sender.interrupt();
        sender.join(20_000);

        assertThat(outcome.get()).isInstanceOf(Unsure.class);
    }

    /** The token is fetched from another server, and is not sent to an unreachable one. */
    @Override
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:9", "http://nobody.invalid", "https"})
    void triesAgainWhenNothingCouldBeSent(String address) {
        answer(file.ok("").answer());
        String there = address.equals("https") ? "https://localhost:" + server.httpsPort() : address;
        Outcome outcome = sendTo(channel(entry(there)));

        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(reason(outcome)).contains("check channels.ops.baseUrl");
        assertThat(asked()).containsExactly(LOGIN);
    }

    @Override
    @Test
    void saysThatTheServiceIsOutOfReach() {
        Channel channel = channel();
        server.stop();

        assertThat(((Probe.Bad) channel.probe()).reason()).contains("check channels.ops.loginUrl");
        assertThat(sendTo(channel)).isInstanceOf(Later.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Ada",
                "ada@example.org",
                "29:1abcd",
                "19:abc",
                "19:a/b@thread.tacv2",
                "19:a b@thread.tacv2",
                "19:abc@thread.tacv2;messageid=x",
                "19:abc@thread.tacv2/",
                "19:abc@thread.tacv2/1;messageid=2",
                "a:",
                "https://teams.microsoft.com/l/channel/19%3aabc"
            })
    void knowsWhatIsNoConversation(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no conversation in Teams");
    }

    @ParameterizedTest
    @CsvSource({
        "19:0123abcd@thread.tacv2,19%3A0123abcd%40thread.tacv2",
        "19:0123abcd@thread.tacv2/1700000000000,19%3A0123abcd%40thread.tacv2%3Bmessageid%3D1700000000000",
        "19:01-23_ab@unq.gbl.spaces,19%3A01-23_ab%40unq.gbl.spaces",
        "19:meeting_abc@thread.v2,19%3Ameeting_abc%40thread.v2",
        "a:1pL6i0oY3C0K8oAj8,a%3A1pL6i0oY3C0K8oAj8"
    })
    void writesToAConversation(String to, String path) {
        answer(file.ok("").answer());
        assertThat(channel().send(message(to))).isInstanceOf(Sent.class);

        assertThat(asked()).contains("/v3/conversations/" + path + "/activities");
    }

    @Test
    void asksForATokenAsTheLoginDescribesIt() {
        answer(file.ok("").answer());
        var unused = send();

        LoggedRequest asked = requests().stream()
                .filter(request -> request.getUrl().equals(LOGIN))
                .findFirst()
                .orElseThrow();
        assertThat(asked.getHeader("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(asked.getBodyAsString().split("&"))
                .containsExactlyInAnyOrder(
                        "grant_type=client_credentials",
                        "client_id=app-1",
                        "client_secret=7%3Amarzipan-and-quince",
                        "scope=https%3A%2F%2Fapi.botframework.com%2F.default");
    }

    @Test
    void usesATokenUntilShortlyBeforeItsEnd() {
        AtomicReference<java.time.Instant> now = new AtomicReference<>(NOW);
        Channel channel =
                new TeamsBotChannel(entry(url()), new VendorHttpClient(http().connections(), now::get, "1.2.3"));
        answer(file.ok("").answer());

        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        now.set(NOW.plus(Duration.ofMinutes(54)));
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        assertThat(asked()).containsOnlyOnce(LOGIN);

        now.set(NOW.plus(Duration.ofMinutes(56)));
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        assertThat(asked()).filteredOn(LOGIN::equals).hasSize(2);
    }

    @Test
    void keepsNoTokenThatHasNoTime() {
        Channel channel = channel();
        answer(file.ok("").answer());
        login(okJson("{\"access_token\":\"t\",\"expires_in\":-1}"));

        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
        assertThat(asked()).filteredOn(LOGIN::equals).hasSize(2);
    }

    @Test
    void takesANewTokenOnceWhenOneIsRefused() {
        Channel channel = channel();
        answer(file.ok("").answer());
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);

        answer(status(401));
        Outcome outcome = sendTo(channel);

        assertThat(outcome)
                .isEqualTo(new Refused("Teams refused the bot's access token (status 401): set channels.ops.appId,"
                        + " channels.ops.appPassword and channels.ops.tenantId"));
        assertThat(asked()).containsExactlyInAnyOrder(path(), LOGIN, path());
    }

    @Test
    void sendsWithTheNewToken() {
        Channel channel = channel();
        answer(file.ok("").answer());
        login(okJson("{\"access_token\":\"old\",\"expires_in\":3600}"));
        assertThat(sendTo(channel)).isInstanceOf(Sent.class);

        answer(status(401));
        login(okJson("{\"access_token\":\"new\",\"expires_in\":3600}"));
        server.stubFor(post(path())
                .withHeader("Authorization", com.github.tomakehurst.wiremock.client.WireMock.equalTo("Bearer new"))
                .willReturn(file.ok("").answer()));

        assertThat(sendTo(channel)).isInstanceOf(Sent.class);
    }

    @Test
    void refusesForGoodWhatTheLoginRefuses() {
        VendorFile.Case refused = file.cases("x-token-endpoint").stream()
                .filter(each -> each.outcome().equals("auth"))
                .findFirst()
                .orElseThrow();
        answer(file.ok("").answer());
        login(refused.answer());

        assertThat(send())
                .isEqualTo(new Refused(
                        "Microsoft's login refused the client secret (7000215): set channels.ops.appPassword"));
        assertThat(((Probe.Bad) channel().probe()).reason()).contains("set channels.ops.appPassword");
        assertThat(asked()).containsOnly(LOGIN);
    }

    @Test
    void tellsAnUnknownAppFromABadSecret() {
        answer(file.ok("").answer());
        login(aResponse().withStatus(400).withBody("{\"error\":\"unauthorized_client\",\"error_codes\":[700016]}"));
        assertThat(reason(send())).contains("(700016): set channels.ops.appId and channels.ops.tenantId");

        login(aResponse().withStatus(400).withBody("{\"error\":\"invalid_client\"}"));
        assertThat(reason(send())).contains("(invalid_client): set channels.ops.appPassword");
    }

    @Test
    void triesAgainWhateverKeepsTheLoginFromAnswering() {
        answer(file.ok("").answer());
        login(status(429).withHeader("Retry-After", "7"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(7));

        login(status(503));
        assertThat(reason(send())).isEqualTo("Microsoft's login gives no access token now (status 503)");

        login(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Later.class);
        assertThat(asked()).containsOnly(LOGIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"access_token\":null}"})
    void refusesALoginThatIsNone(String body) {
        answer(file.ok("").answer());
        login(ok(body));

        assertThat(send()).isInstanceOf(Refused.class);
        assertThat(reason(send()))
                .isEqualTo("Microsoft's login gave no access token (status 200): check channels.ops.loginUrl");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404})
    void refusesAnAddressAtWhichThereIsNoLogin(int status) {
        answer(file.ok("").answer());
        login(status(status).withHeader("Location", url() + "/elsewhere"));

        assertThat(reason(send())).contains("(status " + status + "): check channels.ops.loginUrl");
        assertThat(asked()).containsExactly(LOGIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "1"})
    void isUnsureOfAnAnswerThatIsNotTeams(String body) {
        answer(ok(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void tellsTheTokenToNobody() {
        answer(file.ok("").answer());

        assertThat(new AccessToken.Granted(new Secret(TOKEN)).toString()).doesNotContain(TOKEN);
        assertThat(channel().probe()).isEqualTo(new Probe.Good(null));
    }
}

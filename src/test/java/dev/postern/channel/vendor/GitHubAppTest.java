package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of GitHub's access tokens for an app's installation. */
class GitHubAppTest extends VendorServer {

    private static final String KEY = GitHubAppKeyTest.pkcs1(GitHubAppKeyTest.pair());
    private static final String TOKENS = "/app/installations/42/access_tokens";
    private static final String GRANTED = "{\"token\":\"ghs_1\",\"expires_at\":\"2026-11-22T06:00:00Z\"}";

    @Override
    String kind() {
        return "github";
    }

    @Override
    String credential() {
        return "privateKey";
    }

    @Override
    String to() {
        return "octocat/Hello-World#1347";
    }

    @Override
    String path() {
        return "/repos/octocat/Hello-World/issues/1347/comments";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer ghs_1");
    }

    @Override
    String bodySchema() {
        return "/components/schemas/comment-body";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").asText();
    }

    private Channel app(String key) {
        return channel(new ChannelEntry(new Settings.Channel(
                "ops",
                "github",
                Map.of(
                        "baseUrl",
                        url(),
                        "textLimit",
                        "2000",
                        "allowMentions",
                        "false",
                        "appId",
                        "4711",
                        "installationId",
                        "42"),
                Map.of("privateKey", new Secret(key)))));
    }

    private void grant(ResponseDefinitionBuilder answer) {
        server.stubFor(post(urlEqualTo(TOKENS)).willReturn(answer));
    }

    @Test
    void commentsWithATokenThatIsGrantedOnce() {
        answer(file.ok("").answer());
        grant(okJson(GRANTED).withStatus(201));
        Channel channel = app(KEY);

        assertThat(channel.send(message(to()))).isEqualTo(new Sent("1"));
        assertThat(channel.send(message(to()))).isEqualTo(new Sent("1"));
        assertThat(requests()).extracting(LoggedRequest::getUrl).containsExactly(TOKENS, path(), path());
        assertThat(requests().get(0).getHeader("Authorization")).startsWith("Bearer eyJ");
        assertThat(requests().get(0).getHeader("Accept")).isEqualTo("application/vnd.github+json");
        assertThat(requests().get(1).getHeader("Authorization")).isEqualTo("Bearer ghs_1");
    }

    @Test
    void asksForAnotherTokenAfterOneWasRefused() {
        answer(file.cases("").get(2).answer());
        grant(okJson(GRANTED).withStatus(201));
        Channel channel = app(KEY);
        assertThat(channel.send(message(to()))).isInstanceOf(Later.class);

        answer(file.ok("").answer());
        grant(okJson(GRANTED.replace("ghs_1", "ghs_2")).withStatus(201));
        assertThat(channel.send(message(to()))).isInstanceOf(Sent.class);
        assertThat(requests().get(1).getHeader("Authorization")).isEqualTo("Bearer ghs_2");
    }

    @Test
    void sendsNothingWithoutAToken() {
        answer(file.ok("").answer());
        for (int status : new int[] {401, 403, 404}) {
            grant(aResponse().withStatus(status).withBody("{\"message\":\"no\"}"));
            Outcome outcome = app(KEY).send(message(to()));
            assertThat(outcome).isInstanceOf(Refused.class);
            assertThat(reason(outcome)).contains("channels.ops.appId", "channels.ops.privateKey");
        }
        grant(aResponse().withStatus(500));
        assertThat(app(KEY).send(message(to()))).isInstanceOf(Later.class);
        grant(aResponse().withStatus(403).withHeader("Retry-After", "9"));
        assertThat(((Later) app(KEY).send(message(to()))).pause()).isEqualTo(Duration.ofSeconds(9));
        grant(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(app(KEY).send(message(to()))).isInstanceOf(Later.class);
        assertThat(requests()).extracting(LoggedRequest::getUrl).containsOnly(TOKENS);
    }

    @Test
    void saysThatTheKeyIsNone() {
        Outcome outcome = app("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----")
                .send(message(to()));

        assertThat(outcome).isEqualTo(new Refused("channels.ops.privateKey holds no RSA key in PEM"));
        assertThat(requests()).isEmpty();
    }

    @Test
    void provesItsCredentialsByAToken() {
        answer(aResponse().withStatus(500));
        grant(okJson(GRANTED).withStatus(201));
        assertThat(app(KEY).probe()).isEqualTo(new Probe.Good(null));

        grant(aResponse().withStatus(401).withBody("{}"));
        assertThat(app(KEY).probe()).isInstanceOf(Probe.Bad.class);
    }
}

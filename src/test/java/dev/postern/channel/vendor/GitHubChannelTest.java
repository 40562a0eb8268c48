package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Probe;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitHubChannelTest extends CommentContract {

    @Override
    String kind() {
        return "github";
    }

    @Override
    String credential() {
        return "token";
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
        return Map.of(
                "Authorization",
                "Bearer " + SECRET,
                "Accept",
                "application/vnd.github+json",
                "X-GitHub-Api-Version",
                "2022-11-28");
    }

    @Override
    String bodySchema() {
        return "/components/schemas/comment-body";
    }

    @Override
    String elsewhere() {
        return "http://localhost:1/elsewhere";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").asText();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307})
    void commentsWhereARepositoryWithANewNameIs(int status) {
        String moved = "/repositories/1296269/issues/1347/comments";
        answer(status(status).withHeader("Location", url() + moved));
        server.stubFor(post(moved).willReturn(file.ok("").answer()));

        assertThat(send()).isInstanceOf(Sent.class);
        assertThat(requests()).extracting(LoggedRequest::getUrl).containsExactly(path(), moved);
        assertThat(requests())
                .extracting(LoggedRequest::getBodyAsString)
                .containsOnly(requests().get(0).getBodyAsString());
    }

    @Test
    void looksForItsCommentWhereARepositoryWithANewNameIs() {
        server.stubFor(
                get(urlPathEqualTo(path())).willReturn(status(301).withHeader("Location", url() + "/moved?page=1")));
        server.stubFor(get(urlPathEqualTo("/moved"))
                .willReturn(okJson("[{\"id\": 4711, \"body\": \"<!-- postern:dlv_1.2 -->\"}]")));

        assertThat(channel().send(repeat())).isEqualTo(new Sent("4711"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#12",
                "octocat#12",
                "octocat/Hello-World",
                "octocat/Hello-World#0",
                "octocat/Hello-World#12/3",
                "octocat/..#12",
                "../Hello-World#12",
                "octocat/a/b#12",
                "octocat/Hello World#12",
                "octocat/Hello-World@main",
                "octocat/Hello-World@1a2b3c",
                "octocat/Hello-World#12?x=y",
                "https://github.com/octocat/Hello-World/issues/12"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on GitHub");
    }

    @ParameterizedTest
    @CsvSource({
        "octocat/Hello-World#1, /repos/octocat/Hello-World/issues/1/comments",
        "octo_corp/.github#12, /repos/octo_corp/.github/issues/12/comments",
        "octocat/a@6dcb09b5b57875f334f61aebed695e2e4193db5e,"
                + " /repos/octocat/a/commits/6dcb09b5b57875f334f61aebed695e2e4193db5e/comments"
    })
    void findsTheThingThatIsNamed(String to, String path) {
        answer(file.ok("").answer());

        assertThat(channel().send(message(to))).isEqualTo(new Sent("1"));
        assertThat(requests()).extracting(LoggedRequest::getUrl).containsExactly(path);
    }

    @Test
    void searchesTheCommentsSinceTheDelivery() {
        answer(file.ok("").answer());
        server.stubFor(get(urlPathEqualTo(path())).willReturn(okJson("[]")));

        assertThat(channel().send(repeat())).isEqualTo(new Sent("1"));
        assertThat(requests())
                .extracting(LoggedRequest::getUrl)
                .containsExactly(path() + "?since=2026-11-22T04:48:29Z&per_page=50&page=1", path());
        assertThat(requests().get(0).getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
    }

    @Test
    void waitsForALimitThatTheSearchMeets() {
        answer(file.ok("").answer());
        server.stubFor(get(urlPathEqualTo(path()))
                .willReturn(aResponse().withStatus(403).withHeader("Retry-After", "9")));

        assertThat(((Later) channel().send(repeat())).pause()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"login\":\"postern-bot\",\"id\":1}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("postern-bot"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/user");
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(aResponse().withStatus(401).withBody("{\"message\":\"Bad credentials\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("GitHub refused the token (status 401): set channels.ops.token"));
    }
}

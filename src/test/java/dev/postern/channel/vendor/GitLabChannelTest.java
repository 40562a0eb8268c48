package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.RunState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitLabChannelTest extends CommentContract {

    private static final String COMMIT = "18f3e63d05582537db6d183d9d557be09e1f90c8";

    @Override
    String kind() {
        return "gitlab";
    }

    @Override
    String credential() {
        return "token";
    }

    @Override
    String to() {
        return "group/sub.group/project#7";
    }

    @Override
    String path() {
        return "/projects/group%2Fsub.group%2Fproject/issues/7/notes";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("PRIVATE-TOKEN", SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/note-body";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").asText();
    }

    @Override
    boolean newestFirst() {
        return true;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#7",
                "project#7",
                "group/project",
                "group/project#0",
                "group/project!",
                "group//project!7",
                "group/../project!7",
                "/group/project!7",
                "group/project!7/notes",
                "group/project&7",
                "group/project@main",
                "https://gitlab.com/group/project/-/issues/7"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on GitLab");
    }

    @ParameterizedTest
    @CsvSource({
        "group/project#7, /projects/group%2Fproject/issues/7/notes",
        "group/project!12, /projects/group%2Fproject/merge_requests/12/notes",
    })
    void findsTheThingThatIsNamed(String to, String path) {
        answer(file.ok("").answer());

        assertThat(channel().send(message(to))).isEqualTo(new Sent("305"));
        assertThat(requests()).extracting(LoggedRequest::getUrl).containsExactly(path);
    }

    @Test
    void commentsOnACommit() throws Exception {
        answer(file.ok("commit").answer());

        assertThat(channel().send(message("group/project@" + COMMIT))).isEqualTo(new Sent(null));
        assertThat(requests().get(0).getUrl())
                .isEqualTo("/projects/group%2Fproject/repository/commits/" + COMMIT + "/comments");
        assertThat(file.violations(
                        "/components/schemas/commit-comment-body",
                        requests().get(0).getBodyAsString()))
                .isEmpty();
    }

    @Test
    void triesAgainWhenTheInstanceIsReadOnlyForNow() {
        answer(status(403).withBody("{\"message\":\"You cannot perform write operations on a read-only instance\"}"));

        assertThat(send()).isInstanceOf(Later.class);
    }

    @Test
    void makesNoSecondCommentOnACommit() {
        answer(file.ok("commit").answer());
        list(okJson("[{\"note\":\"x\\n\\n<!-- postern:dlv_1.1 -->\"}]"));
        Message repeat = new Message(
                "dlv_1", "run_1", RunState.SUCCEEDED, "main", "group/project@" + COMMIT, CREATED, 1, 1, TEXT, true);

        assertThat(channel().send(repeat)).isEqualTo(new Sent(null));
        assertThat(requests())
                .extracting(LoggedRequest::getUrl)
                .containsExactly(
                        "/projects/group%2Fproject/repository/commits/" + COMMIT + "/comments?per_page=50&page=1");
    }

    @Test
    void searchesTheNewestCommentsFirst() {
        answer(file.ok("").answer());
        list(okJson("[]"));

        assertThat(channel().send(repeat())).isEqualTo(new Sent("305"));
        assertThat(requests())
                .extracting(LoggedRequest::getUrl)
                .containsExactly(path() + "?sort=desc&order_by=created_at&per_page=50&page=1", path());
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"id\":1,\"username\":\"project_5_bot\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("project_5_bot"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/user");
        assertThat(requests().get(0).getHeader("PRIVATE-TOKEN")).isEqualTo(SECRET);
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(aResponse().withStatus(401).withBody("{\"message\":\"401 Unauthorized\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("GitLab refused the token (status 401): set channels.ops.token"));
    }
}

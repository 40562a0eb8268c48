package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.vendor.ChannelFactory;
import dev.postern.config.Settings;
import dev.postern.model.Secret;
import dev.postern.net.HttpConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipients of replies to real requests, with {@code hooks.presetReplyTo}. */
class SourceReplyTest {

    private static final Path PROVIDERS = Path.of("src/test/resources/providers");

    /** The account of each channel, which causes one of the requests of its preset. */
    private static final Map<String, String> ACCOUNTS = Map.of(
            "github", "CODERTOCAT",
            "gitlab", "User1",
            "jira", "5a1b0e47748e770ed11f338c",
            "linear", "674c90c8-35ea-454d-8ca4-5548258fd795",
            "pagerduty", "PTUXL6G",
            "sentry", "1");

    @TempDir
    static Path home;

    private static PresetFixture others;
    private static PresetFixture own;

    @BeforeAll
    static void start() throws IOException {
        ChannelRegistry channels = channels();
        Map<String, String> strangers = new HashMap<>(ACCOUNTS);
        strangers.replaceAll((kind, account) -> "nobody");
        others = PresetFixture.at(home, settings(strangers), channels::refusal);
        own = PresetFixture.at(home, settings(ACCOUNTS), channels::refusal);
    }

    @AfterAll
    static void end() {
        others.close();
        own.close();
    }

    /** The channels, which send nothing here. */
    private static ChannelRegistry channels() {
        Map<String, Settings.Channel> settings = new HashMap<>();
        ACCOUNTS.keySet()
                .forEach(kind -> settings.put(
                        kind,
                        new Settings.Channel(
                                kind,
                                kind,
                                Map.of(
                                        "baseUrl",
                                        "https://nowhere.example",
                                        "allowMentions",
                                        "false",
                                        "email",
                                        "a@example.com",
                                        "from",
                                        "a@example.com"),
                                Map.of("token", new Secret("t"), "apiKey", new Secret("k")))));
        return ChannelFactory.of(settings, null, new HttpConnections(Runnable::run), null, PresetFixture.TIME, "test");
    }

    private static String settings(Map<String, String> accounts) {
        StringBuilder settings = new StringBuilder("  presetReplyTo: {");
        accounts.keySet().forEach(kind -> settings.append(kind).append(": source, "));
        settings.append("}\nchannels:\n");
        accounts.forEach((kind, account) -> settings.append("  " + kind + ": {account: '" + account + "', "
                + switch (kind) {
                    case "jira" -> "email: a@example.com, token: t, baseUrl: 'https://jira.example'";
                    case "linear" -> "apiKey: k";
                    case "pagerduty" -> "apiKey: k, from: a@example.com";
                    default -> "token: t";
                }
                + "}\n"));
        return settings.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "github/issues-opened, Codertocat/Hello-World#1",
        "github/issues-demilestoned-of-a-pull-request, acme/shop#43",
        "github/issue-comment-created, Codertocat/Hello-World#1",
        "github/pull-request-opened, Codertocat/Hello-World#2",
        "github/pull-request-comment-created, Codertocat/Hello-World#2",
        "github/pull-request-review-submitted, Codertocat/Hello-World#2",
        "github/pull-request-review-comment-created, Codertocat/Hello-World#2",
        "github/pull-request-review-thread-resolved, Codertocat/Hello-World#2",
        "github/discussion-created, Codertocat/Hello-World/discussions/4",
        "github/discussion-comment-edited, Codertocat/Hello-World/discussions/4",
        "github/commit-comment-created, Codertocat/Hello-World@6113728f27ae82c7b1a177c8d03f9e96e0adf246",
        "github/push-annotated-tag, acme/shop@7b52009b64fd0a2a49e6d8a939753077792b0554",
        "github/push-lightweight-tag-moved, acme/shop@7b52009b64fd0a2a49e6d8a939753077792b0554",
        "github/push-commits, Codertocat/Hello-World@ec26c3e57ca3a959ca5aad62de7213c562f8c821",
        "gitlab/issue-opened, gitlabhq/gitlab-test#23",
        "gitlab/confidential-issue-updated, gitlabhq/gitlab-test#23",
        "gitlab/merge-request, gitlabhq/gitlab-test!1",
        "gitlab/note-on-commit, gitlabhq/gitlab-test@cfe32cf61b73a0d5e9f13e774abde7ff789b1660",
        "gitlab/note-on-merge-request, gitlab-org/gitlab-test!1",
        "gitlab/push, mike/diaspora@da1560886d4f094c3e6c9ef40349f7d38b5d27d7",
        "jira/issue-created, SHOP-42",
        "jira/comment-created, SHOP-42",
        "linear/issue-created, 8c3b2a54-2f5e-4a0d-9c7a-0f6c2d1e9b77",
        "linear/comment-created, f9a37fcf-eb52-44be-a52c-0477f70e9952",
        "pagerduty/v3-incident-triggered, PGR0VU2",
        "pagerduty/v3-incident-annotated, PGR0VU2",
        "pagerduty/v3-responder-added, PGR0VU2",
        "pagerduty/v3-role-assigned, PBAZ7K2",
        "pagerduty/v3-incident-custom-fields-updated, PBAZ7K2",
        "pagerduty/v3-action-invocation-updated, PBAZ7K2",
        "pagerduty/v2-incident-trigger, PRORDTY",
        "pagerduty/v1-incident-resolve, PJKGZF9",
        "sentry/issue-created, 1635244907",
        "sentry/issue-alert-node, 1638852747",
        "sentry/issue-alert-python, 1635244907",
        "sentry/comment-created, 1170820242",
    })
    void replyGoesToWhereTheEventHappened(Path name, String to) throws IOException {
        JsonNode explained = others.explain(request(name));

        JsonNode action = explained.path("actions").path(0);
        assertThat(action.path("channel").asText()).isEqualTo(name.getName(0).toString());
        assertThat(action.path("to").asText()).isEqualTo(to);
        assertThat(explained.path("actions")).hasSize(1);
        assertThat(explained.path("status").asInt()).isIn(200, 202);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "github/push-branch-deleted",
                "github/push-tag-deleted",
                "github/release-published",
                "gitlab/confidential-note",
                "gitlab/epic-updated",
                "gitlab/confidential-epic-opened",
                "gitlab/note-on-epic",
                "gitlab/note-on-snippet",
                "gitlab/branch-deleted",
                "gitlab/tag-created",
                "jira/attachment-created",
                "jira/issuelink-created",
                "jira/sprint-started",
                "jira/worklog-created",
                "linear/project-changed",
                "pagerduty/v3-service-updated",
                "pagerduty/v3-service-custom-fields-updated",
                "sentry/metric-alert-critical"
            })
    void eventWithoutPublicPlaceIsAnsweredAsWithoutReplyTo(Path name) throws IOException {
        JsonNode explained = others.explain(request(name));

        assertThat(explained.at("/actions/0").has("channel")).isFalse();
        assertThat(explained.at("/actions/0").has("to")).isFalse();
        assertThat(explained.path("actions")).hasSize(1);
        assertThat(explained.path("status").asInt()).isIn(200, 202);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "github/issue-comment-created",
                "gitlab/note-on-commit",
                "jira/comment-created",
                "linear/comment-created",
                "pagerduty/v3-incident-annotated",
                "sentry/comment-created"
            })
    void eventOfOwnAccountAsksForNothing(Path name) throws IOException {
        assertThat(own.explain(request(name)).path("code").asText()).isEqualTo("own_account");
    }

    private static HttpRequestFile request(Path name) throws IOException {
        return HttpRequestFile.read(PROVIDERS.resolve(name).resolve("request.http"));
    }
}

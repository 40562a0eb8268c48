package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of two Posterns that both answer comments where they are written: one answer of each, and silence. */
@Tag("long")
class ReplyLoopIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String OTHERS = "postern_skipped_requests_total{reason=\"other_postern\"}";
    private static final String OWN = "postern_skipped_requests_total{reason=\"own_";
    private static final String WARNING = "receives what another Postern has written";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @ParameterizedTest
    @EnumSource(CommentService.class)
    void answersOnceAndThenNoneOfTheAnswers(CommentService service) throws Exception {
        Map<String, String> accounts =
                Map.of(authorization(service, "bot-a"), "bot-a", authorization(service, "bot-b"), "bot-b");
        try (CommentBoard board = new CommentBoard(service, accounts)) {
            HomeFixture homeA = home(service, board, "bot-a", "bot-a");
            HomeFixture homeB = home(service, board, "bot-b", "bot-b");
            PosternProcess a = homeA.start();
            PosternProcess b = homeB.start();
            board.subscribe(a);
            board.subscribe(b);

            board.comment("ada", "Why is it slow?");

            awaitSilence(board, 2, 4);
            assertThat(board.comments()).isEqualTo(Map.of("ada", 1, "bot-a", 1, "bot-b", 1));

            board.comment("ada", "And now?");

            awaitSilence(board, 4, 8);
            assertThat(board.comments()).isEqualTo(Map.of("ada", 2, "bot-a", 2, "bot-b", 2));
            for (PosternProcess postern : List.of(a, b)) {
                assertThat(MailRuns.metric(postern, OTHERS)).isEqualTo(2);
                assertThat(postern.log().split(WARNING, -1)).hasSize(2);
            }
            assertIdle(homeA);
            assertIdle(homeB);
            assertThat(overview(a, homeA)).contains("Another Postern writes where the mapping " + service.preset());
            assertThat(overview(b, homeB)).contains("2 events asked for nothing since");
        }
    }

    /** What the account does not tell apart, the marks do. */
    @Test
    void answersOnceAndThenNoneOfTheAnswersOfSharedAccount() throws Exception {
        CommentService service = CommentService.GITHUB;
        try (CommentBoard board = new CommentBoard(service, Map.of("Bearer token-of-bot", "bot"))) {
            HomeFixture homeA = home(service, board, "bot", "bot");
            HomeFixture homeB = home(service, board, "bot", "BOT");
            PosternProcess a = homeA.start();
            PosternProcess b = homeB.start();
            board.subscribe(a);
            board.subscribe(b);

            board.comment("ada", "Why is it slow?");

            awaitSilence(board, 2, 4);
            assertThat(board.comments()).isEqualTo(Map.of("ada", 1, "bot", 2));
            for (PosternProcess postern : List.of(a, b)) {
                assertThat(MailRuns.metric(postern, OTHERS)).isEqualTo(1);
                assertThat(MailRuns.metric(postern, OWN + "delivery\"}")).isEqualTo(1);
            }
            assertIdle(homeA);
            assertIdle(homeB);
        }
    }

    private HomeFixture home(CommentService service, CommentBoard board, String user, String account)
            throws IOException {
        String preset = service.preset();
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "presets: [" + preset + "]",
                                "signingSecrets: {" + preset + ": " + CommentBoard.SECRET + "}",
                                "presetReplyTo: {" + preset + ": source}"),
                        "channels: {" + preset + ": " + service.channel(account, "token-of-" + user, board.address())
                                + "}\n");
    }

    private static String authorization(CommentService service, String user) {
        return switch (service) {
            case GITHUB -> "Bearer token-of-" + user;
            case JIRA -> user + ":token-of-" + user;
            case LINEAR -> "token-of-" + user;
        };
    }

    /** Waits for the responses to all events; nothing is under way once the last ones have asked for nothing. */
    private static void awaitSilence(CommentBoard board, int accepted, int skipped) {
        await().atMost(LONGEST).until(() -> board.responses().size() >= accepted + skipped);
        assertThat(Collections.frequency(board.responses(), true)).isEqualTo(accepted);
        assertThat(Collections.frequency(board.responses(), false)).isEqualTo(skipped);
    }

    private static void assertIdle(HomeFixture home) {
        try (HomeDatabase database = home.database()) {
            database.awaitIdle(LONGEST);
        }
    }

    private static String overview(PosternProcess postern, HomeFixture home) throws Exception {
        URI address = postern.base().resolve("/console/api/overview");
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Authorization", home.operator())
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.postern.channel.vendor.ScriptedSmtpServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the mail watch's logins, and of the messages, without secrets, when a login fails. */
@Tag("long")
class MailLoginIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String TOKEN = "/token";
    private static final String REFRESH_TOKEN = "it-refresh-1x9kW2";
    private static final String CLIENT_SECRET = "it-client-5fQz7b";

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    @Test
    void saysThatItIsNotLetInWhileAllElseWorks() throws Exception {
        mails.password("it-other-3pLm");
        HomeFixture home =
                homeFixtureExtension.newHome().settings(MailServer.watched(mails.port(), MailServer.withPassword()));
        PosternProcess postern = home.start();
        await().atMost(LONGEST)
                .until(() -> MailRuns.health(postern).contains("\"part\":\"mail\",\"status\":\"impaired\""));
        String run = postern.sender().post("agent", "{\"message\":\"hello\"}").text("runId");

        assertThat(postern.sender().ended(run).text("status")).isEqualTo("succeeded");
        assertThat(MailRuns.health(postern)).doesNotContain(MailServer.ACCOUNT, MailServer.PASSWORD);
        assertThat(postern.log()).contains(MailServer.ACCOUNT).doesNotContain(MailServer.PASSWORD);
        assertThat(postern.stop()).isZero();
        mails.password(MailServer.PASSWORD);
        MailRuns.awaitWatched(home.start());
    }

    @Test
    void comesBackWhenTheServerWasAway() throws Exception {
        DroppingProxy way = mails.proxy();
        HomeFixture home =
                homeFixtureExtension.newHome().settings(MailServer.watched(way.port(), MailServer.withPassword()));
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        way.refuse();
        way.drop();
        mails.deliver(TestMail.about("while it could not be reached"));
        int tries = way.accepted() + 2;
        await().atMost(LONGEST).until(() -> way.accepted() >= tries);
        assertThat(MailRuns.metric(postern, "postern_mail_watching")).isZero();
        assertThat(MailRuns.health(postern))
                .contains("{\"status\":\"up\"", "\"part\":\"mail\",\"status\":\"impaired\"");
        way.accept();

        try (HomeDatabase database = home.database()) {
            new MailRuns(database).await(1, LONGEST);
        }
    }

    @Test
    void requestsAccessTokenAgainAfterExpiryAndAfterRejection() throws Exception {
        gives("it-access-1aZ", 1);
        DroppingProxy way = mails.proxy();
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(MailServer.watched(
                        way.port(),
                        "oauth: {clientId: it-client, clientSecret: " + CLIENT_SECRET + ", refreshToken: "
                                + REFRESH_TOKEN + ", tokenUrl: '" + PEERS.baseUrl() + TOKEN + "'}"));
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        assertThat(asked()).isEqualTo(1);
        PEERS.verify(postRequestedFor(urlPathEqualTo(TOKEN))
                .withRequestBody(containing("grant_type=refresh_token"))
                .withRequestBody(containing("refresh_token=" + REFRESH_TOKEN))
                .withRequestBody(containing("client_id=it-client"))
                .withRequestBody(containing("client_secret=" + CLIENT_SECRET)));
        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            gives("it-access-2bY", 3600);
            way.drop();
            mails.deliver(TestMail.about("after the first has expired"));
            runs.await(1, LONGEST);
            assertThat(asked()).isEqualTo(2);

            gives("it-access-3cX", 3600);
            way.drop();
            mails.deliver(TestMail.about("after the second was taken back"));
            runs.await(2, LONGEST);
            assertThat(asked()).isEqualTo(3);
        }
        assertThat(postern.log()).doesNotContain(REFRESH_TOKEN, CLIENT_SECRET, "it-access");
        assertThat(postern.stop()).isZero();
    }

    @Test
    void keepsTheRefreshTokenThatItsServiceGivesForTheFirst() throws Exception {
        exchanges(REFRESH_TOKEN, "it-refresh-2", "it-refresh-3");
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(oauth("'${file:secrets/mail-refresh-token}'"))
                .file("secrets/mail-refresh-token", REFRESH_TOKEN + "\n");
        Path file = home.directory().resolve("secrets/mail-refresh-token");

        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        assertThat(file).content().isEqualTo("it-refresh-2\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        postern.kill();
        PosternProcess again = home.start();
        MailRuns.awaitWatched(again);

        assertThat(file).content().isEqualTo("it-refresh-3\n");
        assertThat(asked()).isEqualTo(2);
        assertThat(postern.log() + again.log()).doesNotContain("it-refresh", "exchanged");
    }

    @Test
    void saysOnceThatItCanNotKeepTheRefreshToken() throws Exception {
        exchanges(REFRESH_TOKEN, "it-refresh-2", "it-refresh-3");
        DroppingProxy way = mails.proxy();
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(oauth(REFRESH_TOKEN, way.port()))
                .start();
        MailRuns.awaitWatched(postern);
        way.drop();
        await().atMost(LONGEST).until(() -> asked() == 2);

        assertThat(postern.log())
                .containsOnlyOnce("has exchanged the refresh token")
                .contains("${file:secrets/mail-refresh-token}")
                .doesNotContain("it-refresh");
    }

    @Test
    void setsUpWithTheRefreshTokenThatItsServiceGivesForTheFirst() throws Exception {
        exchanges(REFRESH_TOKEN, "it-refresh-2", "it-refresh-3");
        HomeFixture home = homeFixtureExtension.newHome();
        String answers = String.join("\n", PEERS.baseUrl() + TOKEN, "it-client", "", REFRESH_TOKEN);

        PosternProcess setup = setup(home, answers);

        assertThat(setup.awaitExit()).as(setup.log()).isZero();
        assertThat(home.read("secrets/mail-refresh-token")).isEqualTo("it-refresh-2\n");
        MailRuns.awaitWatched(home.start());
        assertThat(home.read("secrets/mail-refresh-token")).isEqualTo("it-refresh-3\n");
    }

    /** One account has one refresh token, and each service that it is used at may exchange it. */
    @Test
    void setsUpAnswersWithTheAccessTokensOfTheMailbox() throws Exception {
        exchanges(REFRESH_TOKEN, "it-refresh-2", "it-refresh-3", "it-refresh-4", "it-refresh-5");
        HomeFixture home = homeFixtureExtension.newHome();
        try (ScriptedSmtpServer smtp = new ScriptedSmtpServer()) {
            PosternProcess setup = setup(home, answers(), answering(smtp));

            assertThat(setup.awaitExit()).as(setup.log()).isZero();
            assertThat(setup.out())
                    .contains("The login for answers works: " + MailServer.ACCOUNT)
                    .contains("Answers are on", "only to everyone at example.com")
                    .doesNotContain("it-refresh", "it-access", CLIENT_SECRET);
            assertThat(smtp.lines()).contains("AUTH XOAUTH2 " + xoauth("it-access-1aZ"));
            assertThat(smtp.lines()).noneMatch(line -> line.startsWith("MAIL"));
            assertThat(home.read("secrets/mail-refresh-token")).isEqualTo("it-refresh-3\n");
            assertThat(home.read("secrets/mail-client-secret")).isEqualTo(CLIENT_SECRET + "\n");
            assertThat(home.read("mail.yaml"))
                    .contains("  presetReplyTo:\n    gmail: source\n", "channels:\n  mail:\n")
                    .doesNotContain("password", "it-refresh", CLIENT_SECRET);

            PosternProcess postern = home.start();
            MailRuns.awaitWatched(postern);
            mails.deliver(TestMail.about("the printer"));
            await().atMost(LONGEST).until(() -> smtp.lines().stream().anyMatch(line -> line.startsWith("RCPT TO:<")));
            await().atMost(LONGEST).until(() -> smtp.lines().contains("."));
            assertThat(postern.log()).doesNotContain("it-refresh", "it-access", CLIENT_SECRET);
        }
    }

    @Test
    void changesNothingWhereTheAccessTokensAreNotForSending() throws Exception {
        exchanges(REFRESH_TOKEN, "it-refresh-2", "it-refresh-3");
        HomeFixture home = homeFixtureExtension.newHome();
        try (ScriptedSmtpServer smtp = new ScriptedSmtpServer()) {
            smtp.reply("AUTH", "535 5.7.3 it-access-1aZ is not for you");

            PosternProcess setup = setup(home, answers(), answering(smtp));

            assertThat(setup.awaitExit()).isEqualTo(1);
            assertThat(setup.log())
                    .contains("answers can't be sent by " + MailServer.ACCOUNT, "refused the access token (535 5.7.3)")
                    .contains("Check that the tokens' scope allows sending over SMTP")
                    .contains("The service has exchanged the refresh token meanwhile; ask for a new one.")
                    .contains("Nothing was changed.")
                    .doesNotContain("it-refresh", "it-access", CLIENT_SECRET, "Exception");
            assertThat(home.directory()).doesNotExist();
        }
    }

    private static String answers() {
        return String.join("\n", PEERS.baseUrl() + TOKEN, "it-client", CLIENT_SECRET, REFRESH_TOKEN);
    }

    private static String[] answering(ScriptedSmtpServer smtp) {
        return new String[] {
            "--answer-to",
            "@example.com",
            "--smtp-host",
            "127.0.0.1",
            "--smtp-port",
            Integer.toString(smtp.port()),
            "--smtp-security",
            "none"
        };
    }

    private static String xoauth(String accessToken) {
        String text = "user=" + MailServer.ACCOUNT + "\u0001auth=Bearer " + accessToken + "\u0001\u0001";
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private PosternProcess setup(HomeFixture home, String answers, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "mail", "setup", "--oauth", "--account", MailServer.ACCOUNT, "--host", "127.0.0.1", "--security"));
        words.addAll(List.of("none", "--port", Integer.toString(mails.port())));
        words.addAll(List.of("--home", home.directory().toString()));
        words.addAll(List.of(more));
        return home.answer(answers, words.toArray(new String[0]));
    }

    /** The watch that logs in with {@code refreshToken}, as YAML has it. */
    private String oauth(String refreshToken) {
        return oauth(refreshToken, mails.port());
    }

    private static String oauth(String refreshToken, int port) {
        return MailServer.watched(
                port,
                "oauth: {clientId: it-client, refreshToken: " + refreshToken + ", tokenUrl: '" + PEERS.baseUrl() + TOKEN
                        + "'}");
    }

    /** Each refresh token is taken once, and the next one given for it; access tokens are for a second. */
    private void exchanges(String... refreshTokens) {
        mails.password("it-access-1aZ");
        PEERS.stubFor(
                post(TOKEN).willReturn(okJson("{\"error\":\"invalid_grant\"}").withStatus(400)));
        for (int i = 1; i < refreshTokens.length; i++) {
            PEERS.stubFor(post(TOKEN)
                    .withRequestBody(containing("refresh_token=" + refreshTokens[i - 1]))
                    .inScenario("exchange")
                    .whenScenarioStateIs(i == 1 ? Scenario.STARTED : refreshTokens[i - 1])
                    .willSetStateTo(refreshTokens[i])
                    .willReturn(okJson("{\"access_token\":\"it-access-1aZ\",\"expires_in\":1,\"refresh_token\":\""
                            + refreshTokens[i] + "\",\"token_type\":\"Bearer\"}")));
        }
    }

    /** How often an access token was asked for. */
    private static int asked() {
        return PEERS.findAll(postRequestedFor(urlPathEqualTo(TOKEN))).size();
    }

    /** From now on this one is handed out, and is the only one that the mail server takes. */
    private void gives(String accessToken, int seconds) {
        mails.password(accessToken);
        PEERS.stubFor(post(TOKEN)
                .willReturn(okJson("{\"access_token\":\"" + accessToken + "\",\"expires_in\":" + seconds
                        + ",\"scope\":\"https://mail.google.com/\",\"token_type\":\"Bearer\"}")));
    }
}

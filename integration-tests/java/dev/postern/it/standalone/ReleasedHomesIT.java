package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test that this version opens the home of each released one. {@code releases} among the test resources has a backup of
 * each, with rows in every table. {@code -Dit.release=FILE} writes that of this version to {@code FILE}.
 */
@Tag("long")
class ReleasedHomesIT {

    private static final Path RELEASES = Path.of("integration-tests/resources/releases");
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String CHAT = "/chat.postMessage";

    private static final String TABLES =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";

    /** The hooks of a home that uses each table, beside the watch of a mailbox. */
    private static final String MAPPINGS =
            """
              allowRequestSessionKey: true
              allowedSessionKeyPrefixes: ['hook:']
              mappings:
                - {id: told, match: {path: told}, messageTemplate: '{{text}}', channel: ops, to: C1}
                - {id: stuck, match: {path: stuck}, messageTemplate: '{{text}}', channel: ops, to: C2}
                - {id: mailed, match: {path: mailed}, messageTemplate: '{{text}}', channel: mail, to: ann@example.com}
                - {id: held, match: {path: held}, messageTemplate: '{{text}}'}
                - {id: asks, match: {path: asks}, messageTemplate: '{{text}}', agentId: careful}
                - id: grouped
                  match: {path: grouped}
                  messageTemplate: '{{text}}'
                  coalesce: {key: '{{payload.key}}', window: 1h, maxWait: 1h, maxItems: 3}
            """;

    private static final String REST =
            """
            agents:
              list:
                - {id: main, model: offline/echo}
                - {id: careful, model: lab/large, tools: {mcp: [weather], approve: [forecast]}}
            budgets: {few: {for: {hook: held}, runs: 1, per: 24h}}
            retention: {days: 36500}
            requests: {keep: 36500d, payloads: all, payloadsFor: 36500d}
            """;

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    static Stream<Path> releases() throws IOException {
        try (Stream<Path> files = Files.list(RELEASES)) {
            return files
                    .map(Path::toAbsolutePath)
                    .filter(file -> file.toString().endsWith(".zip"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void opensTheHomeOfEachRelease(Path backup) throws Exception {
        opens(backup);
    }

    @Test
    void makesAHomeWithRowsInEveryTable() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        fill(home);
        Path backup = Path.of(System.getProperty(
                "it.release", home.top().resolve("release.zip").toString()));

        PosternProcess made = home.run(
                "backup", "--to", backup.toString(), "--home", home.directory().toString());
        assertThat(made.awaitExit()).as(made.log()).isZero();

        assertThat(home.run("verify", backup.toString()).out())
                .contains("  request_payload: ")
                .doesNotContain(": 0 rows");
        opens(backup);
    }

    /** Uses a home until each table has a row, and kills its Postern, which leaves those of work that goes on too. */
    private void fill(HomeFixture home) throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}")));
        SLACK.stubFor(post(CHAT).withRequestBody(containing("\"C2\"")).willReturn(serverError()));
        PEERS.toolServer();
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        home.settings(
                PEERS.provider(),
                PEERS.tools(),
                MailServer.watched(mails.port(), MailServer.withPassword()) + MAPPINGS,
                "channels:\n  ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + SLACK.baseUrl() + "'}\n"
                        + "  mail: {kind: mail, host: 127.0.0.1, port: 1, security: none, account: ops@example.org,"
                        + " password: it-mail-8f2cKq0vTz41, allow: [ann@example.com]}",
                REST);
        home.file("agents/main/AGENTS.md", "# Rules\n");
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();
        MailRuns.awaitWatched(postern);
        mails.deliver(TestMail.about("of a release"));
        assertThat(sender.post("wake", "{\"text\":\"a wake\"}").status()).isEqualTo(200);
        accepted(sender.post("agent", "{\"message\":\"a run\",\"sessionKey\":\"hook:one\"}", "Idempotency-Key", "key"));
        for (String hook : List.of("told", "stuck", "mailed", "held", "held", "asks")) {
            accepted(sender.post(hook, "{\"text\":\"for " + hook + "\"}"));
        }
        for (int i = 0; i < 5; i++) {
            accepted(sender.post("grouped", "{\"text\":\"item " + i + "\",\"key\":\"g\"}"));
        }
        PosternResponse beat =
                sender.withToken(null).post("/console/api/agents/main/beat", "", "Authorization", home.operator());
        assertThat(beat.status()).isEqualTo(200);
        try (HomeDatabase database = home.database()) {
            await("rows in every table").atMost(LONGEST).until(() -> empty(database), List::isEmpty);
            await("a held run").atMost(LONGEST).until(() -> !database.column("SELECT id FROM run WHERE held_by = 'few'")
                    .isEmpty());
        }
        postern.kill();
    }

    private static void accepted(PosternResponse response) {
        assertThat(response.status()).as(response.toString()).isEqualTo(202);
    }

    private static List<String> empty(HomeDatabase database) {
        return database.column(TABLES).stream()
                .filter(table ->
                        database.column("SELECT 1 FROM " + table + " LIMIT 1").isEmpty())
                .toList();
    }

    /** Restores {@code backup}, starts this version on it, and finds everything through its addresses. */
    private void opens(Path backup) throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        PosternProcess restored = home.run(
                "restore", backup.toString(), "--home", home.directory().toString());
        assertThat(restored.awaitExit()).as(restored.log()).isZero();
        PosternProcess check = home.run("check", "--home", home.directory().toString());
        assertThat(check.awaitExit()).as(check.out()).isZero();
        List<String> runs;
        List<String> sessions;
        List<String> deliveries;
        List<String> inbox;
        List<String> payloads;
        List<String> approvals;
        try (HomeDatabase database = home.database()) {
            assertThat(empty(database)).isEmpty();
            runs = database.column("SELECT id FROM run");
            sessions = database.column("SELECT DISTINCT session_key FROM turn");
            deliveries = database.column("SELECT id FROM delivery WHERE channel <> 'inbox'");
            inbox = database.column("SELECT id FROM delivery WHERE channel = 'inbox'");
            payloads = database.column("SELECT request_id FROM request_payload");
            approvals = database.column(TABLES).contains("approval")
                    ? database.column("SELECT id FROM approval")
                    : List.of(); // there were none before 1.0.0
        }

        PosternProcess postern = home.start();

        assertThat(runs)
                .hasSizeGreaterThan(5)
                .allSatisfy(run ->
                        assertThat(postern.sender().run(run).status()).as(run).isEqualTo(200));
        assertThat(console(home, postern, "runs").body()).contains(runs);
        assertThat(console(home, postern, "deliveries").body()).contains(deliveries);
        assertThat(console(home, postern, "inbox").body()).contains(inbox);
        String asked = console(home, postern, "approvals").body();
        assertThat(approvals).allSatisfy(approval -> assertThat(asked).contains(approval));
        for (String session : sessions) {
            assertThat(console(home, postern, "session?key=" + URLEncoder.encode(session, StandardCharsets.UTF_8))
                            .body())
                    .contains("\"role\":\"user\"");
        }
        for (String request : payloads) {
            assertThat(console(home, postern, "requests/" + request).status()).isEqualTo(200);
            assertThat(console(home, postern, "requests/" + request + "/payload")
                            .body())
                    .contains("\"body\":\"{");
        }
        for (String place : List.of("overview", "hooks", "senders", "sessions", "spending", "settings", "nodes")) {
            assertThat(console(home, postern, place).status()).as(place).isEqualTo(200);
        }
        assertThat(console(home, postern, "audit").body()).contains("operator");
        assertThat(postern.sender().get("/metrics").body()).contains("postern_pending ");
        assertThat(postern.sender().post("wake", "{\"text\":\"today\"}").status())
                .isEqualTo(200);
        assertThat(postern.stop()).isZero();
        assertThat(home.run(
                                "verify",
                                home.directory().resolve("data/postern.db").toString())
                        .out())
                .startsWith("ok: ");
    }

    private static PosternResponse console(HomeFixture home, PosternProcess postern, String place) throws Exception {
        return postern.sender().withToken(null).get("/console/api/" + place, List.of("Authorization", home.operator()));
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of a home that moves from SQLite to Debian's PostgreSQL and back, with work that waits. */
@EnabledIf(
        value = "dev.postern.it.standalone.DebianPostgres#isInstalled",
        disabledReason = DebianPostgres.NOT_INSTALLED)
@Tag("long")
@Timeout(600)
class CopyDatabaseIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String CHAT = "/chat.postMessage";
    private static final int WAITING = 12;
    private static final String WRONG = "it-wrong-7hQ2";

    private static final String SQLITE_TABLES =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'filler' ORDER BY name";

    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer(new DebianPostgres());

    @RegisterExtension
    static final WireMockExtension SLACK = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** The name of the test's own database, of its role and of the role's password. */
    private final String database = "copied" + COUNT.incrementAndGet();

    @BeforeEach
    void makeDatabase() throws SQLException {
        SERVER.database(database);
    }

    @Test
    void saysThatPostgresRefusesTheLogin() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        assertThat(home.start().stop()).isZero();

        PosternProcess refused = copy(home, WRONG);

        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log())
                .contains("problem: cannot open the database [" + SERVER.url(database) + "]: FATAL: password")
                .endsWith(" (check --username and the password)\n")
                .doesNotContain(WRONG);
    }

    @Test
    void refusesASourceInUseAndATargetWithTables() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess owner = home.start();

        PosternProcess inUse = copy(home, database);

        assertThat(inUse.awaitExit()).isEqualTo(1);
        assertThat(inUse.log())
                .endsWith("problem: the home [" + home.directory() + "] is in use by another Postern (process "
                        + owner.pid() + "); stop it first\n");
        assertThat(SERVER.column(database, tables())).isEmpty();
        assertThat(owner.stop()).isZero();
        assertThat(copy(home, database).awaitExit()).isZero();

        PosternProcess again = copy(home, database);
        assertThat(again.awaitExit()).isEqualTo(1);
        assertThat(again.log())
                .contains("is not empty: it has the tables approval, ", "; name an empty database or schema");

        HomeFixture node = homeFixtureExtension.newHome().settings(HomeFixture.hooks(), onPostgres());
        PosternProcess other = node.start();
        HomeFixture beside = homeFixtureExtension.newHome().settings(HomeFixture.hooks(), onPostgres());
        PosternProcess used = copyBack(beside);
        assertThat(used.awaitExit()).isEqualTo(1);
        assertThat(used.log()).contains("is in use by other Posterns (nodes: 1); stop it first");
        assertThat(other.sender().post("wake", "{\"text\":\"still here\"}").status())
                .isEqualTo(200);
        assertThat(other.stop()).isZero();
        assertThat(copyBack(beside).awaitExit()).isZero();
    }

    @Test
    void leavesNothingInPostgresWhenItIsKilled() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        assertThat(home.start().stop()).isZero();
        try (HomeDatabase sqlite = home.database()) {
            sqlite.column("PRAGMA query_only = 0");
            sqlite.column("WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 300000)"
                    + " INSERT INTO turn (session_key, seq, role, text, created_at)"
                    + " SELECT 'hook:a', n, 'user', hex(randomblob(50)), n FROM up");
        }

        PosternProcess killed = home.launched(
                "copy-database",
                "--to",
                SERVER.url(database) + "?user=" + database + "&password=" + database,
                "--home",
                home.directory().toString());
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !killed.isAlive() || killed.out().contains("turn: 100000 rows so far\n"));
        assertThat(killed.isAlive()).as("was killed in the midst of it").isTrue();
        killed.kill();

        await().atMost(LONGEST)
                .until(
                        () -> SERVER.column(
                                "postgres", "SELECT pid FROM pg_stat_activity WHERE usename = '" + database + "'"),
                        List::isEmpty);
        assertThat(SERVER.column(database, tables())).isEmpty();
        PosternProcess done = copy(home, database);
        assertThat(done.awaitExit()).as(done.log()).isZero();
        assertThat(SERVER.column(database, "SELECT count(*) FROM turn")).containsExactly("300000");
    }

    @Test
    void workThatWaitsGoesOnThereAndBack() throws Exception {
        SLACK.stubFor(post(CHAT).willReturn(serverError()));
        HomeFixture home = homeFixtureExtension.newHome();
        settings(home, "");
        PosternProcess first = home.start();
        Map<String, String> runs = accept(first, "there");
        String delivery = runs.get("there 0");
        assertThat(first.sender().ended(delivery).text("status")).isEqualTo("succeeded");
        await().atMost(LONGEST)
                .until(() ->
                        first.sender().run(runs.get("there 1")).text("status").equals("running"));
        first.kill();

        PosternProcess there = copy(home, database);
        assertThat(there.awaitExit()).as(there.log()).isZero();
        assertThat(there.out()).contains("run: 13 rows, compared, SHA-256 ", " Each was compared with its source");
        try (HomeDatabase sqlite = home.database()) {
            assertThat(rowsOfPostgres()).isEqualTo(rows(sqlite));
        }

        SLACK.resetAll();
        SLACK.stubFor(BurstLoad.replyTaken());
        settings(home, onPostgres());
        home.file("agents/main/go", "");
        PosternProcess second = home.start();
        finishes(second, runs);
        Map<String, String> more = accept(second, "back");
        finishes(second, more);
        assertThat(second.stop()).isZero();

        PosternProcess back = copyBack(home);
        assertThat(back.awaitExit()).as(back.log()).isZero();
        try (HomeDatabase sqlite = HomeDatabase.open(home.directory().resolve("data/back.db"))) {
            assertThat(rows(sqlite)).isEqualTo(rowsOfPostgres());
        }
        settings(home, "database: {url: 'jdbc:sqlite:" + home.directory().resolve("data/back.db") + "'}");
        PosternProcess third = home.start();
        knows(third, runs);
        knows(third, more);
        assertThat(third.stop()).isZero();
    }

    private static void settings(HomeFixture home, String more) throws Exception {
        Files.deleteIfExists(home.directory().resolve("turn.sh"));
        home.settingsWithProgram(
                HomeFixture.hooks("allowRequestSessionKey: true", "allowedSessionKeyPrefixes: ['hook:']"),
                "defaults: {model: program/x, maxAttempts: 5}");
        home.settings(
                home.read("postern.yaml"),
                "channels: {ops: {kind: slack, botToken: xoxb-ops, baseUrl: '" + SLACK.baseUrl() + "'}}",
                more);
    }

    /** Sends a run whose reply waits for its channel, and runs of which the first waits; returns the ids by key. */
    private static Map<String, String> accept(PosternProcess postern, String name) throws Exception {
        Map<String, String> runs = new TreeMap<>();
        for (int i = 0; i <= WAITING; i++) {
            PosternResponse response = send(postern, name + " " + i);
            assertThat(response.status()).isEqualTo(202);
            runs.put(name + " " + i, response.text("runId"));
        }
        return runs;
    }

    private static PosternResponse send(PosternProcess postern, String key) throws Exception {
        String body = key.endsWith(" 0")
                ? "{\"message\":\"" + key + "\",\"channel\":\"ops\",\"to\":\"C1\"}"
                : "{\"message\":\"wait for go: " + key
                        + "\",\"sessionKey\":\"hook:one\",\"wakeMode\":\"next-heartbeat\"}";
        return postern.sender().post("agent", body, "Idempotency-Key", key);
    }

    /** Every run succeeds, the reply is sent, and each key is known. */
    private static void finishes(PosternProcess postern, Map<String, String> runs) throws Exception {
        for (String run : runs.values()) {
            await().atMost(LONGEST)
                    .until(() -> postern.sender().run(run).text("status").equals("succeeded"));
        }
        String first = runs.keySet().iterator().next();
        await().atMost(LONGEST)
                .until(() ->
                        postern.sender().run(runs.get(first)).text("delivery").equals("delivered"));
        assertThat(SLACK.findAll(postRequestedFor(urlPathEqualTo(CHAT))).stream()
                        .filter(reply -> reply.getBodyAsString().contains(first)))
                .hasSize(1);
        knows(postern, runs);
    }

    private static void knows(PosternProcess postern, Map<String, String> runs) throws Exception {
        for (Map.Entry<String, String> each : runs.entrySet()) {
            PosternResponse response = send(postern, each.getKey());
            assertThat(response.text("runId")).isEqualTo(each.getValue());
            assertThat(response.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(postern.sender().run(each.getValue()).text("status")).isEqualTo("succeeded");
        }
    }

    private PosternProcess copy(HomeFixture home, String password) {
        return home.answer(
                password,
                "copy-database",
                "--to",
                SERVER.url(database),
                "--username",
                database,
                "--home",
                home.directory().toString());
    }

    private static PosternProcess copyBack(HomeFixture home) {
        return home.run(
                "copy-database",
                "--to",
                "jdbc:sqlite:" + home.directory().resolve("data/back.db"),
                "--home",
                home.directory().toString());
    }

    private String onPostgres() {
        return "database: {url: '" + SERVER.url(database) + "', username: " + database + ", password: " + database
                + "}";
    }

    private static String tables() {
        return "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename";
    }

    /** The rows of each table as texts, sorted. */
    private static Map<String, List<String>> rows(HomeDatabase sqlite) {
        Map<String, List<String>> all = new TreeMap<>();
        for (String table : sqlite.column(SQLITE_TABLES)) {
            String columns =
                    sqlite
                            .column("SELECT name || ' ' || type FROM pragma_table_info('" + table + "') ORDER BY cid")
                            .stream()
                            .map(column -> column.endsWith(" bytea")
                                    ? "hex(" + column.replace(" bytea", ")")
                                    : "coalesce(CAST(\"" + column.replaceFirst(" .*", "") + "\" AS text), 'null')")
                            .collect(Collectors.joining(" || '|' || "));
            all.put(table, sorted(sqlite.column("SELECT " + columns + " FROM " + table)));
        }
        return all;
    }

    private Map<String, List<String>> rowsOfPostgres() throws SQLException {
        Map<String, List<String>> all = new TreeMap<>();
        for (String table : SERVER.column(database, tables())) {
            String columns = SERVER
                    .column(
                            database,
                            "SELECT column_name || ' ' || data_type FROM information_schema.columns WHERE table_schema ="
                                    + " 'public' AND table_name = '" + table + "' ORDER BY ordinal_position")
                    .stream()
                    .map(column -> column.endsWith(" bytea")
                            ? "upper(encode(" + column.replace(" bytea", ", 'hex'))")
                            : "coalesce(\"" + column.replaceFirst(" .*", "") + "\"::text, 'null')")
                    .collect(Collectors.joining(" || '|' || "));
            all.put(table, sorted(SERVER.column(database, "SELECT " + columns + " FROM " + table)));
        }
        return all;
    }

    private static List<String> sorted(List<String> rows) {
        List<String> sorted = new ArrayList<>(rows);
        sorted.sort(null);
        return sorted;
    }
}

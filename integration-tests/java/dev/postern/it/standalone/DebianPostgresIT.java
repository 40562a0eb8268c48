package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.server.PortFinder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test with Debian's PostgreSQL: rejected logins, a server that is not there yet, and one that is killed under load.
 */
@EnabledIf(
        value = "dev.postern.it.standalone.DebianPostgres#isInstalled",
        disabledReason = DebianPostgres.NOT_INSTALLED)
@Tag("long")
class DebianPostgresIT extends DatabaseOutageFixture {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String WRONG = "it-wrong-7hQ2";
    private static final String WAKE = "{\"text\":\"hello\",\"mode\":\"next-heartbeat\"}";

    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer(new DebianPostgres());

    DebianPostgresIT() {
        super(SERVER);
    }

    @Test
    void checkSaysThatThePasswordIsWrong() throws Exception {
        SERVER.database(database);

        PosternProcess check = check(home(database, ", password: " + WRONG));

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(problem(check))
                .contains("FATAL: password authentication failed for user \"" + database
                        + "\" (check database.username and database.password)")
                .doesNotContain(WRONG);
    }

    @Test
    void checkSaysThatThePasswordIsMissing() throws Exception {
        SERVER.database(database);

        PosternProcess check = check(home(database, ""));

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(problem(check)).contains("no password was provided", "database.password");
    }

    @Test
    void checkSaysThatTheDatabaseIsMissing() throws Exception {
        SERVER.database(database);

        PosternProcess check = check(home("nowhere", ", password: " + database));

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(problem(check)).endsWith("FATAL: database \"nowhere\" does not exist");
    }

    @Test
    void checkSaysThatTheServerIsAway() throws Exception {
        SERVER.database(database);
        HomeFixture home = home(database, ", password: " + database);

        PosternProcess check = whileStopped(() -> check(home));

        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(problem(check)).contains("/" + database + "]: Connection to 127.0.0.1:", " refused.");
    }

    @Test
    void checkAndStartSayThatTheRoleMayMakeNoTables() throws Exception {
        SERVER.database(database);
        String others = database + "_of_others";
        SERVER.administer("CREATE DATABASE " + others);
        HomeFixture home = home(others, ", password: " + database);
        String wrong = "the role " + database
                + " may not make tables in the schema public; run GRANT CREATE ON SCHEMA public TO " + database
                + ", or make it the owner of the database";

        PosternProcess check = check(home);
        assertThat(check.awaitExit()).isEqualTo(1);
        assertThat(check.out()).contains("problem: database: " + wrong);
        PosternProcess refused = home.serve("--port", "0");
        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log().lines()).singleElement().isEqualTo("postern: " + wrong);

        SERVER.administer("ALTER DATABASE " + others + " OWNER TO " + database);
        assertThat(home.start().sender().post("wake", WAKE).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {", password: " + WRONG, ""})
    void startEndsWhereTheLoginIsRefused(String password) throws Exception {
        SERVER.database(database);

        PosternProcess refused = home(database, password).serve("--port", "0");

        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log().lines())
                .singleElement()
                .asString()
                .startsWith("postern: cannot open the database [" + SERVER.url(database) + "]: ")
                .endsWith(" (check database.username and database.password)")
                .doesNotContain(WRONG);
    }

    @Test
    void startWaitsUntilTheServerIsThere() throws Exception {
        SERVER.database(database);
        int port = PortFinder.free();
        HomeFixture home = home(database, ", password: " + database);
        HookSender sender = new HookSender(URI.create("http://127.0.0.1:" + port + "/hooks/"), HomeFixture.TOKEN);

        PosternProcess waiting = whileStopped(() -> {
            PosternProcess postern = home.serve("--port", String.valueOf(port));
            PosternResponse posternResponse = await().atMost(LONGEST)
                    .ignoreException(ConnectException.class)
                    .until(() -> sender.post("wake", WAKE), any -> true);
            assertThat(posternResponse.status()).isEqualTo(503);
            assertThat(posternResponse.header("Retry-After")).matches("[1-9][0-9]*");
            assertThat(posternResponse.body()).contains("the database can't be opened now");
            assertThat(postern.isReady()).isFalse();
            PosternResponse page = console(port, "runs");
            assertThat(page.status()).isEqualTo(503);
            assertThat(page.header("Content-Type")).startsWith("text/html");
            assertThat(page.header("Content-Security-Policy")).contains("script-src 'self'");
            assertThat(page.body()).contains("Postern has not started yet, and will by itself");
            PosternResponse json = console(port, "api/runs");
            assertThat(json.status()).isEqualTo(503);
            assertThat(json.text("code")).isEqualTo("unavailable");
            assertThat(json.text("error")).startsWith("Postern has not started yet, and will by itself");
            return postern;
        });

        waiting.awaitReady();
        assertThat(sender.post("wake", WAKE).status()).isEqualTo(200);
        assertThat(SERVER.column(database, "SELECT text FROM event WHERE kind = 'wake'"))
                .containsExactly("hello");
        assertThat(waiting.stop()).isZero();
        assertThat(waiting.log())
                .containsOnlyOnce("Postern is waiting to start; retrying every second: cannot open the database")
                .containsOnlyOnce("Postern started after waiting ");
    }

    private static PosternResponse console(int port, String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + port + "/console/" + path);
        return new PosternResponse(HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()));
    }

    /** As servers are whose disk fills up, and a standby to which a proxy leads: a session stays as it began. */
    @Test
    void writesAgainOnceTheDatabaseIsNoLongerReadOnly() throws Exception {
        SERVER.database(database);
        PosternProcess postern = home(database, ", password: " + database).start();
        String setting = "ALTER DATABASE " + database + " SET default_transaction_read_only = ";
        assertThat(postern.sender().post("wake", WAKE).status()).isEqualTo(200);

        SERVER.administer(setting + "on");
        SERVER.cutOff(database);
        PosternResponse refused = postern.sender().post("wake", WAKE);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text("code")).isEqualTo("unavailable");
        assertThat(refused.header("Retry-After")).matches("[1-9][0-9]*");
        SERVER.administer(setting + "off");
        await().atMost(TimeBound.of(Duration.ofSeconds(5)))
                .until(() -> postern.sender().post("wake", WAKE).status() == 200);
        assertThat(SERVER.column(database, "SELECT text FROM event WHERE kind = 'wake'"))
                .hasSize(2);
    }

    @Test
    void losesNothingWhenTheServerIsKilled() throws Exception {
        survives("Debian's PostgreSQL killed", SERVER::kill, SERVER::startAgain);
    }

    @Test
    void checkOpensTheDatabaseAndSaysItsSchema() throws Exception {
        SERVER.database(database);
        HomeFixture home = home(database, ", password: " + database);
        String opens = "ok: database: PostgreSQL at " + SERVER.url(database).substring("jdbc:postgresql://".length())
                + " opens, ";

        PosternProcess empty = check(home);
        assertThat(empty.awaitExit()).isZero();
        assertThat(empty.out()).contains(opens + "and is empty; the first start makes its tables\n");
        assertThat(SERVER.column(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
                .isEmpty();

        home.start();
        PosternProcess beside = check(home);
        assertThat(beside.awaitExit()).isZero();
        assertThat(beside.out()).contains(opens + "with schema ").doesNotContain("problem");
    }

    /** A home whose database is {@code name}, with the login of the test's own role, and {@code more} settings of it. */
    private HomeFixture home(String name, String more) throws IOException {
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "database: {url: '" + SERVER.url(name) + "', username: " + database + more + "}");
    }

    private static PosternProcess check(HomeFixture home) {
        return home.run("check", "--online", "--home", home.directory().toString());
    }

    /** The one line that {@code check} has said. */
    private static String problem(PosternProcess check) {
        List<String> lines = check.out().lines().toList();
        assertThat(lines).singleElement().asString().startsWith("problem: database: cannot open the database [");
        return lines.get(0);
    }

    private interface CommandTrial {
        PosternProcess run() throws Exception;
    }

    private static PosternProcess whileStopped(CommandTrial trial) throws Exception {
        SERVER.stop();
        try {
            return trial.run();
        } finally {
            SERVER.startAgain();
        }
    }
}

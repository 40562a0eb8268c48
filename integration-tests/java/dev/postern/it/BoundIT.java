package dev.postern.it;

import static dev.postern.it.AnswerAssert.assertThatAnswer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.server.Bindings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test of the resources that a server binds for a deployment, as {@code deploy-descriptors/} describes. */
class BoundIT extends Redeploying {

    private static final String WAKE = "{\"text\":\"a\"}";
    private static final int FAILURES = 20;

    private EmbeddedPostgres postgres;

    @Deployment(name = "bound-setting", managed = false, testable = false)
    static WebArchive setting() {
        return Home.empty("bound-setting").war();
    }

    @Deployment(name = "bound-database", managed = false, testable = false)
    static WebArchive database() {
        return Home.empty("bound-database").war();
    }

    @Deployment(name = "bound-threads", managed = false, testable = false)
    static WebArchive threads() {
        return Home.empty("bound-threads").war();
    }

    @Deployment(name = "bound-proxy", managed = false, testable = false)
    static WebArchive proxy() {
        return Home.empty("bound-proxy").war();
    }

    @Deployment(name = "bound-users", managed = false, testable = false)
    static WebArchive users() {
        return Home.empty("bound-users").war();
    }

    /** Not before the web application that uses it. */
    @AfterEach
    void stopPostgres() throws IOException {
        undeployWhatIsLeft();
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    void takesASettingFromTheServer() {
        new Host("bound-setting").bind(Bindings.NONE.withHooksPath("/from/server"));
        deploy("bound-setting", Home.with("bound-setting", List.of()));
        hooksAt("from/server");

        assertThatAnswer(post("from/server/wake", WAKE).send()).isOk(200);
        assertThatAnswer(wake(WAKE).send()).isError(404, "not_found");
    }

    @Test
    void keepsEverythingInTheServersDatabase() throws IOException, SQLException {
        Host.assumeThatItBinds();
        Bindings.Database database = startPostgres();
        new Host("bound-database").bind(Bindings.NONE.withDatabase(database));
        Home home = Home.with("bound-database", List.of());
        deploy("bound-database", home);

        assertThatAnswer(wake(WAKE).send()).isOk(200);
        assertThatAnswer(
                        agent("{\"message\":\"a\"}").header("Prefer", "wait=20").send())
                .isOk(200);

        assertThat(count("event WHERE text = 'a'")).isOne();
        assertThat(count("run WHERE state = 'succeeded'")).isOne();
        assertThat(home.path("data/postern.db")).doesNotExist();
    }

    @Test
    void takesTurnsOnTheServersThreads() throws IOException, InterruptedException {
        if (!new Host("bound-threads").turnThreads().pattern().startsWith("postern-")) {
            new Host("bound-threads").bind(Bindings.NONE.withExecutor());
        }
        Path gate = Home.empty("bound-threads").path("gate");
        Home home = Home.with(
                "bound-threads",
                List.of(),
                "providers: {gate: {kind: command, command: [head, -n, '1', '" + gate + "']}}",
                "agents: {defaults: {model: gate/hold}}");
        assertThat(new ProcessBuilder("mkfifo", gate.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        deploy("bound-threads", home);

        // No heartbeat follows, which would wait at the gate as well.
        String run = agent("{\"message\":\"held\",\"wakeMode\":\"next-heartbeat\"}")
                .send()
                .text("runId");
        try (RandomAccessFile pipe = new RandomAccessFile(gate.toFile(), "rw")) {
            await().untilAsserted(() -> assertThat(host().threadsIn("dev.postern.dispatch", "dev.postern.agent"))
                    .hasSize(1)
                    .allMatch(host().turnThreads().asMatchPredicate()));
            pipe.write("done\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> get("hooks/runs/" + run).send().text("status").equals("succeeded"));
        }
    }

    @Test
    void believesWhomTheProxySaysItServes() throws IOException {
        new Host("bound-proxy").bind(Bindings.NONE.withProxy());
        deploy("bound-proxy", Home.with("bound-proxy", List.of()));
        for (int i = 0; i < FAILURES; i++) {
            assertThatAnswer(throughProxy("192.0.2.1", "POST hooks/wake")).isError(401, "unauthorized");
        }

        assertThatAnswer(throughProxy("192.0.2.1", "POST hooks/wake")).isError(429, "throttled");
        assertThatAnswer(throughProxy("192.0.2.2", "POST hooks/wake")).isError(401, "unauthorized");
        assertThatAnswer(throughProxy("192.0.2.2", "GET metrics")).isError(404, "not_found");
    }

    @Test
    void believesNobodyElseOnWhomItServes() throws IOException {
        new Host("bound-proxy").bind(Bindings.NONE.withProxy());
        deploy("bound-proxy", Home.with("bound-proxy", List.of()));
        for (int i = 0; i < FAILURES; i++) {
            assertThatAnswer(directly("192.0.2." + i)).isError(401, "unauthorized");
        }

        assertThatAnswer(directly("192.0.2.99")).isError(429, "throttled");
    }

    @Test
    void showsItsFiguresToUsersWhomTheServerGivesARole() {
        new Host("bound-users").bind(Bindings.NONE.withUsers());
        deploy("bound-users", Home.with("bound-users", List.of(), "metrics: viewer"));

        Answer nobody = to("metrics").send();
        Answer wrong = asUser(Bindings.VIEWER, "wrong");
        Answer stranger = asUser(Bindings.STRANGER, Bindings.PASSWORD);
        Answer viewer = asUser(Bindings.VIEWER, Bindings.PASSWORD);

        assertThatAnswer(nobody).isError(401, "unauthorized");
        assertThat(nobody.header("WWW-Authenticate")).hasValue("Basic realm=\"Postern\", charset=\"UTF-8\"");
        assertThatAnswer(wrong).isError(401, "unauthorized");
        assertThatAnswer(stranger).isError(403, "forbidden");
        assertThat(viewer.status()).isEqualTo(200);
        assertThat(viewer.body()).contains("postern_accepted_total");
        assertThat(viewer.header("Set-Cookie").stream())
                .as("a session for each scrape, or one that has ended")
                .allMatch(cookie -> cookie.contains("Expires=Thu, 01-Jan-1970"));
        assertThatAnswer(wake(WAKE).send()).isOk(200);
    }

    @Test
    void showsItsPagesToUsersWhomTheServerGivesARole() {
        new Host("bound-users").bind(Bindings.NONE.withUsers());
        deploy("bound-users", Home.with("bound-users", List.of(), "console: viewer"));

        Answer nobody = to("console/").send();
        Answer stranger = logIn(Bindings.STRANGER, Bindings.PASSWORD);
        Answer wrong = logIn(Bindings.VIEWER, "wrong");
        Answer viewer = logIn(Bindings.VIEWER, Bindings.PASSWORD);

        assertThat(nobody.status()).isEqualTo(303);
        assertThat(stranger.status()).isEqualTo(403);
        assertThat(stranger.header("Set-Cookie")
                        .map(this::withCookie)
                        .orElse(nobody)
                        .status())
                .isEqualTo(303);
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(viewer.status()).isEqualTo(303);
        String cookie = viewer.header("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").containsOnlyOnce("SameSite=Strict");
        Answer page = withCookie(cookie);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains(Bindings.VIEWER).contains("No alerts.");
        assertThat(to("console/").send().status()).isEqualTo(303);
    }

    /** The first page, asked for with the session's cookie that was set. */
    private Answer withCookie(String cookie) {
        return to("console/")
                .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
                .send();
    }

    private Answer logIn(String name, String password) {
        return to("console/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method("POST", "name=" + name + "&password=" + password)
                .send();
    }

    private Answer asUser(String name, String password) {
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return to("metrics").header("Authorization", "Basic " + credentials).send();
    }

    private Answer throughProxy(String client, String request) throws IOException {
        try (Wire wire = host().fromProxy()) {
            return wire.send(head(request, host().proxied(client), "Content-Length: 0"))
                    .answer()
                    .orElseThrow();
        }
    }

    private Answer directly(String client) throws IOException {
        try (Wire wire = Wire.to(site(), "127.0.0.10")) {
            return wire.send(head("POST hooks/wake", host().proxied(client), "Content-Length: 0"))
                    .answer()
                    .orElseThrow();
        }
    }

    private Bindings.Database startPostgres() throws IOException, SQLException {
        String password = "it-password";
        Path directory = Files.createDirectories(Path.of(System.getProperty("it.directory"), "postgres"));
        postgres = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.toFile())
                .start();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE postern LOGIN PASSWORD '" + password + "'");
            statement.execute("CREATE DATABASE postern OWNER postern");
        }
        return new Bindings.Database("localhost", postgres.getPort(), password);
    }

    private long count(String rows) throws SQLException {
        DataSource database = postgres.getDatabase("postern", "postern");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM " + rows)) {
            count.next();
            return count.getLong(1);
        }
    }
}

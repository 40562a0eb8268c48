package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.server.ServerBindings;
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
class ServerBindingsIT extends RedeploymentFixture {

    private static final String WAKE = "{\"text\":\"a\"}";
    private static final int FAILURES = 20;

    private EmbeddedPostgres postgres;

    @Deployment(name = "bound-setting", managed = false, testable = false)
    static WebArchive setting() {
        return DeploymentHome.empty("bound-setting").war();
    }

    @Deployment(name = "bound-database", managed = false, testable = false)
    static WebArchive database() {
        return DeploymentHome.empty("bound-database").war();
    }

    @Deployment(name = "bound-threads", managed = false, testable = false)
    static WebArchive threads() {
        return DeploymentHome.empty("bound-threads").war();
    }

    @Deployment(name = "bound-proxy", managed = false, testable = false)
    static WebArchive proxy() {
        return DeploymentHome.empty("bound-proxy").war();
    }

    @Deployment(name = "bound-users", managed = false, testable = false)
    static WebArchive users() {
        return DeploymentHome.empty("bound-users").war();
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
        new DeploymentHost("bound-setting").bind(ServerBindings.NONE.withHooksPath("/from/server"));
        deploy("bound-setting", DeploymentHome.with("bound-setting", List.of()));
        hooksAt("from/server");

        assertThatResponse(post("from/server/wake", WAKE).send()).isOk(200);
        assertThatResponse(wake(WAKE).send()).isError(404, "not_found");
    }

    @Test
    void keepsEverythingInTheServersDatabase() throws IOException, SQLException {
        DeploymentHost.assumeThatItBinds();
        ServerBindings.Database database = startPostgres();
        new DeploymentHost("bound-database").bind(ServerBindings.NONE.withDatabase(database));
        DeploymentHome home = DeploymentHome.with("bound-database", List.of());
        deploy("bound-database", home);

        assertThatResponse(wake(WAKE).send()).isOk(200);
        assertThatResponse(
                        agent("{\"message\":\"a\"}").header("Prefer", "wait=20").send())
                .isOk(200);

        assertThat(count("event WHERE text = 'a'")).isOne();
        assertThat(count("run WHERE state = 'succeeded'")).isOne();
        assertThat(home.path("data/postern.db")).doesNotExist();
    }

    @Test
    void takesTurnsOnTheServersThreads() throws IOException, InterruptedException {
        if (!new DeploymentHost("bound-threads").turnThreads().pattern().startsWith("postern-")) {
            new DeploymentHost("bound-threads").bind(ServerBindings.NONE.withExecutor());
        }
        Path gate = DeploymentHome.empty("bound-threads").path("gate");
        DeploymentHome home = DeploymentHome.with(
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
        new DeploymentHost("bound-proxy").bind(ServerBindings.NONE.withProxy());
        deploy("bound-proxy", DeploymentHome.with("bound-proxy", List.of()));
        for (int i = 0; i < FAILURES; i++) {
            assertThatResponse(throughProxy("192.0.2.1", "POST hooks/wake")).isError(401, "unauthorized");
        }

        assertThatResponse(throughProxy("192.0.2.1", "POST hooks/wake")).isError(429, "throttled");
        assertThatResponse(throughProxy("192.0.2.2", "POST hooks/wake")).isError(401, "unauthorized");
        assertThatResponse(throughProxy("192.0.2.2", "GET metrics")).isError(404, "not_found");
    }

    @Test
    void believesNobodyElseOnWhomItServes() throws IOException {
        new DeploymentHost("bound-proxy").bind(ServerBindings.NONE.withProxy());
        deploy("bound-proxy", DeploymentHome.with("bound-proxy", List.of()));
        for (int i = 0; i < FAILURES; i++) {
            assertThatResponse(directly("192.0.2." + i)).isError(401, "unauthorized");
        }

        assertThatResponse(directly("192.0.2.99")).isError(429, "throttled");
    }

    @Test
    void showsItsFiguresToUsersWhomTheServerGivesARole() {
        new DeploymentHost("bound-users").bind(ServerBindings.NONE.withUsers());
        deploy("bound-users", DeploymentHome.with("bound-users", List.of(), "metrics: viewer"));

        RawResponse nobody = to("metrics").send();
        RawResponse wrong = asUser(ServerBindings.VIEWER, "wrong");
        RawResponse stranger = asUser(ServerBindings.STRANGER, ServerBindings.PASSWORD);
        RawResponse viewer = asUser(ServerBindings.VIEWER, ServerBindings.PASSWORD);

        assertThatResponse(nobody).isError(401, "unauthorized");
        assertThat(nobody.header("WWW-Authenticate")).hasValue("Basic realm=\"Postern\", charset=\"UTF-8\"");
        assertThatResponse(wrong).isError(401, "unauthorized");
        assertThatResponse(stranger).isError(403, "forbidden");
        assertThat(viewer.status()).isEqualTo(200);
        assertThat(viewer.body()).contains("postern_accepted_total");
        assertThat(viewer.header("Set-Cookie").stream())
                .as("a session for each scrape, or one that has ended")
                .allMatch(cookie -> cookie.contains("Expires=Thu, 01-Jan-1970"));
        assertThatResponse(wake(WAKE).send()).isOk(200);
    }

    @Test
    void showsItsPagesToUsersWhomTheServerGivesARole() {
        new DeploymentHost("bound-users").bind(ServerBindings.NONE.withUsers());
        deploy("bound-users", DeploymentHome.with("bound-users", List.of(), "console: viewer"));

        RawResponse nobody = to("console/").send();
        RawResponse stranger = logIn(ServerBindings.STRANGER, ServerBindings.PASSWORD);
        RawResponse wrong = logIn(ServerBindings.VIEWER, "wrong");
        RawResponse viewer = logIn(ServerBindings.VIEWER, ServerBindings.PASSWORD);

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
        RawResponse page = withCookie(cookie);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains(ServerBindings.VIEWER).contains("No alerts.");
        assertThat(to("console/").send().status()).isEqualTo(303);
    }

    /** The first page, asked for with the session's cookie that was set. */
    private RawResponse withCookie(String cookie) {
        return to("console/")
                .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
                .send();
    }

    private RawResponse logIn(String name, String password) {
        return to("console/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method("POST", "name=" + name + "&password=" + password)
                .send();
    }

    private RawResponse asUser(String name, String password) {
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return to("metrics").header("Authorization", "Basic " + credentials).send();
    }

    private RawResponse throughProxy(String client, String request) throws IOException {
        try (RawConnection rawConnection = host().connectFromProxy()) {
            return rawConnection
                    .send(head(request, host().proxied(client), "Content-Length: 0"))
                    .answer()
                    .orElseThrow();
        }
    }

    private RawResponse directly(String client) throws IOException {
        try (RawConnection rawConnection = RawConnection.to(site(), "127.0.0.10")) {
            return rawConnection
                    .send(head("POST hooks/wake", host().proxied(client), "Content-Length: 0"))
                    .answer()
                    .orElseThrow();
        }
    }

    private ServerBindings.Database startPostgres() throws IOException, SQLException {
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
        return new ServerBindings.Database("localhost", postgres.getPort(), password);
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

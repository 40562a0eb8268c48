package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.sql.DataSource;
import javax.tools.ToolProvider;
import org.apache.catalina.Context;
import org.apache.tomcat.util.descriptor.web.ContextResource;
import org.apache.tomcat.util.descriptor.web.ContextResourceLink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of Postern in a server: the server's resources, and what an operator sees of them. */
@Tag("long")
class PosternInTomcatTest {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final String WAKE = "{\"text\":\"a\",\"mode\":\"next-heartbeat\"}";
    private static final Path DESCRIPTORS = Path.of("deploy-descriptors/tomcat");

    @TempDir
    Path directory;

    private TomcatServer server;

    @BeforeEach
    void make() {
        server = new TomcatServer(directory.resolve("tomcat"));
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    @Test
    void reportsFailedStartWhenBoundDatabaseBreaks() throws Exception {
        DataSource database = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    throw new IllegalStateException("no pool for jdbc:x?password=hunter2");
                });
        TomcatServer.bind(server.deploy("/postern", home("home", TOKEN)), "jdbc/postern", database);
        server.start();

        assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(503);
        assertThat(server.get("/postern/health/ready").body())
                .contains("the start failed (IllegalStateException)")
                .doesNotContain("hunter2");
        assertThat(server.post("/postern/hooks/wake", TOKEN, "{}").statusCode()).isEqualTo(503);
    }

    @Test
    void refusesDatabaseLinkThatLeadsNowhere() throws Exception {
        Path home = home("home", TOKEN);
        Context context = server.deploy("/postern", home);
        ContextResourceLink link = new ContextResourceLink();
        link.setName("jdbc/postern");
        link.setGlobal("jdbc/nosuch");
        link.setType(DataSource.class.getName());
        context.getNamingResources().addResourceLink(link);

        List<String> log = logOf(() -> server.start());

        assertThat(log)
                .filteredOn(line -> line.contains("java:comp/env/jdbc/postern is bound but can't be looked up"))
                .singleElement()
                .asString()
                .contains("(NameNotFoundException: ", "jdbc/nosuch", "mend what the server binds there, or remove it");
        assertThat(server.post("/postern/hooks/wake", TOKEN, WAKE).statusCode()).isEqualTo(503);
        assertThat(home.resolve("data/postern.db")).doesNotExist();
    }

    @Test
    void tellsAtEachPathThatItsSettingsCannotWork() throws Exception {
        Path home = home("home", TOKEN);
        Files.writeString(home.resolve("postern.yaml"), "metrics: everyone\n");
        server.deploy("/postern", home).addWelcomeFile("index.jsp"); // as Tomcat's own web.xml does
        server.start();

        for (String path : List.of("/", "/console/", "/console", "/hooks/", "/a.jsp", "/health/ready")) {
            HttpResponse<String> response = server.get("/postern" + path);
            assertThat(response.statusCode()).as(path).isEqualTo(503);
            assertThat(response.body()).contains("is [everyone]");
        }
    }

    @Test
    void refusesDatabaseWhoseFactoryIsMissing() throws Exception {
        Path home = home("home", TOKEN);
        ContextResource resource = new ContextResource();
        resource.setName("jdbc/postern");
        resource.setType(DataSource.class.getName());
        resource.setProperty("factory", "a.pool.Factory");
        resource.setProperty("password", "hunter2");
        server.deploy("/postern", home).getNamingResources().addResource(resource);

        List<String> log = logOf(() -> server.start());

        assertThat(log)
                .filteredOn(line -> line.contains("java:comp/env/jdbc/postern is bound but can't be looked up"))
                .singleElement()
                .asString()
                .contains("ClassNotFoundException: a.pool.Factory")
                .doesNotContain("hunter2");
        assertThat(home.resolve("data/postern.db")).doesNotExist();
    }

    @Test
    void refusesBoundObjectThatIsNoDatabase() throws Exception {
        Path home = home("home", TOKEN);
        TomcatServer.bind(server.deploy("/postern", home), "jdbc/postern", (Object) List.of("no database"));
        List<String> log = logOf(() -> server.start());

        assertThat(log).anySatisfy(line -> assertThat(line)
                .contains("java:comp/env/jdbc/postern is bound to no javax.sql.DataSource; bind one there, or"
                        + " nothing"));
        assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(503);
        assertThat(home.resolve("data/postern.db")).doesNotExist();
    }

    @Test
    void isNotReadyWhileTheBoundDatabaseIsAway() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        DataSource database = breakable(TestDatabases.newPostgresSource(), broken);
        TomcatServer.bind(server.deploy("/postern", home("home", TOKEN)), "jdbc/postern", database);
        server.start();
        assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(200);

        broken.set(true);

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                        server.get("/postern/health/ready").statusCode())
                .isEqualTo(503));
        assertThat(server.get("/postern/health/ready").body()).contains("\"part\":\"database\",\"status\":\"down\"");
        assertThat(server.get("/postern/health/live").statusCode()).isEqualTo(200);
        assertThat(server.get("/postern/metrics").body())
                .contains("postern_oldest_waiting_seconds{kind=\"run\"} NaN", "postern_pending NaN");

        broken.set(false);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                        server.get("/postern/health/ready").statusCode())
                .isEqualTo(200));
    }

    @Test
    void startsByItselfWhenADatabaseThatWasAwayIsThere() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        DataSource database = breakable(TestDatabases.newPostgresSource(), broken);
        TomcatServer.bind(server.deploy("/postern", home("home", TOKEN)), "jdbc/postern", database);
        List<String> log = logOf(() -> {
            server.start();

            HttpResponse<String> answer = server.post("/postern/hooks/wake", TOKEN, WAKE);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(answer.body()).contains("\"code\":\"unavailable\"", "the database can't be opened now");
            assertThat(server.post("/postern/hooks/wake", "wrong", WAKE).statusCode())
                    .isEqualTo(401);
            assertThat(server.get("/postern/health/live").statusCode()).isEqualTo(200);
            assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(503);
            assertThat(server.get("/postern/health/ready").body()).contains("the database can't be opened now");
            assertThat(server.get("/postern/metrics").statusCode()).isEqualTo(503);

            broken.set(false);
            await().until(() -> server.post("/postern/hooks/wake", TOKEN, WAKE).statusCode() == 200);
        });

        assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(200);
        assertThat(server.get("/postern/metrics").body()).contains("postern_accepted_total{action=\"wake\"} 1.0");
        assertThat(log)
                .filteredOn(line -> line.contains("retrying every second"))
                .hasSize(1);
    }

    @Test
    void startsByItselfWhenNoOtherSessionHoldsATable() throws Exception {
        DataSource database = TestDatabases.newPostgresSource();
        Path home = home("home", TOKEN);
        Store.open(database, home, "before", InstantSource.system()).close();
        TomcatServer.bind(server.deploy("/postern", home), "jdbc/postern", database);
        List<String> log = logOf(() -> {
            try (Connection holder = database.getConnection();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("LOCK TABLE schema_version");
                server.start();

                assertThat(server.get("/postern/health/live").statusCode()).isEqualTo(200);
                assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(503);
            }
            await().until(() -> server.post("/postern/hooks/wake", TOKEN, WAKE).statusCode() == 200);
        });

        assertThat(log)
                .filteredOn(line -> line.contains("Postern is waiting to start"))
                .singleElement()
                .asString()
                .contains("retrying every 5 s", "another session holds one of them");
    }

    @Test
    void startsByItselfWhenTheHomeThatAnotherHadIsFree() throws Exception {
        Path home = home("home", TOKEN);
        Context one = server.deploy("/one", home);
        Context other = server.deploy("/other", home);
        server.start();
        boolean oneHasIt = server.get("/one/health/ready").statusCode() == 200;
        String waiting = oneHasIt ? "/other" : "/one";
        assertThat(server.post(waiting + "/hooks/wake", TOKEN, WAKE).statusCode())
                .isEqualTo(503);
        assertThat(server.get(waiting + "/health/ready").body())
                .contains("is in use by another Postern", "this server");

        (oneHasIt ? one : other).stop();

        await().until(() -> server.post(waiting + "/hooks/wake", TOKEN, WAKE).statusCode() == 200);
        assertThat(server.get(waiting + "/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void startsByItselfAfterErrorsForLackOfThreads() throws Exception {
        DataSource database = failing(
                new OutOfMemoryError("unable to create native thread"),
                new SQLException("away", "08001"),
                new OutOfMemoryError("unable to create native thread"));
        TomcatServer.bind(server.deploy("/postern", home("home", TOKEN)), "jdbc/postern", database);
        List<String> log = logOf(() -> {
            server.start();

            assertThat(server.get("/postern/health/live").statusCode()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> server.post("/postern/hooks/wake", TOKEN, WAKE).statusCode() == 200);
        });

        assertThat(log)
                .filteredOn(line -> line.contains("Postern is waiting to start"))
                .hasSize(2)
                .first()
                .asString()
                .contains("retrying every second", "OutOfMemoryError: unable to create native thread");
    }

    @Test
    void reportsFailedStartWhereAClassIsMissing() throws Exception {
        DataSource database =
                failing(new SQLException("away", "08001"), new NoClassDefFoundError("a/Driver of hunter2"));
        TomcatServer.bind(server.deploy("/postern", home("home", TOKEN)), "jdbc/postern", database);
        server.start();

        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        server.get("/postern/health/ready").body().contains("the start failed (NoClassDefFoundError)"));
        assertThat(server.get("/postern/health/ready").body()).doesNotContain("hunter2");
        assertThat(server.post("/postern/hooks/wake", TOKEN, WAKE).statusCode()).isEqualTo(503);
    }

    @Test
    void waitsForNothingAnyMoreOnceItIsUndeployed() throws Exception {
        DataSource database = breakable(TestDatabases.newPostgresSource(), new AtomicBoolean(true));
        Context context = server.deploy("/waiting", home("home", TOKEN));
        TomcatServer.bind(context, "jdbc/postern", database);
        server.start();
        assertThat(threads()).contains("postern-waiting-start");

        context.stop();

        assertThat(threads()).noneMatch(name -> name.startsWith("postern-waiting-"));
    }

    @Test
    void worksWithTheDataSourceAndOnTheExecutorThatAreBound() throws Exception {
        Path home = home("home", TOKEN);
        Files.writeString(home.resolve("postern.yaml"), command(home), StandardOpenOption.APPEND);
        DataSource database = TestDatabases.newPostgresSource();
        Context context = server.deploy("/postern", home);
        TomcatServer.bind(context, "jdbc/postern", database);
        server.link(
                context,
                "concurrent/postern",
                ExecutorService.class.getName(),
                compiled("ServerExecutor"),
                Map.of("maxThreads", "5"));
        List<String> log = logOf(() -> server.start());
        assertThat(log).contains("java:comp/env/jdbc/postern is used", "java:comp/env/concurrent/postern is used");

        assertThat(server.post("/postern/hooks/agent", TOKEN, "{\"message\":\"go\"}")
                        .statusCode())
                .isEqualTo(202);

        await().until(() -> Files.exists(home.resolve("agents/main/begun")));
        assertThat(runningTurns()).singleElement().asString().startsWith("server-executor-");
        assertThat(threads()).noneMatch(name -> name.startsWith("postern-postern-turn"));
        assertThat(count(database)).isEqualTo(1);
        assertThat(home.resolve("data/postern.db")).doesNotExist();
        Files.createFile(home.resolve("agents/main/go"));
        await().until(() -> runningTurns().isEmpty());
    }

    @Test
    void showsFiguresToUsersWhomTheServerGivesARole() throws Exception {
        Path home = home("home", TOKEN);
        Files.writeString(
                home.resolve("postern.yaml"),
                "hooks:\n  enabled: true\n  token: " + TOKEN + "\n  throttle: {failures: 3}\nmetrics: viewer\n");
        server.deploy("/postern", home);
        server.user("vera", "pässword", "postern-viewer");
        server.user("otto", "secret-otto", "postern-operator");
        server.user("nora", "secret-nora", "manager-gui");
        server.start();

        HttpResponse<String> nobody = server.get("/postern/metrics");
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.headers().firstValue("WWW-Authenticate"))
                .hasValue("Basic realm=\"Postern\", charset=\"UTF-8\"");
        assertThat(server.get("/postern/metrics", "nora", "secret-nora").statusCode())
                .isEqualTo(403);
        assertThat(server.get("/postern/metrics", "otto", "secret-otto").statusCode())
                .isEqualTo(200);
        assertThat(server.get("/postern/metrics", "vera", "pässword").body()).contains("postern_accepted_total");
        assertThat(server.get("/postern/metrics", "vera", "wrong").statusCode()).isEqualTo(401);
        assertThat(server.get("/postern/metrics", "vera", "").statusCode()).isEqualTo(401);
        assertThat(server.get("/postern/metrics", "nobody", "wrong").statusCode())
                .isEqualTo(401);
        HttpResponse<String> guessing = server.get("/postern/metrics", "nobody", "wrong");
        assertThat(guessing.statusCode()).isEqualTo(429);
        assertThat(guessing.body()).contains("Too many logins have failed.");
        assertThat(guessing.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isPositive();
        await().until(() -> server.get("/postern/metrics", "vera", "pässword").statusCode() == 200);
        assertThat(server.get("/postern/metrics", "vera", "wrong").statusCode()).isEqualTo(429);
        assertThat(server.get("/postern/metrics").statusCode()).isEqualTo(401);
    }

    @Test
    void saysWhatIsBoundWhereItIsOfNoUse() throws Exception {
        Context context = server.deploy("/postern", home("home", TOKEN));
        TomcatServer.bind(context, "concurrent/postern", (Object) List.of("no executor"));

        List<String> log = logOf(() -> server.start());

        assertThat(log)
                .filteredOn(line -> line.contains("java:comp/env/concurrent/postern"))
                .singleElement()
                .asString()
                .contains("is not used; a java.util.concurrent.ExecutorService is wanted");
        assertThat(server.get("/postern/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void logsTheBeginningAndTheEndOfItsStop() throws Exception {
        Context context = server.deploy("/postern", home("home", TOKEN));
        server.start();

        List<String> log = logOf(context::stop);

        assertThat(log).first().isEqualTo("Postern is stopping");
        assertThat(log).last().asString().matches("Postern has stopped after [0-9]+ (ms|s)");
    }

    @Test
    void keepsTwoDeploymentsInOneServerApart() throws Exception {
        Path first = home("first", TOKEN);
        Path second = home("second", "another-token-long-enough-02");
        server.deploy("/one", first);
        TomcatServer.bind(server.deploy("/two", second), "hooks/path", "/in");
        server.start();

        assertThat(server.post("/one/hooks/wake", TOKEN, "{\"text\":\"a\"}").statusCode())
                .isEqualTo(200);
        assertThat(server.post("/two/in/wake", TOKEN, "{\"text\":\"a\"}").statusCode())
                .isEqualTo(401);
        assertThat(server.post("/two/in/wake", "another-token-long-enough-02", "{\"text\":\"a\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.post("/two/hooks/wake", TOKEN, "{}").statusCode()).isEqualTo(404);
        assertThat(server.get("/one/metrics").body())
                .contains("postern_refused_total{code=\"unauthorized\"} 0.0", "{action=\"wake\"} 1.0");
        assertThat(first.resolve("data/postern.db")).exists();
        assertThat(second.resolve("data/postern.db")).exists();
        assertThat(threads()).anyMatch(name -> name.startsWith("postern-one-"));
        assertThat(threads()).anyMatch(name -> name.startsWith("postern-two-"));
    }

    @Test
    void showsACurlForAHomeThatWasSetUp() throws Exception {
        Path home = directory.resolve("fresh");
        server.deploy("/postern", home);

        List<String> log = logOf(() -> server.start());

        Path tokenFile = home.resolve("secrets/hook-token");
        assertThat(log)
                .filteredOn(line -> line.startsWith("A new home was set up"))
                .containsExactly("A new home was set up:\n  Settings: " + home.resolve("postern.yaml")
                        + "\n  Hook token: " + tokenFile
                        + "\n  Console: http://localhost:8080/postern/console/, users of this server with the role"
                        + " postern-viewer or postern-operator\n  Try it: curl -H \"Authorization: Bearer $(cat '"
                        + tokenFile + "')\" -d '{\"text\":\"it works\"}' http://localhost:8080/postern/hooks/wake"
                        + "\n  Replace localhost:8080 by this server's address.");
        assertThat(log).noneMatch(line -> line.contains(token(tokenFile)));
        assertThat(server.post("/postern/hooks/wake", token(tokenFile), "{\"text\":\"it works\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    private Path home(String name, String token) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Files.writeString(home.resolve("postern.yaml"), "hooks: {enabled: true, token: " + token + "}\n");
        return home;
    }

    /** A program backend that signals its start and waits until it may end. */
    private static String command(Path home) throws IOException {
        Files.createDirectories(home.resolve("agents/main"));
        return "agents: {defaults: {model: program/x}}\n"
                + "providers: {program: {kind: command, command: [sh, -c,"
                + " 'touch begun; i=0; while [ ! -e go ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i + 1)); done']}}\n";
    }

    private Class<?> compiled(String name) throws Exception {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        DESCRIPTORS.resolve(name + ".java").toString());
        assertThat(failed).isZero();
        URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
        return loader.loadClass(name);
    }

    private static long count(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT count(*) FROM run")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The names of the threads that run a turn. */
    private static List<String> runningTurns() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> List.of(thread.getValue()).stream()
                        .anyMatch(frame -> frame.getClassName().equals("dev.postern.agent.TurnRunner")))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface ThrowingAction {
        void run() throws Exception;
    }

    /** The lines that Postern logs while {@code doing} runs. */
    private static List<String> logOf(ThrowingAction throwingAction) throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.postern");
        logger.addHandler(handler);
        try {
            throwingAction.run();
            return lines;
        } finally {
            logger.removeHandler(handler);
        }
    }

    /** A PostgreSQL whose first connections fail with {@code failures}, one each. */
    private static DataSource failing(Throwable... failures) throws SQLException {
        DataSource database = TestDatabases.newPostgresSource();
        Iterator<Throwable> next = List.of(failures).iterator();
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    if (method.getName().equals("getConnection") && next.hasNext()) {
                        throw next.next();
                    }
                    return method.invoke(database, arguments);
                });
    }

    /** A DataSource that gives no connection while {@code broken}; open ones still work. */
    private static DataSource breakable(DataSource whole, AtomicBoolean broken) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    if (broken.get()) {
                        throw new SQLException("broken");
                    }
                    return method.invoke(whole, arguments);
                });
    }
}

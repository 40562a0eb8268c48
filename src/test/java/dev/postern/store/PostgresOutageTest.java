package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postern.model.Secret;
import dev.postern.observe.PackageLogCapture;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a PostgreSQL server that goes away, hangs, or comes back. */
@Tag("long")
class PostgresOutageTest {

    private static final InstantSource CLOCK = InstantSource.system();

    /** The bound of a wait: two seconds are promised, the rest is for a slow machine. */
    private static final Duration PROMISED = Duration.ofSeconds(8);

    /** The SQLState of a statement that was ended, as by its time limit. */
    private static final String TOO_LONG = "57014";

    /** Threads that may all wait at once. */
    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    @TempDir
    Path home;

    private String url;
    private TcpRelay relay;
    private Store store;

    @BeforeEach
    void open() throws Exception {
        url = TestDatabases.newPostgresUrl();
        URI server = URI.create(url.substring("jdbc:".length()));
        relay = new TcpRelay(server.getPort());
        store = Store.open(
                "jdbc:postgresql://localhost:" + relay.port() + server.getPath() + "?" + server.getQuery(),
                "postgres",
                new Secret("postgres"),
                home,
                "test",
                CLOCK);
    }

    @AfterEach
    void close() throws IOException {
        relay.close();
        store.close();
    }

    @Test
    void explainsThatThereIsNoServerWithoutThePassword() throws Exception {
        relay.cut();

        assertThatThrownBy(() -> Store.open(
                        "jdbc:postgresql://localhost:" + relay.port() + "/x?password=hunter2",
                        "u",
                        new Secret("hunter2"),
                        home.resolve("other"),
                        "test",
                        CLOCK))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot open the database [jdbc:postgresql://localhost:" + relay.port() + "/x]")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void saysThatWaitingIsOfNoUseWhereTheServerHasNoSuchDatabase() {
        assertThatThrownBy(() -> Store.open(
                        "jdbc:postgresql://localhost:" + relay.port() + "/nowhere",
                        "postgres",
                        null,
                        home.resolve("other"),
                        "test",
                        CLOCK))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("\"nowhere\" does not exist");
    }

    @Test
    void failsFastWhileTheServerIsGoneAndGoesOnWhenItIsBack() throws Exception {
        assertThat(insert("before")).isEqualTo(1);
        relay.cut();
        long start = System.nanoTime();

        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            assertThatThrownBy(() -> insert("during")).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> insert("during")).isInstanceOf(StoreException.class);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING Database writes fail,")
                    .contains("SQLState 08001");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISED.multipliedBy(2));
        assertThatThrownBy(this::nodes).isInstanceOf(StoreException.class);
        relay.mend();
        Awaitility.await().ignoreExceptions().until(() -> insert("after"), inserted -> inserted == 1);
        assertThat(nodes()).containsExactly("after", "before");
    }

    @Test
    void failsFastWhenTheServerFallsSilentWithWhatIsQueued() throws Exception {
        assertThat(insert("before")).isEqualTo(1);
        relay.stopForwarding();
        long start = System.nanoTime();

        List<CompletableFuture<Integer>> all = Stream.of("a", "b", "c", "d")
                .map(id -> store.write(sql -> insert(sql, id)))
                .toList();
        assertThat(all).allSatisfy(write -> assertThatThrownBy(write::join).hasCauseInstanceOf(StoreException.class));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISED);
        assertThat(store.metrics().failed()).isEqualTo(4);
        relay.resumeForwarding();
        Awaitility.await().ignoreExceptions().until(() -> insert("after"), inserted -> inserted == 1);
        assertThat(nodes()).contains("before", "after");
    }

    @Test
    void waitsForNoPoolThatTakesABrokenConnectionBackSlowly() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicBoolean breaks = new AtomicBoolean();
        DataSource source = BreakableDataSource.proxy(
                DataSource.class,
                TestDatabases.postgresSource(url),
                (method, result) -> BreakableDataSource.proxy(Connection.class, (Connection) result, (name, answer) -> {
                    if (breaks.get() && name.equals("close")) {
                        await(closed);
                    } else if (breaks.get() && name.equals("prepareStatement")) {
                        ((Connection) result).abort(Runnable::run);
                    }
                    return answer;
                }));
        try (Store bound = Store.open(source, home.resolve("bound"), "test", CLOCK)) {
            breaks.set(true);
            long start = System.nanoTime();

            assertThatThrownBy(() -> bound.read(sql -> insert(sql, "a"))).isInstanceOf(StoreException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISED);
            closed.countDown();
        }
    }

    @Test
    void noticesABrokenConnectionAndRepeatsOnANewOne() throws Exception {
        assertThat(insert("before")).isEqualTo(1);
        relay.breakConnections();

        assertThat(insert("after")).isEqualTo(1);
        assertThat(nodes()).containsExactly("after", "before");
    }

    @Test
    void repeatsAWholeBatchWhoseConnectionWasEndedByTheServer() throws Exception {
        try (Connection administrator = connect();
                Statement statement = administrator.createStatement()) {
            AtomicBoolean ended = new AtomicBoolean();
            BatchWrite<String, Integer> work = (sql, names) -> {
                if (ended.compareAndSet(false, true)) {
                    statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
                }
                List<Integer> inserted = new ArrayList<>();
                for (String name : names) {
                    inserted.add(insert(sql, name));
                }
                return inserted;
            };
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<Boolean> holder = store.write(sql -> await(gate));
            List<CompletableFuture<Integer>> batch =
                    Stream.of("a", "b").map(name -> store.write(work, name)).toList();
            gate.countDown();

            assertThat(holder.join()).isTrue();
            assertThat(batch).extracting(CompletableFuture::join).containsExactly(1, 1);
        }
        assertThat(nodes()).containsExactly("a", "b");
    }

    @Test
    void letsANeighbourPassAUnitThatWaitsForALock() throws Exception {
        assertThat(insert("locked")).isEqualTo(1);
        try (Connection other = connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT * FROM node FOR UPDATE");
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<Boolean> holder = store.write(sql -> await(gate));
            CompletableFuture<Integer> stuck = store.write(sql -> sql.update("UPDATE node SET seen_at = 2"));
            CompletableFuture<Integer> free = store.write(sql -> insert(sql, "free"));
            gate.countDown();

            assertThat(holder.join()).isTrue();
            assertThat(free.join()).isEqualTo(1);
            assertThatThrownBy(stuck::join).hasCauseInstanceOf(StoreException.class);
            other.rollback();
        }
        assertThat(nodes()).containsExactly("free", "locked");
    }

    @Test
    void failsAUnitThatTakesTooLongAloneAndWritesWhatWaitsBehindIt() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = store.write(sql -> await(gate));
        CompletableFuture<Integer> slow = store.write(sql -> {
            begun.countDown();
            return insertSlowly(sql, "slow");
        });
        CompletableFuture<Integer> inTheBatch = store.write(sql -> insert(sql, "in the batch"));
        gate.countDown();
        begun.await();
        CompletableFuture<Integer> behind = store.write(sql -> insert(sql, "behind"));

        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            assertThat(holder.join()).isTrue();
            assertThatThrownBy(slow::join)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("SQLState " + TOO_LONG);
            assertThat(inTheBatch.join()).isEqualTo(1);
            assertThat(behind.join()).isEqualTo(1);
            assertThat(log.lines()).singleElement().asString().startsWith("WARNING Some database writes take too long");
        }
        assertThat(nodes()).containsExactly("behind", "in the batch");
    }

    @Test
    void failsAnInputThatTakesTooLongAloneAndWritesTheOthersOfItsKind() throws Exception {
        BatchWrite<String, Integer> work = (sql, names) -> {
            List<Integer> done = new ArrayList<>();
            for (String name : names) {
                done.add(name.equals("slow") ? insertSlowly(sql, name) : insert(sql, name));
            }
            return done;
        };
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = store.write(sql -> await(gate));
        List<CompletableFuture<Integer>> all =
                Stream.of("a", "slow", "b").map(name -> store.write(work, name)).toList();
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(all.get(0).join()).isEqualTo(1);
        assertThatThrownBy(all.get(1)::join).hasMessageContaining("SQLState " + TOO_LONG);
        assertThat(all.get(2).join()).isEqualTo(1);
        assertThat(nodes()).containsExactly("a", "b");
    }

    @Test
    void answersAllWhoWaitWhileTheServerIsTooSlowForEveryUnit() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = store.write(sql -> await(gate));
        List<CompletableFuture<Integer>> all = IntStream.range(0, 20)
                .mapToObj(i -> store.write(sql -> insertSlowly(sql, "slow" + i)))
                .toList();
        long start = System.nanoTime();
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(all).allSatisfy(write -> assertThatThrownBy(write::join).hasCauseInstanceOf(StoreException.class));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISED);
    }

    @Test
    void failsAReadThatTakesTooLongAloneAndEndsItOnTheServer() throws Exception {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            assertThatThrownBy(() -> store.read(sql -> sleep(sql, 60)))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the database could not be read: PSQLException, SQLState " + TOO_LONG
                            + ": it ended a statement that took too long");

            assertThat(nodes()).isEmpty();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING Some database reads take too long, and requests that need them get a 503");
        }
        assertThat(sleepers()).isZero();
    }

    @Test
    void saysThatTheDatabaseIsAwayAlsoAfterAReadThatTookTooLong() throws Exception {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            assertThatThrownBy(() -> store.read(sql -> sleep(sql, 60))).isInstanceOf(StoreException.class);
            relay.cut();
            assertThatThrownBy(this::nodes).isInstanceOf(StoreException.class);
            assertThatThrownBy(this::nodes).isInstanceOf(StoreException.class);

            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(1)).startsWith("WARNING Database reads fail, ");
        }
    }

    @Test
    void failsAReadThatFindsNoFreeConnectionAloneAndSaysSo() throws Exception {
        CountDownLatch inUse = new CountDownLatch(6);
        CountDownLatch gate = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> readers = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> hold(store, inUse, gate), THREADS))
                .toList();
        inUse.await();

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(this::nodes)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("all 6 connections to the database were in use for 500 ms");
        }

        gate.countDown();
        assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isTrue());
        assertThat(nodes()).isEmpty();
    }

    @Test
    void failsAReadThatFindsAServersPoolFullAlone() throws Exception {
        CountDownLatch inUse = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (HikariDataSource pool = poolOfOne(url, Duration.ofMillis(250));
                Store bound = Store.open(pool, home.resolve("bound"), "bound", CLOCK)) {
            CompletableFuture<Boolean> reader = CompletableFuture.supplyAsync(() -> hold(bound, inUse, gate), THREADS);
            inUse.await();

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> nodes(bound))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("Connection is not available");
            }

            gate.countDown();
            assertThat(reader.join()).isTrue();
            assertThat(nodes(bound)).isEmpty();
        }
    }

    @Test
    void givesAReadItsWholeTimeAfterAWaitForAServersPool() throws Exception {
        CountDownLatch inUse = new CountDownLatch(1);
        try (HikariDataSource pool = poolOfOne(url, PROMISED);
                Store bound = Store.open(pool, home.resolve("bound"), "bound", CLOCK)) {
            CompletableFuture<Boolean> reader = CompletableFuture.supplyAsync(() -> hold(bound, inUse, 1.3), THREADS);
            inUse.await();

            boolean woken = bound.read(sql -> sleep(sql, 0.7));
            assertThat(woken).isTrue();
            assertThat(reader.join()).isTrue();
        }
    }

    @Test
    void leavesNoTimeLimitForStatementsToAServersPool() throws Exception {
        String limited = url + "&options=-c%20statement_timeout=7s";
        try (HikariDataSource pool = poolOfOne(limited, PROMISED);
                Store bound = Store.open(pool, home.resolve("bound"), "bound", CLOCK)) {
            assertThat(bound.read(PostgresOutageTest::timeLimit)).isEqualTo("1500ms");
            assertThatThrownBy(() -> bound.read(sql -> sleep(sql, 60))).hasMessageContaining(TOO_LONG);

            try (Connection connection = pool.getConnection()) {
                assertThat(SqlTransaction.on(connection, SqlDialect.POSTGRESQL, PostgresOutageTest::timeLimit))
                        .isEqualTo("7s");
            }
        }
    }

    @Test
    void limitsStatementsOfItsOwnPoolAlsoAfterTheyServedTheWriter() throws Exception {
        SettableClock clock = new SettableClock();
        try (Store own = Store.open(url, "postgres", null, home.resolve("own"), "own", clock)) {
            for (int i = 0; i < 3; i++) {
                assertThat(own.writeAndWait(PostgresOutageTest::timeLimit)).isEqualTo("1500ms");
                clock.advance(TransactionRunner.LONGEST_LOAN.plusMillis(1));
                assertThat(own.read(PostgresOutageTest::timeLimit)).isEqualTo("1500ms");
            }
        }
    }

    @Test
    void givesMigrationsConnectionsWithoutATimeLimit() throws Exception {
        try (PostgresDatabase database = PostgresDatabase.of(OwnConnectionPool.open(url, "postgres", null));
                Connection plain = database.plain()) {
            assertThat(database.read(PostgresOutageTest::timeLimit)).isEqualTo("1500ms");
            assertThat(SqlTransaction.on(plain, SqlDialect.POSTGRESQL, PostgresOutageTest::timeLimit))
                    .isEqualTo("0");
        }
    }

    @Test
    void waitsForTheDiskEvenWhereTheServerWasToldNotTo() throws Exception {
        String lax = url + "&options=-c%20synchronous_commit=off";
        try (Store told = Store.open(TestDatabases.postgresSource(lax), home.resolve("told"), "told", CLOCK)) {
            String mode =
                    told.writeAndWait(sql -> sql.first("SHOW synchronous_commit", row -> row.text("synchronous_commit"))
                            .orElseThrow());
            assertThat(mode).isEqualTo("on");
        }
    }

    @Test
    void reportsACommitWithUnknownOutcomeAsUncertain() throws Exception {
        BreakableDataSource wire = new BreakableDataSource(url);
        AtomicInteger runs = new AtomicInteger();
        try (Store bound = Store.open(wire.source(), home.resolve("bound"), "bound", CLOCK)) {
            wire.breakAtCommit(true);
            CompletableFuture<Integer> lost = bound.write(sql -> {
                runs.incrementAndGet();
                return insert(sql, "lost or not");
            });

            assertThatThrownBy(lost::join).hasCauseInstanceOf(UncertainCommitException.class);
            assertThat(runs).hasValue(1);
            assertThat(bound.takesWrites()).isFalse();
            wire.breakAtCommit(false);
            int after = bound.writeAndWait(sql -> insert(sql, "after"));
            assertThat(after).isEqualTo(1);
            assertThat(bound.takesWrites()).isTrue();
        }
        assertThat(nodes()).containsExactly("after", "lost or not");
    }

    @Test
    void leavesNoSessionThatMayOnlyReadToAServersPool() throws Exception {
        AtomicBoolean isReadOnly = new AtomicBoolean();
        DataSource server =
                BreakableDataSource.proxy(DataSource.class, TestDatabases.postgresSource(url), (method, result) -> {
                    if (isReadOnly.get() && result instanceof Connection begun) {
                        try (Statement statement = begun.createStatement()) {
                            statement.execute("SET default_transaction_read_only = on");
                        }
                    }
                    return result;
                });
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(server);
            pool.setMaximumPoolSize(3);
            try (Store bound = Store.open(pool, home.resolve("bound"), "bound", CLOCK)) {
                isReadOnly.set(true);
                endOtherSessions();
                Awaitility.await()
                        .untilAsserted(() -> assertThatThrownBy(() -> bound.writeAndWait(sql -> insert(sql, "refused")))
                                .isInstanceOf(StoreException.class)
                                .hasStackTraceContaining("the database is read-only"));

                isReadOnly.set(false);
                Awaitility.await()
                        .atMost(PROMISED)
                        .ignoreExceptions()
                        .until(() -> bound.writeAndWait(sql -> insert(sql, "taken")), count -> count == 1);
            }
        }
        assertThat(nodes()).containsExactly("taken");
    }

    /** As an operator who stops and starts the server does. */
    private void endOtherSessions() throws SQLException {
        try (Connection administrator = connect();
                Statement statement = administrator.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }
    }

    private Connection connect() throws SQLException {
        return TestDatabases.postgresSource(url).getConnection();
    }

    private int insert(String id) throws StoreException {
        return store.writeAndWait(sql -> insert(sql, id));
    }

    private static int insert(SqlTransaction sql, String id) throws SQLException {
        return sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 1, 1)", id);
    }

    /** As {@link #insert(SqlTransaction, String)}, in a statement that the server ends because it takes too long. */
    private static int insertSlowly(SqlTransaction sql, String id) throws SQLException {
        return sql.update(
                "INSERT INTO node (id, started_at, seen_at) SELECT CAST(? AS text), 1, 1 FROM pg_sleep(60)", id);
    }

    /** A statement that takes {@code seconds} in the server, unless that ends it. */
    private static boolean sleep(SqlTransaction sql, double seconds) throws SQLException {
        return sql.first("SELECT 1 AS woken FROM pg_sleep(" + seconds + ")", row -> row.flag("woken"))
                .orElseThrow();
    }

    private static String timeLimit(SqlTransaction sql) throws SQLException {
        return sql.first("SHOW statement_timeout", row -> row.text("statement_timeout"))
                .orElseThrow();
    }

    /** The number of sessions of the server that run {@link #sleep}. */
    private long sleepers() throws SQLException {
        try (Connection administrator = connect()) {
            return SqlTransaction.on(administrator, SqlDialect.POSTGRESQL, sql -> sql.first(
                            "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active'"
                                    + " AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()",
                            row -> row.number("n"))
                    .orElseThrow());
        }
    }

    /** Holds a connection for reading until {@code gate} opens. */
    private static boolean hold(Store store, CountDownLatch inUse, CountDownLatch gate) {
        return read(store, sql -> {
            inUse.countDown();
            return await(gate);
        });
    }

    /** Holds a connection for reading for {@code seconds}. */
    private static boolean hold(Store store, CountDownLatch inUse, double seconds) {
        return read(store, sql -> {
            inUse.countDown();
            return sleep(sql, seconds);
        });
    }

    private static boolean read(Store store, UnitOfWork<Boolean> unit) {
        try {
            return store.read(unit);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HikariDataSource poolOfOne(String url, Duration longestWait) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(TestDatabases.postgresSource(url));
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(longestWait.toMillis());
        return pool;
    }

    private static boolean await(CountDownLatch gate) {
        try {
            gate.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> nodes() throws StoreException {
        return nodes(store);
    }

    private static List<String> nodes(Store store) throws StoreException {
        return store.read(sql -> sql.query("SELECT id FROM node ORDER BY id", row -> row.text("id")));
    }
}

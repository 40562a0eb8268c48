package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.observe.PackageLogCapture;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {

    private final BreakableDataSource breakableDataSource = new BreakableDataSource();

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @Test
    void refusesAHomeThatIsInUseHoweverItsDatabaseIsReached() throws Exception {
        Path shared = home.resolve("shared");
        try (Store first = Store.open(breakableDataSource.source(), shared, "first", clock)) {
            assertThatThrownBy(() -> Store.open(breakableDataSource.source(), shared, "second", clock))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the home [" + shared + "] is in use by another Postern (process "
                            + ProcessHandle.current().pid() + ", this server)");
            assertThatThrownBy(() -> Store.open(shared, "second", clock)).hasMessageContaining("is in use");
            Store.open(breakableDataSource.source(), home.resolve("other"), "third", clock)
                    .close();
            assertThat(first.takesWrites()).isTrue();
        }
        Store.open(breakableDataSource.source(), shared, "second", clock).close();
    }

    @Test
    void keepsToItselfTheRowThatPostgresqlQuotes() throws Exception {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store");
                Store bound = Store.open(breakableDataSource.source(), home.resolve("bound"), "bound", clock)) {
            for (int i = 0; i < 2; i++) {
                CompletableFuture<int[]> written = bound.write(sql -> sql.batch(
                        "INSERT INTO node (id, started_at, seen_at) VALUES (?, ?, ?)",
                        List.of(new Object[] {"s3cret", 1, 1}, new Object[] {"another s3cret", 1, 1})));
                if (i == 1) {
                    assertThatThrownBy(written::join)
                            .cause()
                            .isInstanceOf(StoreException.class)
                            .hasMessage("the database did not take it: BatchUpdateException, SQLState 23505")
                            .cause()
                            .hasMessageContaining("s3cret");
                } else {
                    assertThat(written.join()).hasSize(2);
                }
            }

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .doesNotContain("s3cret")
                    .contains("23505");
        }
    }

    @Test
    void closesTheStatementsOfARead() throws Exception {
        try (Store bound = Store.open(breakableDataSource.source(), home.resolve("bound"), "bound", clock)) {
            List<Statement> before = breakableDataSource.statements();
            long one = bound.read(sql ->
                    sql.first("SELECT 1 AS one", row -> row.number("one")).orElseThrow());
            List<Statement> prepared = new ArrayList<>(breakableDataSource.statements());
            prepared.removeAll(before);

            assertThat(one).isEqualTo(1);
            assertThat(prepared).hasSize(1);
            assertThat(prepared.get(0).isClosed()).isTrue();
        }
    }

    @Test
    void returnsItsConnectionToThePoolEveryFewMinutesUnderLoad() throws Exception {
        try (Store bound = Store.open(breakableDataSource.source(), home.resolve("bound"), "bound", clock)) {
            long first = backend(bound);
            clock.advance(TransactionRunner.LONGEST_LOAN);
            assertThat(backend(bound)).isEqualTo(first);
            clock.advance(Duration.ofMillis(1));

            long second = backend(bound);
            assertThat(second).isNotEqualTo(first);
            assertThat(backend(bound)).isEqualTo(second);
        }
    }

    @Test
    void waitsForNoOtherNodeWhileItHoldsWhatThatOneWaitsFor() throws Exception {
        int two = store.writeAndWait(sql -> insert(sql, "a") + insert(sql, "b"));
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch bothHold = new CountDownLatch(2);
        try (Store other = database.open(clock)) {
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            all.addAll(batchThatTakes(store, "a", "b", bothHold, runs));
            all.addAll(batchThatTakes(other, "b", "a", bothHold, runs));

            assertThat(all).extracting(CompletableFuture::join).containsOnly(1);
        }
        assertThat(two).isEqualTo(2);
        assertThat(runs).as("each is tried once").hasValue(4);
    }

    /**
     * Commits one batch with a batch write on one row, which waits until {@code bothHold} theirs, and a unit on the
     * other row.
     */
    private static List<CompletableFuture<Integer>> batchThatTakes(
            Store store, String first, String second, CountDownLatch bothHold, AtomicInteger runs)
            throws InterruptedException {
        BatchWrite<String, Integer> batchWrite = (sql, ids) -> {
            runs.incrementAndGet();
            int touched = touch(sql, ids.get(0));
            bothHold.countDown();
            await(bothHold);
            return List.of(touched);
        };
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Integer> holder = store.write(sql -> {
            held.countDown();
            await(gate);
            return 1;
        });
        held.await();
        CompletableFuture<Integer> alike = store.write(batchWrite, first);
        CompletableFuture<Integer> plain = store.write(sql -> {
            runs.incrementAndGet();
            return touch(sql, second);
        });
        gate.countDown();
        return List.of(holder, alike, plain);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int touch(SqlTransaction sql, String id) throws SQLException {
        return sql.update("UPDATE node SET seen_at = seen_at + 1 WHERE id = ?", id);
    }

    private static int insert(SqlTransaction sql, String id) throws SQLException {
        return sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 1, 1)", id);
    }

    private static long backend(Store store) throws StoreException {
        return store.writeAndWait(sql -> sql.first("SELECT pg_backend_pid() AS pid", row -> row.number("pid"))
                .orElseThrow());
    }
}

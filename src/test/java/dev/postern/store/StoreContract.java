package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.observe.PackageLogCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the store, for every database. */
abstract class StoreContract {

    private static final int QUEUE_CAPACITY = 4_096;
    private static final String INSERT = "INSERT INTO node (id, started_at, seen_at) VALUES (?, ?, ?)";

    @TempDir
    Path home;

    final SettableClock clock = new SettableClock();
    TestDatabases.Opener database;
    Store store;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws StoreException {
        database = database(home);
        store = database.open(clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void failsAUnitWithWhatTheDatabaseSaid() {
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> sql.update("UPDATE nowhere SET x = 1")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database did not take it: ")
                .cause()
                .isInstanceOf(java.sql.SQLException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void saysOnceThatWritesFailAndOnceThatNoneHasFailedForAWhile() throws Exception {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            failToWrite();
            failToWrite();
            assertThat(log.lines()).singleElement().asString().startsWith("WARNING Database writes fail, ");

            int first = store.writeAndWait(sql -> insert(sql, "first"));
            clock.advance(OutageTracker.CALM.minusMillis(1));
            int second = store.writeAndWait(sql -> insert(sql, "second"));
            failToWrite();
            clock.advance(OutageTracker.CALM.minusMillis(1));
            int third = store.writeAndWait(sql -> insert(sql, "third"));
            assertThat(log.lines()).hasSize(1);
            clock.advance(Duration.ofMillis(1));
            int fourth = store.writeAndWait(sql -> insert(sql, "fourth"));

            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(1)).isEqualTo("INFO Database writes succeed again; 3 failed meanwhile");
            assertThat(first + second + third + fourth).isEqualTo(4);
            failToWrite();
            assertThat(log.lines()).hasSize(3);
        }
    }

    @Test
    void saysOnceThatReadsFailAndOnceThatNoneHasFailedForAWhile() throws Exception {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.store")) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> store.read(sql -> sql.update("UPDATE nowhere SET x = 1")))
                        .isInstanceOf(StoreException.class);
            }
            assertThat(nodes()).isEmpty();
            assertThat(log.lines()).singleElement().asString().startsWith("WARNING Database reads fail, ");
            clock.advance(OutageTracker.CALM);
            assertThat(nodes()).isEmpty();

            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(1)).isEqualTo("INFO Database reads succeed again; 3 failed meanwhile");
        }
    }

    @Test
    void takesNoWritesFromAFailureUntilSomethingIsWritten() throws Exception {
        assertThat(store.takesWrites()).isTrue();
        failToWrite();
        assertThat(store.takesWrites()).isFalse();
        long one = store.writeAndWait(
                sql -> sql.first("SELECT 1 AS one", row -> row.number("one")).orElseThrow());

        assertThat(one).isEqualTo(1);
        assertThat(store.takesWrites()).as("after a transaction that only read").isFalse();
        int inserted = store.writeAndWait(sql -> insert(sql, "a"));
        assertThat(inserted).isEqualTo(1);
        assertThat(store.takesWrites()).isTrue();
    }

    @Test
    void isNotAliveWhenItsThreadWasEndedFromOutside() throws Exception {
        assertThat(store.isAlive()).isTrue();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("postern-test-commit"))
                .forEach(Thread::interrupt);

        Awaitility.await().until(() -> !store.isAlive());
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> 1)).hasMessage("the store is closed");
    }

    @Test
    void handsAUnitsOwnFaultToItsCaller() {
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> {
                    throw new IllegalArgumentException("my own fault");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("my own fault");
    }

    @Test
    void keepsNothingOfAFailedUnit() throws Exception {
        CompletableFuture<Integer> failing = store.write(sql -> {
            insert(sql, "half");
            return sql.update("UPDATE nowhere SET x = 1");
        });

        assertThatThrownBy(failing::join).hasCauseInstanceOf(StoreException.class);
        assertThat(nodes()).isEmpty();
    }

    @Test
    void keepsABadUnitFromFailingItsNeighbours() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(gate);
        CompletableFuture<Integer> first = store.write(sql -> insert(sql, "first"));
        CompletableFuture<Integer> bad = store.write(sql -> sql.update("UPDATE nowhere SET x = 1"));
        CompletableFuture<Integer> last = store.write(sql -> insert(sql, "last"));
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(first.join()).isEqualTo(1);
        assertThat(last.join()).isEqualTo(1);
        assertThatThrownBy(bad::join).hasCauseInstanceOf(StoreException.class);
        assertThat(nodes()).containsExactly("first", "last");
        assertThat(store.metrics().failed()).isEqualTo(1);
    }

    @Test
    void keepsABadInputOfBulkWorkFromFailingTheOthers() throws Exception {
        BatchWrite<String, Integer> work = (sql, names) -> {
            List<Integer> done = new ArrayList<>();
            for (String name : names) {
                done.add(name.equals("bad") ? sql.update("UPDATE nowhere SET x = 1") : insert(sql, name));
            }
            return done;
        };
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(gate);
        List<CompletableFuture<Integer>> all =
                List.of(store.write(work, "a"), store.write(work, "bad"), store.write(work, "b"));
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(all.get(0).join()).isEqualTo(1);
        assertThat(all.get(2).join()).isEqualTo(1);
        assertThatThrownBy(all.get(1)::join).hasCauseInstanceOf(StoreException.class);
        assertThat(nodes()).containsExactly("a", "b");
    }

    @Test
    void refusesAtOnceWhatTheQueueCannotHold() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(gate);
        List<CompletableFuture<Integer>> queued = IntStream.range(0, QUEUE_CAPACITY)
                .mapToObj(i -> store.write(sql -> 1))
                .toList();
        CompletableFuture<Integer> refused = store.write(sql -> 1);

        assertThat(store.metrics().queued()).isEqualTo(QUEUE_CAPACITY);
        assertThat(refused).isCompletedExceptionally();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("4096 writes are waiting");
        assertThat(store.takesWrites()).isFalse();
        gate.countDown();
        assertThat(holder.join()).isTrue();
        assertThat(queued).allSatisfy(future -> assertThat(future.join()).isEqualTo(1));
    }

    @Test
    void refusesToWaitForAWriteInsideAWrite() {
        assertThatThrownBy(() -> store.<Integer>writeAndWait(
                        sql -> store.<Integer>write(inner -> 1).join()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesBulkWorkThatLosesAResult() {
        BatchWrite<String, String> work = (sql, inputs) -> List.of();

        assertThatThrownBy(() -> store.writeAndWait(work, "in"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0 results for 1 inputs");
    }

    @Test
    void refusesAnArgumentThatNoColumnTakes() {
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> insert(sql, Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.time.Duration");
    }

    @Test
    void saysThatAColumnIsNullWhereItMustNotBe() {
        assertThatThrownBy(() -> store.read(sql -> sql.first("SELECT NULL AS gone", row -> row.text("gone"))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[gone]");
        assertThatThrownBy(() -> store.read(sql -> sql.first("SELECT NULL AS gone", row -> row.number("gone"))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[gone]");
    }

    @Test
    void finishesWhatIsQueuedBeforeItCloses() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(gate);
        List<CompletableFuture<Integer>> queued = IntStream.range(0, 1_000)
                .mapToObj(i -> store.write(sql -> insert(sql, "node" + i)))
                .toList();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close);
        gate.countDown();
        closing.join();

        assertThat(holder.join()).isTrue();
        assertThat(queued).allSatisfy(future -> assertThat(future.join()).isEqualTo(1));
        store = database.open(clock);
        assertThat(nodes()).hasSize(1_000);
    }

    @Test
    void refusesWhatComesAfterTheEnd() {
        store.close();

        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> 1))
                .isInstanceOf(StoreException.class)
                .hasMessage("the store is closed");
        assertThatThrownBy(() -> store.<Integer>read(sql -> 1)).isInstanceOf(StoreException.class);
    }

    @Test
    void canBeClosedTwiceAndLeavesNoThread() {
        store.close();
        store.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("postern-test-"));
    }

    @Test
    void keepsWhatItHasCommittedOverACloseAndAnOpen() throws Exception {
        int inserted = store.writeAndWait(sql -> insert(sql, "kept"));
        store.close();
        store = database.open(clock);

        assertThat(inserted).isEqualTo(1);
        assertThat(nodes()).containsExactly("kept");
    }

    @Test
    void tellsTheOutcomeOnlyAfterTheCommit() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch inserted = new CountDownLatch(1);
        CompletableFuture<Integer> open = store.write(sql -> {
            int count = insert(sql, "not yet");
            inserted.countDown();
            wait(gate);
            return count;
        });
        inserted.await();

        assertThat(open).isNotDone();
        assertThat(nodes()).isEmpty();
        gate.countDown();
        assertThat(open.join()).isEqualTo(1);
        assertThat(nodes()).containsExactly("not yet");
    }

    @Test
    void writesWhatWaitsTogether() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(gate);
        List<Integer> sizes = new ArrayList<>();
        BatchWrite<Integer, Integer> work = (sql, inputs) -> {
            sizes.add(inputs.size());
            return inputs;
        };
        List<CompletableFuture<Integer>> all =
                IntStream.range(0, 300).mapToObj(i -> store.write(work, i)).toList();
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(IntStream.range(0, 300).map(i -> all.get(i).join()))
                .containsExactlyElementsOf(IntStream.range(0, 300).boxed().toList());
        assertThat(sizes).containsExactly(257, 43);
        StoreMetrics figures = store.metrics();
        assertThat(figures.commits()).isEqualTo(3);
        assertThat(figures.units()).isEqualTo(301);
        assertThat(figures.meanBatch()).isEqualTo(301 / 3.0);
        assertThat(figures.queued()).isZero();
        assertThat(figures.failed()).isZero();
        assertThat(figures.totalCommit()).isPositive();
        assertThat(figures.meanCommit()).isEqualTo(figures.totalCommit().dividedBy(3));
    }

    @Test
    void runsWhatFollowsACommitOnceAndWhatFollowsARollbackForEachOne() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger committed = new AtomicInteger();
        AtomicInteger undone = new AtomicInteger();
        CompletableFuture<Boolean> holder = hold(gate);
        BatchWrite<String, Integer> work = (sql, tables) -> {
            List<Integer> done = new ArrayList<>();
            for (String table : tables) {
                sql.afterCommit(committed::incrementAndGet);
                sql.afterRollback(undone::incrementAndGet);
                done.add(sql.update("UPDATE " + table + " SET seen_at = 1"));
            }
            return done;
        };
        CompletableFuture<Integer> good = store.write(work, "node");
        CompletableFuture<Integer> bad = store.write(work, "nowhere");
        gate.countDown();

        assertThat(holder.join()).isTrue();
        assertThat(good.join()).isZero();
        assertThatThrownBy(bad::join).isInstanceOf(CompletionException.class);
        assertThat(committed).hasValue(1);
        assertThat(undone).hasValue(3);
    }

    @Test
    void goesOnAfterAFaultInWhatFollowsACommit() throws Exception {
        AtomicInteger committed = new AtomicInteger();
        int first = store.writeAndWait(sql -> {
            sql.afterCommit(() -> {
                throw new IllegalStateException("a listener's fault");
            });
            sql.afterCommit(() -> {
                throw new StackOverflowError("a listener's fault");
            });
            sql.afterCommit(committed::incrementAndGet);
            return insert(sql, "stands");
        });

        assertThat(first).isEqualTo(1);
        assertThat(committed).hasValue(1);
        assertThat(nodes()).containsExactly("stands");
    }

    @Test
    void repairsTextThatNoDatabaseKeeps() throws Exception {
        int inserted = store.writeAndWait(sql -> insert(sql, "nul\0 lone\uD83D pair\uD83D\uDE00"));

        assertThat(inserted).isEqualTo(1);
        assertThat(nodes()).containsExactly("nul\uFFFD lone\uFFFD pair\uD83D\uDE00");
    }

    @Test
    void takesEveryKindOfArgument() throws Exception {
        byte[] bytes = {0, 1, (byte) 0xff};
        boolean done = store.writeAndWait(sql -> {
            sql.update("CREATE TABLE kinds (t text, l bigint, i integer, b smallint, y bytea, n text)");
            return sql.update("INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?)", "ü", Long.MAX_VALUE, 7, true, bytes, null)
                    == 1;
        });
        assertThat(done).isTrue();

        List<List<Object>> rows = store.read(sql -> sql.query(
                "SELECT * FROM kinds",
                row -> Arrays.asList(
                        row.text("t"),
                        row.number("l"),
                        row.count("i"),
                        row.flag("b"),
                        row.textOrNull("n"),
                        row.numberOrNull("n"),
                        row.instantOrNull("n"))));
        List<byte[]> blobs = store.read(sql -> sql.query("SELECT y FROM kinds", row -> row.bytes("y")));

        assertThat(rows).containsExactly(Arrays.asList("ü", Long.MAX_VALUE, 7, true, null, null, null));
        assertThat(blobs.get(0)).isEqualTo(bytes);
    }

    @Test
    void returnsTheChangedRowsForEachRowOfABatch() throws Exception {
        int[] changed = store.writeAndWait(sql -> {
            insert(sql, "a");
            insert(sql, "b");
            return sql.batch("UPDATE node SET seen_at = 2 WHERE id = ?", List.of(args("a"), args("x"), args("b")));
        });

        assertThat(changed).containsExactly(1, 0, 1);
    }

    private void failToWrite() {
        assertThatThrownBy(() -> store.<Integer>writeAndWait(sql -> sql.update("UPDATE nowhere SET x = 1")))
                .isInstanceOf(StoreException.class);
    }

    private static Object[] args(Object... args) {
        return args;
    }

    private CompletableFuture<Boolean> hold(CountDownLatch gate) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = store.write(sql -> {
            held.countDown();
            return wait(gate);
        });
        held.await();
        return holder;
    }

    private static boolean wait(CountDownLatch gate) {
        try {
            gate.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int insert(SqlTransaction sql, Object id) throws java.sql.SQLException {
        return sql.update(INSERT, id, 1L, 1L);
    }

    List<String> nodes() throws StoreException {
        return store.read(sql -> sql.query("SELECT id FROM node ORDER BY id", row -> row.text("id")));
    }
}

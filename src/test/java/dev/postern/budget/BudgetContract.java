package dev.postern.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.budget.BudgetDecision.Begun;
import dev.postern.budget.BudgetDecision.Spent;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.Scope;
import dev.postern.config.BudgetSettings.Unit;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the budget ledger, on every database. */
abstract class BudgetContract {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Scope EVERYTHING = new Scope(null, null, null, null, null);
    private static final TurnOrigin ORIGIN = TurnOrigin.heartbeat("main");
    private static final BudgetSettings RUNS = budget("a", Unit.RUNS, 2);
    private static final BudgetSettings TOKENS = budget("b", Unit.INPUT_TOKENS, 100);

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private final BudgetLedger ledger = new BudgetLedger(clock);
    private final List<Store> stores = new ArrayList<>();

    private TestDatabases.Opener opener;

    abstract TestDatabases.Opener database(Path home);

    /** Whether several nodes can have the database open. */
    abstract boolean isShared();

    @BeforeEach
    void open() throws Exception {
        opener = database(home);
        stores.add(opener.open(clock));
    }

    @AfterEach
    void close() {
        stores.forEach(Store::close);
    }

    @Test
    void countsNothingWhereOneOfSeveralIsSpent() throws Exception {
        use(TOKENS, 100);

        assertThat(begin(RUNS, TOKENS))
                .isEqualTo(new Spent(TOKENS, clock.instant().plus(MINUTE)));

        assertThat(used(RUNS)).isZero();
    }

    @Test
    void saysWhenTheWindowHasRoom() throws Exception {
        begin(RUNS);
        clock.advance(Duration.ofSeconds(10));
        begin(RUNS);

        assertThat(begin(RUNS)).isEqualTo(new Spent(RUNS, clock.instant().plusSeconds(50)));
        clock.advance(Duration.ofSeconds(50).minusMillis(1));
        assertThat(begin(RUNS)).isInstanceOf(Spent.class);
        clock.advance(Duration.ofMillis(1));
        assertThat(begin(RUNS)).isInstanceOf(Begun.class);
    }

    @Test
    void letsTurnBeginWhileLessThanTheLimitIsUsed() throws Exception {
        use(TOKENS, 99);
        assertThat(begin(TOKENS)).isInstanceOf(Begun.class);
        clock.advance(Duration.ofSeconds(6));
        use(TOKENS, 1_000);

        assertThat(begin(TOKENS)).isEqualTo(new Spent(TOKENS, clock.instant().plus(MINUTE)));
        assertThat(used(TOKENS)).isEqualTo(1_099);
    }

    @Test
    void addsUpUsesOfOneSliceAndLetsThemCountNoShorter() throws Exception {
        clock.advance(Duration.ofMillis(1));
        for (int i = 0; i < 10; i++) {
            use(TOKENS, 10);
            clock.advance(Duration.ofMillis(1));
        }

        List<Long> amounts =
                stores.get(0).read(sql -> sql.query("SELECT amount FROM budget_use", row -> row.number("amount")));
        assertThat(amounts).containsExactly(100L);
        clock.advance(MINUTE.minusMillis(2));
        assertThat(begin(TOKENS)).isInstanceOf(Spent.class);
        clock.advance(Duration.ofMillis(60));
        assertThat(begin(TOKENS)).isInstanceOf(Begun.class);
    }

    @Test
    void findsSoonTheRoomThatAnotherNodeHasMade() throws Exception {
        BudgetSettings refusing = new BudgetSettings("a", EVERYTHING, Unit.RUNS, 1, MINUTE, WhenSpent.REFUSE, 80);
        BudgetRegistry one = registry(refusing);
        BudgetRegistry two = registry(refusing);
        Begun begun = (Begun) begin(one);
        Spent spent = new Spent(refusing, clock.instant().plus(MINUTE));
        assertThat(begin(two)).isEqualTo(spent);
        assertThat(refusal(two)).contains(spent);

        stores.get(0).writeAndWait(sql -> {
            one.takeBack(sql, begun);
            return true;
        });
        clock.advance(Duration.ofMillis(4_999));
        assertThat(refusal(two)).as("within 5 s, the database is not asked").contains(spent);
        clock.advance(Duration.ofMillis(1));

        assertThat(refusal(two)).isEmpty();
        assertThat(begin(two)).isInstanceOf(Begun.class);
    }

    @Test
    void warnsAgainAWindowAfterTheWarningAlsoWhenTheClockWasSetBack() throws Exception {
        assertThat(warn(TOKENS)).isTrue();
        clock.advance(Duration.ofSeconds(20));

        setBack(Duration.ofDays(365));

        clock.advance(Duration.ofSeconds(40).minusMillis(1));
        assertThat(warn(TOKENS)).as("in the window of the last warning").isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(warn(TOKENS)).isTrue();
    }

    @Test
    void warnsAgainAWindowAfterTheClockWasSetBackByLessThanTheWarningIsAhead() throws Exception {
        clock.advance(Duration.ofDays(365));
        warn(TOKENS);
        clock.advance(Duration.ofDays(-365));

        setBack(Duration.ofHours(1));

        clock.advance(MINUTE.minusMillis(1));
        assertThat(warn(TOKENS)).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(warn(TOKENS)).isTrue();
    }

    @Test
    void forgetsWhatTheWindowHasLeft() throws Exception {
        begin(RUNS);
        clock.advance(MINUTE);

        assertThat(stores.get(0).<Integer>writeAndWait(sql -> ledger.forget(sql, RUNS)))
                .isEqualTo(1);
        assertThat(used(RUNS)).isZero();
    }

    @Test
    void neverBeginsMoreThanTheLimitWithThreeClaimers() throws Exception {
        BudgetSettings fifty = budget("a", Unit.RUNS, 50);
        List<Store> nodes = List.of(stores.get(0), node(), node());
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        try {
            List<Callable<Integer>> claimers = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                int node = i;
                claimers.add(() -> claim(nodes.get(node), fifty));
            }
            int begun = 0;
            for (Future<Integer> claimed : threads.invokeAll(claimers)) {
                begun += claimed.get();
            }
            assertThat(begun).isEqualTo(50);
            assertThat(used(fifty)).isEqualTo(50);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void claimersOfSeveralTurnsDoNotWaitInACircle() throws Exception {
        BudgetSettings first = budget("a", Unit.RUNS, 10_000);
        BudgetSettings second = budget("b", Unit.RUNS, 10_000);
        Store other = node();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Integer>> claimers =
                    List.of(() -> claimBoth(stores.get(0), first, second), () -> claimBoth(other, second, first));
            for (Future<Integer> claimed : threads.invokeAll(claimers)) {
                assertThat(claimed.get()).isEqualTo(200);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Claims turns of two budgets in each transaction; returns the number of transactions. */
    private int claimBoth(Store store, BudgetSettings first, BudgetSettings second) throws StoreException {
        for (int i = 0; i < 200; i++) {
            store.writeAndWait(sql -> {
                ledger.begin(sql, List.of(first));
                return ledger.begin(sql, List.of(second));
            });
        }
        return 200;
    }

    private static BudgetSettings budget(String id, Unit unit, long most) {
        return new BudgetSettings(id, EVERYTHING, unit, most, MINUTE, WhenSpent.HOLD, 80);
    }

    private int claim(Store store, BudgetSettings limit) throws StoreException {
        int begun = 0;
        for (int i = 0; i < 67; i++) {
            if (store.writeAndWait(sql -> ledger.begin(sql, List.of(limit))) instanceof Begun) {
                begun++;
            }
        }
        return begun;
    }

    /** Another node; where there can be only one, that one. */
    private Store node() throws StoreException {
        if (!isShared()) {
            return stores.get(0);
        }
        Store node = opener.open(clock);
        stores.add(node);
        return node;
    }

    private BudgetRegistry registry(BudgetSettings budget) {
        return new BudgetRegistry(List.of(budget), clock, (sql, warned, used) -> {});
    }

    private boolean warn(BudgetSettings limit) throws StoreException {
        return stores.get(0).writeAndWait(sql -> ledger.warn(sql, limit));
    }

    private void setBack(Duration by) throws StoreException {
        clock.advance(by.negated());
        stores.get(0).writeAndWait(sql -> {
            ledger.moveBack(sql, TOKENS, by);
            return true;
        });
    }

    private BudgetDecision begin(BudgetRegistry node) throws StoreException {
        return stores.get(0).writeAndWait(sql -> node.begin(sql, ORIGIN, "test/model"));
    }

    private Optional<Spent> refusal(BudgetRegistry node) throws StoreException {
        return stores.get(0).writeAndWait(sql -> node.refusal(sql, ORIGIN, "test/model"));
    }

    private BudgetDecision begin(BudgetSettings... limits) throws StoreException {
        return stores.get(0).writeAndWait(sql -> ledger.begin(sql, List.of(limits)));
    }

    private void use(BudgetSettings limit, long amount) throws StoreException {
        stores.get(0).writeAndWait(sql -> {
            ledger.use(sql, limit, amount);
            return true;
        });
    }

    private long used(BudgetSettings limit) throws StoreException {
        return stores.get(0).read(sql -> ledger.used(sql, limit));
    }
}

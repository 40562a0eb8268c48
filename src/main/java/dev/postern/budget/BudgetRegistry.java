package dev.postern.budget;

import dev.postern.budget.BudgetDecision.Spent;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.Unit;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A registry of the configured budgets, which decides whether turns may begin and counts what they use. Without budgets it
 * reads and writes nothing. Safe for use by many threads.
 */
public final class BudgetRegistry {

    private static final int PERCENT = 100;

    /** The longest time for which a spent budget is not read again: another node may have taken a count back. */
    private static final Duration TRUSTED = Duration.ofSeconds(5);

    private final List<BudgetSettings> budgets;
    private final BudgetLedger ledger;
    private final InstantSource clock;
    private final BudgetWarningListener listener;

    private final Map<String, KnownSpent> knownSpent = new ConcurrentHashMap<>();

    /**
     * @param clock the time that all nodes share
     * @param listener called in the transaction in which most of a budget is used, once a window
     */
    public BudgetRegistry(Collection<BudgetSettings> budgets, InstantSource clock, BudgetWarningListener listener) {
        this.budgets = List.copyOf(budgets);
        this.ledger = new BudgetLedger(clock);
        this.clock = clock;
        this.listener = listener;
    }

    /** What was read of a spent budget, and when. */
    private record KnownSpent(Instant until, Instant readAt) {

        boolean holdsAt(Instant now) {
            return until.isAfter(now)
                    && !readAt.isAfter(now)
                    && readAt.plus(TRUSTED).isAfter(now);
        }
    }

    /** A listener to warnings of budgets. */
    @FunctionalInterface
    public interface BudgetWarningListener {

        /**
         * Tells that the share of the limit at which the budget warns is used, in the transaction of {@code sql}.
         *
         * @param used what is used in the window, in the unit of {@code budget}
         */
        void onWarning(SqlTransaction sql, BudgetSettings budget, long used) throws SQLException;
    }

    private List<BudgetSettings> covering(TurnOrigin origin, String model) {
        return budgets.stream()
                .filter(budget -> budget.covers(origin.hook(), origin.sender(), origin.agent(), model))
                .toList();
    }

    /**
     * Decides whether a turn may begin on {@code model}, and counts it where runs are counted. The decision holds if the
     * transaction commits.
     */
    public BudgetDecision begin(SqlTransaction sql, TurnOrigin origin, String model) throws SQLException {
        return begin(sql, covering(origin, model));
    }

    /** As {@link #begin}, for a turn that goes on after a pause. Budgets of runs have counted it, and are not asked again. */
    public BudgetDecision resume(SqlTransaction sql, TurnOrigin origin, String model) throws SQLException {
        return begin(
                sql,
                covering(origin, model).stream()
                        .filter(budget -> budget.unit() != Unit.RUNS)
                        .toList());
    }

    /**
     * As {@link #begin}, for a model that a turn asks instead of others. Budgets that are for one of those too have counted the
     * turn already.
     *
     * @param asked the models that the turn has asked
     */
    public BudgetDecision beginFallback(SqlTransaction sql, TurnOrigin origin, String model, List<String> asked)
            throws SQLException {
        List<BudgetSettings> covering = new ArrayList<>(covering(origin, model));
        asked.forEach(each -> covering.removeAll(covering(origin, each)));
        return begin(sql, covering);
    }

    private BudgetDecision begin(SqlTransaction sql, List<BudgetSettings> covering) throws SQLException {
        if (covering.isEmpty()) {
            return new BudgetDecision.Begun(List.of());
        }
        Optional<Spent> known =
                covering.stream().anyMatch(budget -> knownSpent(budget).isPresent())
                        ? latestSpent(sql, covering)
                        : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        Instant readAt = clock.instant();
        BudgetDecision decision = ledger.begin(sql, covering);
        if (decision instanceof Spent spent) {
            remember(sql, spent, readAt);
        } else {
            warn(sql, covering.stream().filter(each -> each.unit() == Unit.RUNS).toList());
        }
        return decision;
    }

    /** Takes the counts of a turn back that was not begun after all. */
    public void takeBack(SqlTransaction sql, BudgetDecision.Begun begun) throws SQLException {
        for (BudgetDecision.RunCount count : begun.counts()) {
            ledger.takeBack(sql, count);
            sql.afterCommit(() -> knownSpent.remove(count.budget()));
        }
    }

    private Optional<Spent> knownSpent(BudgetSettings budget) {
        @Nullable KnownSpent known = knownSpent.get(budget.id());
        return known == null || !known.holdsAt(clock.instant())
                ? Optional.empty()
                : Optional.of(new Spent(budget, known.until()));
    }

    private void remember(SqlTransaction sql, Spent spent, Instant readAt) {
        KnownSpent known = new KnownSpent(spent.until(), readAt);
        sql.afterCommit(() -> knownSpent.put(spent.budget().id(), known));
    }

    /** Counts what a turn has used of tokens and cost, when it is completed. */
    void use(SqlTransaction sql, TurnOrigin origin, String model, SpendingAmount spent) throws SQLException {
        for (BudgetSettings budget : covering(origin, model)) {
            long amount = amount(budget.unit(), spent);
            if (amount > 0) {
                ledger.use(sql, budget, amount);
                warn(sql, List.of(budget));
            }
        }
    }

    private static long amount(Unit unit, SpendingAmount spent) {
        return switch (unit) {
            case RUNS -> 0;
            case INPUT_TOKENS -> spent.inputTokens();
            case OUTPUT_TOKENS -> spent.outputTokens();
            case COST -> Objects.requireNonNullElse(spent.costMillionths(), 0L);
        };
    }

    private void warn(SqlTransaction sql, List<BudgetSettings> used) throws SQLException {
        for (BudgetSettings budget : used) {
            long amount = ledger.used(sql, budget);
            if (amount * PERCENT >= budget.most() * budget.warnAtPercent() && ledger.warn(sql, budget)) {
                listener.onWarning(sql, budget, amount);
            }
        }
    }

    /**
     * The budget that is spent and rejects requests for such a turn, with the time from which it has room. If there are several,
     * the one that has room last.
     */
    public Optional<Spent> refusal(SqlTransaction sql, TurnOrigin origin, String model) throws SQLException {
        return latestSpent(
                sql,
                covering(origin, model).stream()
                        .filter(budget -> budget.whenSpent() == WhenSpent.REFUSE)
                        .toList());
    }

    /** The one of {@code candidates} that is spent and has room last. */
    private Optional<Spent> latestSpent(SqlTransaction sql, List<BudgetSettings> candidates) throws SQLException {
        List<Spent> all = new ArrayList<>();
        for (BudgetSettings budget : candidates) {
            spent(sql, budget).ifPresent(all::add);
        }
        return all.stream().max(Comparator.comparing(Spent::until));
    }

    private Optional<Spent> spent(SqlTransaction sql, BudgetSettings budget) throws SQLException {
        Optional<Spent> known = knownSpent(budget);
        if (known.isPresent()) {
            return known;
        }
        Instant readAt = clock.instant();
        Optional<Spent> found = ledger.fullUntil(sql, budget).map(until -> new Spent(budget, until));
        found.ifPresent(spent -> remember(sql, spent, readAt));
        return found;
    }

    /** All budgets, in the order of the configuration. */
    public List<BudgetSettings> all() {
        return budgets;
    }

    /** Whether any budget rejects requests. */
    public boolean isAnyRefusing() {
        return budgets.stream().anyMatch(budget -> budget.whenSpent() == WhenSpent.REFUSE);
    }

    /**
     * The state of a budget.
     *
     * @param used what is used in the present window, in the unit of {@code budget}
     * @param fullUntil the time from which it has room; null if it has room now
     */
    public record BudgetState(BudgetSettings budget, long used, @Nullable Instant fullUntil) {}

    /** How much of {@code budget} is used in the present window. */
    public long used(SqlTransaction sql, BudgetSettings budget) throws SQLException {
        return ledger.used(sql, budget);
    }

    /** The states of all budgets, in the order of the configuration. */
    public List<BudgetState> states(SqlTransaction sql) throws SQLException {
        List<BudgetState> states = new ArrayList<>();
        for (BudgetSettings budget : budgets) {
            states.add(new BudgetState(
                    budget,
                    ledger.used(sql, budget),
                    ledger.fullUntil(sql, budget).orElse(null)));
        }
        return states;
    }

    /**
     * Moves the uses and warnings in the future back.
     *
     * @param by how far the clock was set back
     */
    public void moveBack(SqlTransaction sql, Duration by) throws SQLException {
        for (BudgetSettings budget : budgets) {
            ledger.moveBack(sql, budget, by);
        }
        sql.afterCommit(knownSpent::clear);
    }

    /** Deletes the uses that the windows have left behind. */
    public void deleteExpired(SqlTransaction sql) throws SQLException {
        for (BudgetSettings budget : budgets) {
            ledger.forget(sql, budget);
        }
    }
}

package dev.postern.budget;

import dev.postern.config.ModelPrice;
import dev.postern.config.Settings;
import dev.postern.model.ModelUse;
import dev.postern.store.ExpiredRows;
import dev.postern.store.SqlTransaction;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of what turns have spent. It writes in the transaction that completes a turn, so that each turn counts once, also
 * after a failed or unconfirmed commit. Safe for use by many threads.
 */
public final class SpendingRecorder {

    private final String writer;
    private final Settings settings;
    private final Set<String> hooks;
    private final Set<String> models;
    private final InstantSource clock;
    private final BudgetRegistry budgets;
    private final SpendingCounters counters = new SpendingCounters();

    /**
     * @param writer a name for the rows of this process, which no other has or had
     * @param settings the hooks and models that are added up each, and the prices
     * @param budgets the budgets against which tokens and cost count
     */
    public SpendingRecorder(String writer, Settings settings, InstantSource clock, BudgetRegistry budgets) {
        this.writer = writer;
        this.settings = settings;
        this.hooks = settings.hooks().paths();
        this.models = settings.namedModels();
        this.clock = clock;
        this.budgets = budgets;
    }

    /** The rows that no page shows any more, of all processes. */
    public static ExpiredRows expired() {
        return SpendingTable.expired();
    }

    /** What this process has recorded since the start. */
    public SpendingCounters counters() {
        return counters;
    }

    /**
     * Records a turn. A turn that has not ended counts if it has used tokens, since it will be taken again.
     *
     * @param uses the models that were asked; empty if none was, and then nothing is recorded
     * @param ended whether the turn has come to an end
     */
    public void record(SqlTransaction sql, TurnOrigin origin, List<ModelUse> uses, boolean ended) throws SQLException {
        if (!ended && uses.stream().noneMatch(ModelUse::hasTokens)) {
            return;
        }
        Map<SpendingKey, SpendingAmount> spent = new LinkedHashMap<>();
        for (ModelUse use : uses) {
            if (use.decisive() || use.hasTokens()) {
                SpendingAmount amount = spending(use);
                spent.merge(key(origin, use.model()), amount, SpendingAmount::plus);
                budgets.use(sql, origin, use.model(), amount);
            }
        }
        if (!spent.isEmpty()) {
            SpendingTable.add(sql, writer, clock.instant(), spent);
            sql.afterCommit(() -> spent.forEach(counters::add));
        }
    }

    /** The cost of {@code uses} in the operator's currency, at the present prices; null if none of their models has one. */
    public @Nullable BigDecimal cost(List<ModelUse> uses) {
        return uses.stream()
                .map(this::spending)
                .reduce(SpendingAmount.NONE, SpendingAmount::plus)
                .cost();
    }

    private SpendingKey key(TurnOrigin origin, String model) {
        @Nullable String hook = origin.hook();
        @Nullable String sender = origin.sender();
        return new SpendingKey(
                hook == null ? SpendingKey.HEARTBEAT : SpendingKey.RUN,
                hook != null && hooks.contains(hook) ? hook : "",
                sender == null ? "" : sender,
                origin.agent(),
                models.contains(model) ? model : other(model));
    }

    /** The name for all models of a provider that no setting names. A request may name any. */
    private String other(String model) {
        int slash = model.indexOf('/');
        String provider = slash < 1 ? "" : model.substring(0, slash);
        return settings.providers().containsKey(provider) ? provider + "/*" : "*";
    }

    private SpendingAmount spending(ModelUse use) {
        @Nullable ModelPrice price = settings.price(use.model());
        return new SpendingAmount(
                use.decisive() ? 1 : 0,
                use.inputTokens(),
                use.outputTokens(),
                price == null ? null : price.costMillionths(use.inputTokens(), use.outputTokens()));
    }
}

package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.budget.BudgetRegistry.BudgetWarningListener;
import dev.postern.channel.EventReporter;
import dev.postern.config.AgentSettings;
import dev.postern.config.BudgetSettings;
import dev.postern.model.Provenance;
import dev.postern.model.ReportedEventType;
import dev.postern.model.WakeMode;
import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A notice in the main session of a budget's agent, or else of the default agent, that most of the budget is used. It requests
 * no heartbeat, which would use more of it.
 */
public final class BudgetWarningNotice implements BudgetWarningListener {

    private static final Logger LOG = System.getLogger(BudgetWarningNotice.class.getName());
    private static final Provenance BUDGET = Provenance.untrusted("budget");
    private static final int PERCENT = 100;

    private final EventRepository eventRepository;
    private final AgentSettings agents;
    private final EventReporter eventReporter;
    private final InstantSource clock;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public BudgetWarningNotice(
            EventRepository eventRepository, AgentSettings agents, EventReporter eventReporter, InstantSource clock) {
        this.eventRepository = eventRepository;
        this.agents = agents;
        this.eventReporter = eventReporter;
        this.clock = clock;
    }

    @Override
    public void onWarning(SqlTransaction sql, BudgetSettings budget, long used) throws SQLException {
        @Nullable String agent = budget.scope().agent();
        String sentence = "The budget " + budget.id() + " is used to " + used * PERCENT / budget.most() + " %: "
                + amount(budget, used) + " of " + amount(budget, budget.most()) + " "
                + budget.unit().wire() + ".";
        eventRepository.post(
                sql,
                agent == null ? agents.defaultAgent().id() : agent,
                sentence,
                BUDGET,
                null,
                WakeMode.NEXT_HEARTBEAT);
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("budget", budget.id());
        data.put("agentId", agent);
        data.put("percent", used * PERCENT / budget.most());
        data.put("used", amount(budget, used));
        data.put("limit", amount(budget, budget.most()));
        data.put("unit", budget.unit().wire());
        eventReporter.report(sql, ReportedEventType.BUDGET_WARNED, data, clock.instant());
        sql.afterCommit(() -> {
            LOG.log(Level.WARNING, sentence);
            counts.computeIfAbsent(budget.id(), id -> new LongAdder()).increment();
        });
    }

    /** The number of warnings of the budget {@code id} that this process has given. */
    public long count(String id) {
        LongAdder count = counts.get(id);
        return count == null ? 0 : count.sum();
    }

    private static String amount(BudgetSettings budget, long amount) {
        return BigDecimal.valueOf(amount, budget.unit().decimalPlaces())
                .stripTrailingZeros()
                .toPlainString();
    }
}

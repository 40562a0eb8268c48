package dev.postern.console;

import dev.postern.budget.SpendingDimension;
import dev.postern.budget.SpendingQueries;
import dev.postern.config.AgentSettings;
import dev.postern.config.Settings;
import dev.postern.statistics.CountQueries;
import dev.postern.statistics.CountRange;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A resource that shows the status, the alerts and the counts of this Postern. Its result is kept for a second, since many pages may be
 * open, each of which asks every few seconds.
 */
final class OverviewResource {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final AlertFinder alertFinder;
    private final CachedValue<SystemStatus> status;
    private final Map<CountRange, CachedValue<Optional<List<PeriodCounts>>>> counts = new EnumMap<>(CountRange.class);
    private final Map<CountRange, CachedValue<List<SpendingLine>>> spending = new EnumMap<>(CountRange.class);

    /**
     * @param nanos as {@link System#nanoTime}
     */
    OverviewResource(
            Supplier<SystemStatus> look,
            Settings settings,
            CountQueries queries,
            SpendingQueries spent,
            LongSupplier nanos) {
        this.alertFinder = new AlertFinder(settings.hooks().enabled(), eventsMayWait(settings.agents()));
        this.status = new CachedValue<>(look, FRESH, nanos);
        for (CountRange range : CountRange.values()) {
            counts.put(range, new CachedValue<>(() -> counts(queries, range), FRESH, nanos));
            spending.put(range, new CachedValue<>(() -> spending(spent, range), FRESH, nanos));
        }
    }

    /**
     * The overview.
     *
     * @param alerts the alerts, the gravest first
     * @param range the range of time of the counts
     * @param ranges all ranges
     * @param step the length of a period
     * @param spending what the turns of each hook have spent in the range, the most expensive first; empty without turns, and if
     *     the database does not answer
     * @param periods the counts of each period, the earliest first; null if the database does not answer
     */
    record Shown(
            List<Alert> alerts,
            SystemStatus now,
            CountRange range,
            List<CountRange> ranges,
            Duration step,
            List<SpendingLine> spending,
            @Nullable List<PeriodCounts> periods) {}

    /** The overview as it is now, or was less than a second ago. */
    Shown show(CountRange range) {
        SystemStatus now = status.get();
        Optional<List<PeriodCounts>> periods =
                now.answers() ? Objects.requireNonNull(counts.get(range)).get() : Optional.empty();
        List<SpendingLine> spent =
                now.answers() ? Objects.requireNonNull(spending.get(range)).get() : List.of();
        return new Shown(
                alertFinder.of(now),
                now,
                range,
                List.of(CountRange.values()),
                range.step(),
                spent,
                periods.orElse(null));
    }

    private static Optional<List<PeriodCounts>> counts(CountQueries queries, CountRange range) {
        return Optional.ofNullable(new FailFastReads()
                .valueOrNull(() ->
                        queries.periods(range).stream().map(PeriodCounts::of).toList()));
    }

    private static List<SpendingLine> spending(SpendingQueries queries, CountRange range) {
        Duration age = range.step().multipliedBy(range.periods());
        @Nullable
        List<SpendingLine> lines = new FailFastReads()
                .valueOrNull(() -> queries.since(SpendingDimension.HOOK, age).stream()
                        .map(SpendingLine::of)
                        .toList());
        return lines == null ? List.of() : lines;
    }

    /** Twice the longest heartbeat interval, plus a day if there are active hours; null if an agent has no heartbeats. */
    private static @Nullable Duration eventsMayWait(AgentSettings agents) {
        Duration longest = Duration.ZERO;
        for (AgentSettings.Agent agent : agents.list()) {
            AgentSettings.Heartbeat heartbeat = agent.heartbeat();
            if (heartbeat.every().isZero()) {
                return null;
            }
            Duration pause =
                    heartbeat.every().multipliedBy(2).plus(heartbeat.activeHours() == null ? Duration.ZERO : DAY);
            longest = longest.compareTo(pause) < 0 ? pause : longest;
        }
        return longest;
    }
}

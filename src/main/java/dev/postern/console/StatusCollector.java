package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunQueries;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.channel.DeliveryQueries;
import dev.postern.config.Settings;
import dev.postern.console.ServiceStatus.Tally;
import dev.postern.console.SystemStatus.Part;
import dev.postern.console.SystemStatus.RecentResults;
import dev.postern.dispatch.Dispatcher;
import dev.postern.model.DeliveryState;
import dev.postern.model.Recipient;
import dev.postern.model.RunState;
import dev.postern.observe.HealthCheck;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.Readiness;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A collector of the {@link SystemStatus}, which asks this Postern's services and its database, and no external service. */
final class StatusCollector implements Supplier<SystemStatus> {

    /** The most of the runs that ended recently that are counted, which takes the database some milliseconds. */
    private static final int MOST_RUNS = 5_000;

    private static final int MOST_DELIVERIES = 5_000;

    private static final double MILLIS = 1e6;

    private final Settings settings;
    private final HealthChecks health;
    private final Intake intake;
    private final RunQueries runs;
    private final DeliveryQueries deliveries;
    private final BudgetReader budgets;
    private final Dispatcher dispatcher;
    private final AuthenticationLockouts lockouts;
    private final Store store;
    private final RuntimeInfo runtimeInfo;

    StatusCollector(Console.Services services, RunQueries runs, DeliveryQueries deliveries, BudgetReader budgets) {
        this.settings = services.settings();
        this.health = services.health();
        this.intake = services.intake();
        this.runs = runs;
        this.deliveries = deliveries;
        this.budgets = budgets;
        this.dispatcher = services.dispatcher();
        this.lockouts = services.lockouts();
        this.store = services.store();
        this.runtimeInfo = services.runtimeInfo();
    }

    /** Collects the status as it is now; takes about two seconds when the database does not answer. */
    @Override
    public SystemStatus get() {
        List<Part> parts =
                health.ready().findings().stream().map(StatusCollector::part).toList();
        FailFastReads database = new FailFastReads();
        @Nullable Long waiting = database.valueOrNull(intake::pending);
        @Nullable Duration oldestRun = seconds(database.valueOrNull(intake::oldestWaiting));
        @Nullable Duration oldestEvent = seconds(database.valueOrNull(intake::oldestWaitingEvent));
        @Nullable Long pending = database.valueOrNull(dispatcher::deliveriesPending);
        @Nullable RecentResults providers = database.valueOrNull(this::providers);
        @Nullable RecentResults channels = database.valueOrNull(this::channels);
        @Nullable Long waitingForProvider = database.valueOrNull(dispatcher::runsWaitingForProvider);
        @Nullable Long undecidedApprovals = database.valueOrNull(dispatcher::undecidedApprovals);
        @Nullable List<BudgetLine> budgetLines = database.valueOrNull(budgets::read);
        StoreMetrics writes = store.metrics();
        return new SystemStatus(
                parts,
                /* answers= */ database.isDatabaseAnswering(),
                waiting,
                /* mostWaiting= */ settings.hooks().maxPending(),
                dispatcher.metrics().running(),
                /* mostRunning= */ settings.agents().maxConcurrent(),
                runtimeInfo.threads(),
                oldestRun,
                oldestEvent,
                /* deliveriesPending= */ pending,
                /* commitMs= */ writes.meanCommit().toNanos() / MILLIS,
                writes.commits(),
                /* failedWrites= */ writes.failed(),
                /* providers= */ providers == null ? RecentResults.UNKNOWN : providers,
                /* channels= */ channels == null ? RecentResults.UNKNOWN : channels,
                /* outages= */ runtimeInfo.outages().get(),
                waitingForProvider,
                undecidedApprovals,
                /* budgets= */ budgetLines,
                /* switchedOff= */ runtimeInfo.switchedOff().get(),
                /* otherPosterns= */ runtimeInfo.otherPosterns().get(),
                /* lockedOut= */ lockouts.count(),
                freeBytes(),
                /* mail= */ runtimeInfo.mail() == null
                        ? null
                        : runtimeInfo.mail().get());
    }

    private RecentResults providers() throws StoreException {
        Instant start = before(Duration.ofHours(1));
        List<RunQueries.Tally> ended = runs.endedSince(start, MOST_RUNS);
        List<Tally> tallies = ended.stream()
                .filter(each -> each.state() != RunState.CANCELLED)
                .map(each -> new Tally(
                        each.model().split("/", 2)[0], each.state() == RunState.SUCCEEDED, each.count(), each.last()))
                .toList();
        return new RecentResults(
                ServiceStatus.of(settings.providers().keySet(), tallies),
                failed(tallies),
                latest(ended, RunQueries.Tally::count, MOST_RUNS),
                "runs?status=" + RunState.FAILED.wire() + "," + RunState.TIMED_OUT.wire() + "&endedAfter=" + start);
    }

    private RecentResults channels() throws StoreException {
        Instant start = before(Duration.ofDays(1));
        List<DeliveryQueries.Tally> ended = deliveries.endedSince(start, MOST_DELIVERIES);
        List<Tally> tallies = ended.stream()
                .filter(each -> each.state() != DeliveryState.SUPPRESSED)
                .map(each ->
                        new Tally(each.channel(), each.state() == DeliveryState.DELIVERED, each.count(), each.last()))
                .toList();
        List<String> channels = new ArrayList<>(settings.channels().keySet());
        channels.add(Recipient.INBOX);
        return new RecentResults(
                ServiceStatus.of(channels, tallies),
                failed(tallies),
                latest(ended, DeliveryQueries.Tally::count, MOST_DELIVERIES),
                "deliveries?status=" + DeliveryState.FAILED.wire() + "&endedAfter=" + start);
    }

    private static long failed(List<Tally> tallies) {
        return tallies.stream()
                .filter(tally -> !tally.succeeded())
                .mapToLong(Tally::count)
                .sum();
    }

    private static <T> @Nullable Integer latest(List<T> tallies, Function<T, Long> count, int most) {
        return tallies.stream().mapToLong(count::apply).sum() < most ? null : most;
    }

    private Instant before(Duration age) {
        return store.clock().instant().minus(age);
    }

    private static @Nullable Duration seconds(@Nullable Duration duration) {
        return duration == null ? null : duration.truncatedTo(ChronoUnit.SECONDS);
    }

    private @Nullable Long freeBytes() {
        try {
            return Files.getFileStore(settings.home()).getUsableSpace();
        } catch (IOException unknown) {
            return null;
        }
    }

    private static Part part(Readiness.Finding finding) {
        if (finding.check() instanceof HealthCheck.Up up) {
            return new Part(finding.part(), "up", up.how());
        }
        return finding.check() instanceof HealthCheck.Impaired impaired
                ? new Part(finding.part(), "impaired", impaired.reason())
                : new Part(finding.part(), "down", ((HealthCheck.Down) finding.check()).reason());
    }
}

package dev.postern.dispatch;

import dev.postern.acceptance.DueTimeCorrection;
import dev.postern.approval.ApprovalRepository;
import dev.postern.budget.BudgetRegistry;
import dev.postern.channel.DeliveryRepository;
import dev.postern.model.DurationFormatter;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A correction of the times in the database after this machine's clock was set back. Whatever waits until a time would wait for
 * so much longer. It is for a database that one node uses by its own clock. Its methods run on the clock thread.
 */
final class ClockSetbackCorrection {

    private static final Logger LOG = System.getLogger(ClockSetbackCorrection.class.getName());

    /** A clock that goes back by less makes waits longer by no more than that. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    /** The most that two readings may differ in the time between them. Otherwise the process stood still within one. */
    private static final Duration MOST_DOUBT = Duration.ofMillis(100);

    private final Store store;
    private final DeliveryRepository deliveryRepository;
    private final BudgetRegistry budgets;
    private final DispatchClock clock;
    private final InstantSource time;
    private final LongSupplier nanos;
    private final Runnable corrected;
    private Reading latest;
    private boolean correcting;

    /** A reading of both clocks. */
    private record Reading(long nanos, Instant at) {

        /** How much less time has passed by the wall clock than really, since {@code earlier}. */
        Duration setbackSince(Reading earlier) {
            return Duration.between(at, earlier.at.plusNanos(nanos - earlier.nanos));
        }
    }

    /**
     * @param nanos as {@link System#nanoTime}
     * @param corrected called after a correction
     */
    ClockSetbackCorrection(
            Store store,
            DeliveryRepository deliveryRepository,
            BudgetRegistry budgets,
            DispatchClock clock,
            InstantSource time,
            LongSupplier nanos,
            Runnable corrected) {
        this.store = store;
        this.deliveryRepository = deliveryRepository;
        this.budgets = budgets;
        this.clock = clock;
        this.time = time;
        this.nanos = nanos;
        this.corrected = corrected;
        this.latest = read();
    }

    /** Corrects the times if the clock was set back since the last look. Does not wait for the database. */
    void look() {
        Reading first = read();
        Reading now = read();
        if (correcting || now.setbackSince(first).abs().compareTo(MOST_DOUBT) > 0) {
            return;
        }
        Duration by = now.setbackSince(latest);
        if (by.compareTo(LEAST) < 0) {
            latest = now;
            return;
        }
        correcting = true;
        try {
            var unused = store.write(sql -> moveBack(sql, now.at(), by))
                    .whenComplete((done, failure) -> clock.soon(() -> ended(now, by, failure)));
        } catch (RuntimeException | Error e) {
            ended(now, by, e);
        }
    }

    private boolean moveBack(SqlTransaction sql, Instant now, Duration by) throws SQLException {
        DueTimeCorrection.moveBack(sql, now, by);
        deliveryRepository.moveBack(sql, now, by);
        ApprovalRepository.moveBack(sql, now, by);
        budgets.moveBack(sql, by);
        return true;
    }

    private void ended(Reading reading, Duration by, @Nullable Throwable failure) {
        correcting = false;
        if (failure != null) {
            LOG.log(Level.DEBUG, "Could not correct the times in the database yet: {0}", String.valueOf(failure));
            return;
        }
        latest = reading;
        LOG.log(
                Level.INFO,
                "The clock was set back by {0}; what waits for a time waits no longer for that",
                DurationFormatter.of(by));
        corrected.run();
    }

    private Reading read() {
        return new Reading(nanos.getAsLong(), time.instant());
    }
}

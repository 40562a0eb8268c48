package dev.postern.dispatch;

import dev.postern.acceptance.GroupClosing;
import dev.postern.acceptance.RunRepository;
import dev.postern.channel.HookDeliveryWriter;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A closer of groups of requests that are due. It looks at the time at which a group of this node is due first, and at the time
 * that each look has found. The poll is for groups that another node has opened, or has locked. At most one look is in
 * progress.
 */
final class GroupCloser {

    private static final Logger LOG = System.getLogger(GroupCloser.class.getName());

    /** The most groups in one transaction, so that no request waits long behind it. */
    private static final int PIECE = 20;

    private final Store store;
    private final RunRepository runRepository;
    private final HookDeliveryWriter hookDeliveryWriter;
    private final DispatchClock clock;
    private final InstantSource time;
    private final Duration gap;
    private final Runnable closed;
    private final AtomicReference<Instant> alarm = new AtomicReference<>(Instant.MAX);
    private boolean looking;
    private boolean again;
    private boolean stopped;

    /**
     * @param gap the shortest time between two looks
     * @param closed called when a group was closed
     */
    GroupCloser(
            Store store,
            RunRepository runRepository,
            HookDeliveryWriter hookDeliveryWriter,
            DispatchClock clock,
            InstantSource time,
            Duration gap,
            Runnable closed) {
        this.store = store;
        this.runRepository = runRepository;
        this.hookDeliveryWriter = hookDeliveryWriter;
        this.clock = clock;
        this.time = time;
        this.gap = gap;
        this.closed = closed;
    }

    /** Has the closer look at {@code due}. Never blocks, and costs next to nothing if it is to look by then already. */
    void signalAt(Instant due) {
        Instant before = alarm.getAndUpdate(next -> due.isBefore(next) ? due : next);
        if (due.isBefore(before)) {
            Duration until = Duration.between(time.instant(), due);
            clock.after(until.compareTo(gap) < 0 ? gap : until, () -> ring(due));
        }
    }

    /** Looks for groups that are due. Runs on the clock thread, which does not wait for the database. */
    void look() {
        synchronized (this) {
            again = looking;
            if (looking || stopped) {
                return;
            }
            looking = true;
        }
        try {
            var unused = store.write(this::closeDue)
                    .whenComplete((result, failure) -> clock.soon(() -> looked(result, failure)));
        } catch (RuntimeException | Error e) {
            looked(null, e);
        }
    }

    private GroupClosing.Result closeDue(SqlTransaction sql) throws SQLException {
        GroupClosing.Result result = runRepository.closeGroups(sql, PIECE);
        hookDeliveryWriter.run(sql, result.deliveries());
        return result;
    }

    /** Stops the closer. Other nodes close what is open, or this one after its next start. */
    synchronized void stop() {
        stopped = true;
    }

    private void ring(Instant due) {
        if (alarm.compareAndSet(due, Instant.MAX)) {
            look();
        }
    }

    private void looked(GroupClosing.@Nullable Result result, @Nullable Throwable failure) {
        boolean isDueAgain;
        synchronized (this) {
            looking = false;
            isDueAgain = again;
        }
        if (isDueAgain) {
            clock.after(gap, this::look);
        }
        if (result == null) {
            LOG.log(Level.DEBUG, "Could not close the groups that are due: {0}", String.valueOf(failure));
            return;
        }
        if (result.closed() > 0) {
            closed.run();
        }
        Instant now = time.instant();
        result.nextDue().filter(due -> result.closed() > 0 || due.isAfter(now)).ifPresent(this::signalAt);
    }
}

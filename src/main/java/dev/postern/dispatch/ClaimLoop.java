package dev.postern.dispatch;

import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/*
 * A signal sets a flag, however many signals there are; the first to set it has the clock thread make a pass. A pass
 * clears the flag and asks the database for as many turns as there are free workers, in one transaction, without
 * waiting for it. At most one claim is in progress, and a short rest follows it; when the flag was set meanwhile, the
 * next pass follows. So a flood of events costs a few hundred claims a second at most, and a single event is claimed at
 * once. A pass that finds no free worker does nothing; the end of a turn signals the loop.
 *
 * A claim that failed may have been committed all the same, now or when its connection comes back. So the next claim,
 * and one from time to time, gives back the session locks that this node holds beside those of its workers' turns. Only
 * claims add to these, one after the other, so a claim knows them all.
 *
 * A claim also returns the time of the next requested heartbeat, and the clock signals the loop at that time. The poll
 * is for everything without a signal: turns that another node accepted, and periodic heartbeats.
 */
/** A loop that claims queued runs and due heartbeats for the free workers of this node. */
final class ClaimLoop {

    private static final Logger LOG = System.getLogger(ClaimLoop.class.getName());

    private final Store store;
    private final TurnClaimer turnClaimer;
    private final TurnWorkers workers;
    private final DispatchClock clock;
    private final InstantSource time;
    private final Duration gap;
    private final DispatchCounters dispatchCounters;
    private final AtomicBoolean signalled = new AtomicBoolean();
    private boolean claiming;
    private boolean unsettled;
    private boolean resting;
    private boolean stopped;
    private boolean away;
    private Instant alarm = Instant.MIN;

    /**
     * @param gap the shortest time between two claims
     */
    ClaimLoop(
            Store store,
            TurnClaimer turnClaimer,
            TurnWorkers workers,
            DispatchClock clock,
            InstantSource time,
            Duration gap,
            DispatchCounters dispatchCounters) {
        this.store = store;
        this.turnClaimer = turnClaimer;
        this.workers = workers;
        this.clock = clock;
        this.time = time;
        this.gap = gap;
        this.dispatchCounters = dispatchCounters;
    }

    /** Signals the loop to claim soon. Never blocks, and costs next to nothing when it was signalled already. */
    void signal() {
        if (!signalled.get() && signalled.compareAndSet(false, true)) {
            clock.soon(this::pass);
        }
    }

    /** Tells the next claim to give back the session locks that this node holds without knowing it. */
    void settle() {
        synchronized (this) {
            unsettled = true;
        }
        signal();
    }

    /** Stops claiming; returns when the turns of a claim in progress have reached the workers. */
    synchronized void stop(Duration patience) throws InterruptedException {
        stopped = true;
        long until = System.nanoTime() + patience.toNanos();
        while (claiming) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                LOG.log(Level.WARNING, "A claim is still in progress; another node will recover what it claims");
                return;
            }
            wait(left);
        }
    }

    private void pass() {
        int free;
        boolean settling;
        synchronized (this) {
            if (claiming || resting || stopped) {
                return;
            }
            signalled.set(false);
            free = workers.free();
            settling = unsettled;
            if (free <= 0 && !settling) {
                return;
            }
            unsettled = false;
            claiming = true;
        }
        dispatchCounters.claimed();
        Optional<Set<String>> held = settling ? Optional.of(workers.sessions()) : Optional.empty();
        try {
            var unused = store.write(sql -> claim(sql, free, held))
                    .whenComplete((claimed, failure) -> clock.soon(() -> claimed(claimed, failure)));
        } catch (RuntimeException | Error e) {
            claimed(null, e);
        }
    }

    private TurnClaimer.Claimed claim(SqlTransaction sql, int max, Optional<Set<String>> held) throws SQLException {
        if (held.isPresent()) {
            turnClaimer.settle(sql, held.get());
        }
        return turnClaimer.claim(sql, max);
    }

    private void claimed(TurnClaimer.@Nullable Claimed claimed, @Nullable Throwable failure) {
        try {
            if (claimed != null) {
                claimed.work().forEach(workers::start);
                claimed.nextHeartbeat().ifPresent(this::wakeAt);
                if (claimed.isMoreReady()) {
                    signal();
                }
            }
            logOutage(failure);
        } finally {
            synchronized (this) {
                claiming = false;
                unsettled |= failure != null;
                resting = true;
                notifyAll();
            }
            clock.after(gap, this::rested);
        }
    }

    private void rested() {
        synchronized (this) {
            resting = false;
        }
        if (signalled.get()) {
            pass();
        }
    }

    private void wakeAt(Instant next) {
        Instant now = time.instant();
        if (alarm.isAfter(now) && !next.isBefore(alarm)) {
            return;
        }
        Duration until = Duration.between(now, next);
        alarm = next;
        clock.after(until.compareTo(gap) < 0 ? gap : until, this::signal);
    }

    /** Logs once that the database is away, and once that it is back; until then the poll tries. */
    private void logOutage(@Nullable Throwable failure) {
        if (failure != null && !away) {
            LOG.log(
                    Level.WARNING,
                    "Cannot claim turns, because the database does not respond: {0}",
                    failure.toString());
        } else if (failure == null && away) {
            LOG.log(Level.INFO, "Turns are claimed again");
        }
        away = failure != null;
    }
}

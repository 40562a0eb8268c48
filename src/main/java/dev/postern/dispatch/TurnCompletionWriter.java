package dev.postern.dispatch;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes the ends of turns, and doesn't give up: a turn whose end the database can't take is kept in memory and tried
 * again each second, until it works or the node stops. What was lost with the node is taken for interrupted by the next
 * one.
 */
final class TurnCompletionWriter {

    private static final Logger LOG = System.getLogger(TurnCompletionWriter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Store store;
    private final ExecutorGateway threads;
    private final DispatchClock clock;
    private final Set<Unwritten> unwritten = new HashSet<>();
    private boolean givingUp;
    private boolean lostSome;

    TurnCompletionWriter(Store store, ExecutorGateway threads, DispatchClock clock) {
        this.store = store;
        this.threads = threads;
        this.clock = clock;
    }

    /**
     * @param doubtful true when an earlier try failed: it may have been committed all the same
     */
    private record Unwritten(String id, TurnCompletion ending, Runnable done, boolean doubtful) {

        Unwritten(String id, TurnCompletion ending, Runnable done) {
            this(id, ending, done, false);
        }

        Unwritten failed() {
            return new Unwritten(id, ending, done, true);
        }
    }

    /** Writes {@code ending}, on this thread where it needn't pause, and runs {@code done} when it is written or given up. */
    void write(String id, TurnCompletion turnCompletion, Runnable done) {
        Unwritten what = new Unwritten(id, turnCompletion, done);
        if (turnCompletion.pause().isZero()) {
            attempt(what);
        } else {
            later(what, turnCompletion.pause());
        }
    }

    /** As {@link #write}, for a thread that must not block. */
    void writeSoon(String id, TurnCompletion turnCompletion, Runnable done) {
        later(new Unwritten(id, turnCompletion, done), Duration.ZERO);
    }

    /** Tries once more what waits, on this thread, and from now on tries nothing twice. */
    void giveUp() {
        Set<Unwritten> last;
        synchronized (this) {
            givingUp = true;
            last = Set.copyOf(unwritten);
            unwritten.clear();
        }
        last.forEach(this::attempt);
    }

    /** True when what a turn has come to was given up. */
    synchronized boolean lostSome() {
        return lostSome;
    }

    private void later(Unwritten what, Duration pause) {
        if (keep(what)) {
            clock.after(pause, () -> again(what));
        } else {
            attempt(what);
        }
    }

    private void attempt(Unwritten what) {
        boolean written;
        try {
            written = store.writeAndWait(what.ending().unit());
        } catch (StoreException | RuntimeException | Error e) {
            failed(what, e);
            return;
        }
        what.done().run();
        if (written) {
            what.ending().afterwards().run();
        } else if (what.doubtful()) {
            LOG.log(
                    Level.WARNING,
                    "Turn {0} is not held any more: its end was written by the try before, or another node took over",
                    what.id());
        } else {
            LOG.log(Level.WARNING, "Turn {0} was taken over by another node; its end is not written", what.id());
        }
    }

    private void failed(Unwritten what, Throwable e) {
        Unwritten next = what.failed();
        if (keep(next)) {
            LOG.log(
                    what.doubtful() ? Level.DEBUG : Level.WARNING,
                    "The end of turn {0} cannot be written yet; it is tried each second: {1}",
                    what.id(),
                    e);
            clock.after(PAUSE, () -> again(next));
        } else {
            LOG.log(Level.ERROR, "The end of turn {0} cannot be written; it will be run again: {1}", what.id(), e);
            synchronized (this) {
                lostSome = true;
            }
            what.done().run();
        }
    }

    private synchronized boolean keep(Unwritten what) {
        return !givingUp && unwritten.add(what);
    }

    private synchronized boolean forget(Unwritten what) {
        return unwritten.remove(what);
    }

    private void again(Unwritten what) {
        boolean lent = threads.run(() -> {
            if (forget(what)) {
                attempt(what);
            }
        });
        if (!lent) {
            clock.after(PAUSE, () -> again(what));
        }
    }
}

package dev.postern.dispatch;

import dev.postern.agent.TurnResult;
import dev.postern.store.RejectedWriteException;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * A writer of turn completions that retries until it succeeds. A completion that the database can't take is kept in
 * memory and tried again each second, until it is written or the node stops. Other nodes treat the turns that were lost
 * with a node as interrupted. A turn whose completion the database rejects time and again, although it works, fails instead:
 * it would keep its session and its worker for ever.
 */
final class TurnCompletionWriter {

    private static final Logger LOG = System.getLogger(TurnCompletionWriter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** The attempts to write a completion that is rejected. */
    private static final int MOST_REJECTIONS = 3;

    private static final String REASON = "its result could not be stored";

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
     * @param doubtful true when an earlier attempt failed; it may have been committed all the same
     * @param rejections the number of attempts that failed although the database works
     */
    private record Unwritten(ClaimedTurn turn, TurnCompletion ending, Runnable done, boolean doubtful, int rejections) {

        Unwritten(ClaimedTurn turn, TurnCompletion ending, Runnable done) {
            this(turn, ending, done, false, 0);
        }

        String id() {
            return turn.id();
        }

        Unwritten failed() {
            return new Unwritten(turn, ending, done, true, rejections);
        }

        /** What to write after another rejection: the turn's failure in place of its result, then nothing but the failure. */
        Unwritten rejected() {
            int now = rejections + 1;
            TurnCompletion next = ending;
            if (now == MOST_REJECTIONS) {
                next = turn.fail(new TurnResult.Failed(REASON));
            } else if (now == 2 * MOST_REJECTIONS) {
                next = turn.failOnly(REASON);
            }
            return new Unwritten(turn, next, done, true, now);
        }
    }

    /**
     * Writes {@code turnCompletion} of {@code turn}, on this thread unless it needs a pause. Runs {@code done} when it is written or
     * given up.
     */
    void write(ClaimedTurn turn, TurnCompletion turnCompletion, Runnable done) {
        Unwritten what = new Unwritten(turn, turnCompletion, done);
        if (turnCompletion.pause().isZero()) {
            attempt(what);
        } else {
            later(what, turnCompletion.pause());
        }
    }

    /** As {@link #write}, for a thread that must not block. */
    void writeSoon(ClaimedTurn turn, TurnCompletion turnCompletion, Runnable done) {
        later(new Unwritten(turn, turnCompletion, done), Duration.ZERO);
    }

    /** Tries the waiting completions once more, on this thread. From now on nothing is tried twice. */
    void giveUp() {
        Set<Unwritten> last;
        synchronized (this) {
            givingUp = true;
            last = Set.copyOf(unwritten);
            unwritten.clear();
        }
        last.forEach(this::attempt);
    }

    /** True when a completion was given up. */
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
                    "Turn {0} is no longer held: an earlier attempt wrote its result, or another node took over",
                    what.id());
        } else {
            LOG.log(Level.WARNING, "Turn {0} was taken over by another node; its result is not written", what.id());
        }
    }

    private void failed(Unwritten what, Throwable e) {
        boolean broken = !(e instanceof StoreException);
        Unwritten next = broken || e instanceof RejectedWriteException ? what.rejected() : what.failed();
        String why = broken ? TurnWorkers.where(e) : String.valueOf(e.getMessage());
        if (keep(next)) {
            LOG.log(
                    what.doubtful() ? Level.DEBUG : Level.WARNING,
                    "Could not write the result of turn {0}; retrying every second: {1}",
                    what.id(),
                    why);
            if (next.rejections() == MOST_REJECTIONS && what.rejections() < MOST_REJECTIONS) {
                LOG.log(Level.ERROR, "The result of turn {0} cannot be stored, so the turn fails", what.id());
            }
            clock.after(PAUSE, () -> again(next));
        } else {
            LOG.log(Level.ERROR, "Could not write the result of turn {0}; it will be run again: {1}", what.id(), why);
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

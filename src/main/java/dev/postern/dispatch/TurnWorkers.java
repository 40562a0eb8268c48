package dev.postern.dispatch;

import dev.postern.acceptance.CancellationResult;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.model.SessionId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes claimed turns on threads that are lent for it, at most so many at one time, and cuts them off. A turn that there
 * is no thread for stays claimed, and is offered again. Where a lane was taken from this node and claimed by it anew,
 * the later turn waits for the end of the earlier one.
 */
final class TurnWorkers {

    private static final Logger LOG = System.getLogger(TurnWorkers.class.getName());

    private final int max;
    private final ExecutorGateway threads;
    private final TurnCompletionWriter turnCompletionWriter;
    private final LongSupplier nanos;
    private final Supplier<Optional<String>> lost;
    private final Runnable freed;
    private final Set<Job> jobs = new LinkedHashSet<>();
    private boolean held;
    private boolean draining;

    /**
     * @param max turns at one time
     * @param nanos as {@link System#nanoTime}
     * @param lost why no turn must go on, or nothing
     * @param freed told when a turn has ended and another may be claimed
     */
    TurnWorkers(
            int max,
            ExecutorGateway threads,
            TurnCompletionWriter turnCompletionWriter,
            LongSupplier nanos,
            Supplier<Optional<String>> lost,
            Runnable freed) {
        this.max = max;
        this.threads = threads;
        this.turnCompletionWriter = turnCompletionWriter;
        this.nanos = nanos;
        this.lost = lost;
        this.freed = freed;
    }

    /** How many more turns may be claimed now. */
    synchronized int free() {
        return beginsNothing() ? 0 : Math.max(0, max - jobs.size());
    }

    /** How many turns are under way, from their claim to the commit that ends them. */
    synchronized int running() {
        return jobs.size();
    }

    /** The ids of the sessions whose turns are under way. */
    synchronized Set<String> lanes() {
        return jobs.stream().map(job -> job.claimedTurn.session().value()).collect(Collectors.toUnmodifiableSet());
    }

    /** Has {@code work} taken as soon as there is a thread. */
    void start(ClaimedTurn claimedTurn) {
        Job job = new Job(claimedTurn);
        boolean begin;
        synchronized (this) {
            jobs.add(job);
            begin = !beginsNothing();
        }
        if (begin) {
            job.offer();
        } else {
            job.giveBack();
        }
    }

    /** Cuts off the turns whose time is used up, and offers again those that found no thread. */
    void look() {
        all().forEach(Job::look);
    }

    /** Begins no turn until {@link #resume}, and gives back those that were not begun. Doesn't block. */
    void hold() {
        synchronized (this) {
            held = true;
        }
        all().forEach(Job::giveBack);
    }

    /** Begins turns again. */
    synchronized void resume() {
        held = false;
    }

    /** Begins no turn any more, and gives back those that were not begun; the others go on. */
    void drain() {
        synchronized (this) {
            draining = true;
        }
        all().forEach(Job::giveBack);
    }

    /** Cuts off every turn that was begun. Doesn't block. */
    void interrupt(String reason) {
        all().forEach(job -> job.interrupt(reason));
    }

    /** Cuts off the run called {@code id} for good, or gives it back where it was not begun; no other node's. Doesn't block. */
    void cancel(String id) {
        all().stream().filter(job -> job.claimedTurn.id().equals(id)).forEach(Job::cancel);
    }

    /** Waits until no turn is under way; false when {@code patience} was too short. */
    synchronized boolean awaitIdle(Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (!jobs.isEmpty()) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private boolean beginsNothing() {
        return held || draining;
    }

    private synchronized List<Job> all() {
        return List.copyOf(jobs);
    }

    private synchronized boolean isFirstInItsLane(Job job) {
        SessionId lane = job.claimedTurn.session();
        return jobs.stream()
                .filter(other -> other.claimedTurn.session().equals(lane))
                .findFirst()
                .filter(job::equals)
                .isPresent();
    }

    private void ended(Job job) {
        synchronized (this) {
            jobs.remove(job);
            notifyAll();
        }
        freed.run();
    }

    private enum Stage {
        /** Claimed; neither begun nor handed to the executor. */
        WAITING,
        /** Handed to the executor. */
        OFFERED,
        BEGUN,
        GIVEN_BACK
    }

    private final class Job {

        private final ClaimedTurn claimedTurn;
        private Stage stage = Stage.WAITING;
        private @Nullable TurnCancellation turnCancellation;
        private boolean told;

        Job(ClaimedTurn claimedTurn) {
            this.claimedTurn = claimedTurn;
        }

        void offer() {
            if (isFirstInItsLane(this) && move(Stage.WAITING, Stage.OFFERED) && !threads.run(this::run)) {
                move(Stage.OFFERED, Stage.WAITING);
            }
        }

        private void run() {
            try {
                TurnCancellation mine = begin();
                if (mine == null) {
                    return;
                }
                TurnCompletion turnCompletion = claimedTurn.end(take(mine));
                boolean interrupted = Thread.interrupted();
                turnCompletionWriter.write(claimedTurn.id(), turnCompletion, () -> ended(this));
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            } catch (RuntimeException | Error e) {
                LOG.log(
                        Level.ERROR,
                        "The end of turn {0} broke, and its lane is given back: {1}",
                        claimedTurn.id(),
                        where(e));
                ended(this);
            }
        }

        private synchronized @Nullable TurnCancellation begin() {
            if (!move(Stage.OFFERED, Stage.BEGUN)) {
                return null;
            }
            turnCancellation = new TurnCancellation(nanos, claimedTurn.timeout(), lost);
            return turnCancellation;
        }

        private TurnResult take(TurnCancellation mine) {
            try {
                return claimedTurn.take(mine);
            } catch (RuntimeException | Error e) {
                // The lane must be freed whatever it was.
                LOG.log(Level.ERROR, "Turn {0} broke: {1}", claimedTurn.id(), where(e));
                return new TurnResult.Failed("the turn broke: " + e.getClass().getSimpleName());
            }
        }

        void look() {
            TurnCancellation current = current();
            if (current == null) {
                offer();
                return;
            }
            boolean over = current.reached();
            if (over && !told) {
                told = true;
                LOG.log(Level.DEBUG, "Turn {0} is cut off", claimedTurn.id());
            }
        }

        void giveBack() {
            if (move(Stage.WAITING, Stage.GIVEN_BACK) || move(Stage.OFFERED, Stage.GIVEN_BACK)) {
                turnCompletionWriter.writeSoon(claimedTurn.id(), claimedTurn.giveBack(), () -> ended(this));
            }
        }

        void interrupt(String reason) {
            TurnCancellation current = current();
            if (current != null) {
                current.interrupt(reason);
            }
        }

        void cancel() {
            giveBack();
            TurnCancellation current = current();
            if (current != null) {
                current.cancel(CancellationResult.SENTENCE);
            }
        }

        private synchronized @Nullable TurnCancellation current() {
            return turnCancellation;
        }

        private synchronized boolean move(Stage from, Stage to) {
            if (stage != from) {
                return false;
            }
            stage = to;
            return true;
        }
    }

    /** The kind of fault and its place; its message may hold a payload. */
    private static String where(Throwable fault) {
        StackTraceElement[] trace = fault.getStackTrace();
        return fault.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}

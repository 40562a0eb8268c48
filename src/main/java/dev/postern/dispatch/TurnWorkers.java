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
 * The workers that run claimed turns on borrowed threads, up to a limit at one time, and interrupt them. A turn without
 * a free thread stays claimed, and is offered again. If another node took a session lock from this node and this node
 * claimed it again, the later turn waits for the end of the earlier one.
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
     * @param max the most turns at one time
     * @param nanos as {@link System#nanoTime}
     * @param lost the reason why no turn may continue, or empty
     * @param freed called when a turn has ended and another may be claimed
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

    /** The number of turns that may still be claimed now. */
    synchronized int free() {
        return beginsNothing() ? 0 : Math.max(0, max - jobs.size());
    }

    /** The number of turns in progress, from their claim to the commit that ends them. */
    synchronized int running() {
        return jobs.size();
    }

    /** The ids of the sessions whose turns are in progress. */
    synchronized Set<String> sessions() {
        return jobs.stream().map(job -> job.claimedTurn.session().value()).collect(Collectors.toUnmodifiableSet());
    }

    /** Runs {@code claimedTurn} as soon as there is a thread. */
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

    /** Interrupts the turns that have reached their time limit, and offers again those that found no thread. */
    void look() {
        all().forEach(Job::look);
    }

    /** Begins no turn until {@link #resume}, and gives back those that have not begun. Doesn't block. */
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

    /** Begins no turn any more, and gives back those that have not begun; the others continue. */
    void drain() {
        synchronized (this) {
            draining = true;
        }
        all().forEach(Job::giveBack);
    }

    /** Interrupts every turn that has begun. Doesn't block. */
    void interrupt(String reason) {
        all().forEach(job -> job.interrupt(reason));
    }

    /**
     * Cancels the turn of the run {@code id}, or gives it back if it has not begun. Ignores other nodes' runs. Doesn't
     * block.
     */
    void cancel(String id) {
        all().stream().filter(job -> job.claimedTurn.id().equals(id)).forEach(Job::cancel);
    }

    /** Waits until no turn is in progress; false when {@code patience} was too short. */
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

    private synchronized boolean isFirstInItsSession(Job job) {
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
        private boolean logged;

        Job(ClaimedTurn claimedTurn) {
            this.claimedTurn = claimedTurn;
        }

        void offer() {
            if (isFirstInItsSession(this) && move(Stage.WAITING, Stage.OFFERED) && !threads.run(this::run)) {
                move(Stage.OFFERED, Stage.WAITING);
            }
        }

        private void run() {
            try {
                TurnCancellation mine = begin();
                if (mine == null) {
                    return;
                }
                TurnCompletion turnCompletion = completionOf(take(mine));
                boolean interrupted = Thread.interrupted();
                turnCompletionWriter.write(claimedTurn, turnCompletion, () -> ended(this));
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            } catch (RuntimeException | Error e) {
                LOG.log(
                        Level.ERROR,
                        "Completing turn {0} failed; its session lock is given back: {1}",
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
                // The session lock must be released after any error.
                return broken(e);
            }
        }

        /** A turn that is given back is taken again, and its model paid again; so a result without an end is a failure. */
        private TurnCompletion completionOf(TurnResult result) {
            try {
                return claimedTurn.end(result);
            } catch (RuntimeException | Error e) {
                return claimedTurn.fail(broken(e));
            }
        }

        private TurnResult.Failed broken(Throwable fault) {
            LOG.log(Level.ERROR, "Turn {0} failed with an internal error: {1}", claimedTurn.id(), where(fault));
            return new TurnResult.Failed("the turn broke: " + fault.getClass().getSimpleName());
        }

        void look() {
            TurnCancellation current = current();
            if (current == null) {
                offer();
                return;
            }
            boolean over = current.isRequested();
            if (over && !logged) {
                logged = true;
                LOG.log(Level.DEBUG, "Turn {0} was stopped", claimedTurn.id());
            }
        }

        void giveBack() {
            if (move(Stage.WAITING, Stage.GIVEN_BACK) || move(Stage.OFFERED, Stage.GIVEN_BACK)) {
                turnCompletionWriter.writeSoon(claimedTurn, claimedTurn.giveBack(), () -> ended(this));
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

    /** The class of the exception and its place. Its message may hold a payload. */
    static String where(Throwable fault) {
        StackTraceElement[] trace = fault.getStackTrace();
        return fault.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}

package dev.postern.dispatch;

import dev.postern.agent.Cutoff;
import dev.postern.agent.TurnOutcome;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes claimed turns on threads that are lent for it, at most so many at one time, and cuts them off. A turn that the
 * executor has no thread for stays claimed, and is offered again.
 */
final class Workers {

    private static final Logger LOG = System.getLogger(Workers.class.getName());

    private final int max;
    private final LentThreads threads;
    private final Finisher finisher;
    private final InstantSource clock;
    private final Runnable freed;
    private final Set<Job> jobs = new HashSet<>();

    /**
     * @param max turns at one time
     * @param freed told when a turn has ended and another may be claimed
     */
    Workers(int max, LentThreads threads, Finisher finisher, InstantSource clock, Runnable freed) {
        this.max = max;
        this.threads = threads;
        this.finisher = finisher;
        this.clock = clock;
        this.freed = freed;
    }

    /** How many more turns may be claimed now. */
    synchronized int free() {
        return max - jobs.size();
    }

    /** How many turns are under way, from their claim to the commit that ends them. */
    synchronized int running() {
        return jobs.size();
    }

    /** Has {@code work} taken as soon as there is a thread. */
    void start(Work work) {
        Job job = new Job(work);
        synchronized (this) {
            jobs.add(job);
        }
        job.offer();
    }

    /** Cuts off the turns whose time is used up, and offers again those that found no thread. */
    void look() {
        all().forEach(Job::look);
    }

    /** Cuts off every turn, and gives back those that were not begun. */
    void interrupt(String reason) {
        all().forEach(job -> job.interrupt(reason));
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

    private synchronized List<Job> all() {
        return List.copyOf(jobs);
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

    private final class Job implements Runnable {

        private final Work work;
        private Stage stage = Stage.WAITING;
        private @Nullable Cutoff cutoff;
        private boolean told;

        Job(Work work) {
            this.work = work;
        }

        void offer() {
            if (!move(Stage.WAITING, Stage.OFFERED)) {
                return;
            }
            if (!threads.run(this)) {
                move(Stage.OFFERED, Stage.WAITING);
            }
        }

        @Override
        public void run() {
            Cutoff mine = new Cutoff(clock, work.timeout());
            synchronized (this) {
                if (!move(Stage.OFFERED, Stage.BEGUN)) {
                    return;
                }
                cutoff = mine;
            }
            Ending ending = work.end(take(mine));
            boolean interrupted = Thread.interrupted();
            finisher.write(work.id(), ending, () -> ended(this));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private TurnOutcome take(Cutoff mine) {
            try {
                return work.take(mine);
            } catch (RuntimeException | Error e) {
                // Its message may hold a payload. The lane must be freed whatever it was.
                StackTraceElement[] trace = e.getStackTrace();
                String where = trace.length == 0 ? "" : " at " + trace[0];
                LOG.log(
                        Level.ERROR,
                        "Turn {0} broke: {1}{2}",
                        work.id(),
                        e.getClass().getName(),
                        where);
                return new TurnOutcome.Failed("the turn broke: " + e.getClass().getSimpleName());
            }
        }

        void look() {
            Cutoff current = current();
            if (current == null) {
                offer();
                return;
            }
            boolean over = current.reached();
            if (over && !told) {
                told = true;
                LOG.log(Level.DEBUG, "Turn {0} is cut off", work.id());
            }
        }

        void interrupt(String reason) {
            Cutoff current;
            boolean neverBegun;
            synchronized (this) {
                current = cutoff;
                neverBegun = stage == Stage.WAITING || stage == Stage.OFFERED;
                if (neverBegun) {
                    stage = Stage.GIVEN_BACK;
                }
            }
            if (neverBegun) {
                finisher.write(work.id(), work.giveBack(), () -> ended(this));
            } else if (current != null) {
                current.interrupt(reason);
            }
        }

        private synchronized @Nullable Cutoff current() {
            return cutoff;
        }

        private synchronized boolean move(Stage from, Stage to) {
            if (stage != from) {
                return false;
            }
            stage = to;
            return true;
        }
    }
}

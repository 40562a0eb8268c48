package dev.postern.dispatch;

import dev.postern.acceptance.RunEndWaiters;
import dev.postern.channel.Outbox;
import dev.postern.model.DurationFormatter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** The shutdown of dispatch on this node, in the order that {@link Dispatcher#stop} states. */
final class DispatchShutdown {

    private static final Logger LOG = System.getLogger(DispatchShutdown.class.getName());
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);

    private final GroupCloser groupCloser;
    private final ClaimLoop claims;
    private final TurnWorkers workers;
    private final TurnCompletionWriter turnCompletionWriter;
    private final Outbox outbox;
    private final RunEndWaiters watch;
    private final ClusterNode node;
    private final DispatchClock clock;

    DispatchShutdown(
            GroupCloser groupCloser,
            ClaimLoop claims,
            TurnWorkers workers,
            TurnCompletionWriter turnCompletionWriter,
            Outbox outbox,
            RunEndWaiters watch,
            ClusterNode node,
            DispatchClock clock) {
        this.groupCloser = groupCloser;
        this.claims = claims;
        this.workers = workers;
        this.turnCompletionWriter = turnCompletionWriter;
        this.outbox = outbox;
        this.watch = watch;
        this.node = node;
        this.clock = clock;
    }

    /**
     * Ends dispatch; returns when everything has ended, or has had its time.
     *
     * @param grace how long running turns may take
     */
    void stop(Duration grace) {
        long begun = System.nanoTime();
        boolean waits = false;
        try {
            groupCloser.stop();
            claims.stop(LAST_PATIENCE);
            workers.drain();
            waits = logRemainingWork(grace);
            if (!workers.awaitIdle(grace)) {
                LOG.log(Level.INFO, "Interrupting {0} turn(s); they will be run again", workers.running());
                workers.interrupt("a shutdown");
                turnCompletionWriter.giveUp();
                if (!workers.awaitIdle(LAST_PATIENCE)) {
                    LOG.log(Level.WARNING, "{0} turn(s) did not end in time", workers.running());
                }
            }
            if (!outbox.close(LAST_PATIENCE)) {
                LOG.log(Level.WARNING, "A delivery did not end in time; it may be sent again");
            }
        } catch (InterruptedException e) {
            workers.drain();
            workers.interrupt("a shutdown");
            Thread.currentThread().interrupt();
        } finally {
            end();
            if (waits) {
                Duration took = Duration.ofNanos(System.nanoTime() - begun);
                LOG.log(Level.INFO, "Dispatch stopped after {0}", DurationFormatter.of(took));
            }
        }
    }

    private boolean logRemainingWork(Duration grace) {
        int turns = workers.running();
        int deliveries = outbox.busyThreads();
        if (turns + deliveries > 0) {
            LOG.log(
                    Level.INFO,
                    "Shutting down: waiting up to {0} for {1} turn(s); deliveries in progress: {2}",
                    DurationFormatter.of(grace),
                    turns,
                    deliveries);
        }
        return turns + deliveries > 0;
    }

    private void end() {
        watch.close();
        if (workers.running() == 0 && !turnCompletionWriter.lostSome()) {
            node.leave();
        }
        try {
            if (!clock.close(LAST_PATIENCE)) {
                LOG.log(Level.WARNING, "The clock thread is blocked");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

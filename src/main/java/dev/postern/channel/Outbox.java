package dev.postern.channel;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The outbox, which sends the deliveries that are due in {@link DeliveryRepository}. Each channel uses up to N threads of
 * the caller's pool while it has deliveries to send, so a slow or dead channel does not hold up the others. A recipient
 * gets one delivery at a time.
 */
public final class Outbox {

    /** Number of deliveries that are sent on one channel at a time. */
    public static final int AT_ONCE = 4;

    private static final Logger LOG = System.getLogger(Outbox.class.getName());

    private final Store store;
    private final DeliveryClaims deliveryClaims;
    private final ChannelRegistry channelRegistry;
    private final int maxAttempts;
    private final int atOnce;
    private final Executor executor;
    private final InstantSource clock;

    private final Map<String, ChannelWorkers> channels = new ConcurrentHashMap<>();

    /** Whether the latest poll, or the latest start of a thread, has failed. */
    private final AtomicBoolean failing = new AtomicBoolean();

    private boolean looking;
    private boolean lookAgain;
    private boolean closed;

    /** The workers of one channel, guarded by the outbox. */
    private final class ChannelWorkers {

        private final DueDeliveryQueue due;

        /** Whether the latest worker to end has failed. */
        private final AtomicBoolean failing = new AtomicBoolean();

        /** Number of workers that were started and have not ended. */
        private int busy;

        /** Whether deliveries may have been added since the busy workers looked for some. */
        private boolean lookAgain;

        ChannelWorkers(String channel) {
            this.due = new DueDeliveryQueue(channel, store, deliveryClaims, clock);
        }
    }

    /**
     * @param node this node's id in the table {@code node}
     * @param maxAttempts number of failed attempts in a row after which a delivery fails
     * @param atOnce number of deliveries that are sent on one channel at a time
     * @param undelivered listener for replies that were given up
     * @param executor pool that gives up to {@code atOnce} threads for each channel, and one to poll for deliveries
     */
    public Outbox(
            Store store,
            DeliveryRepository deliveryRepository,
            ChannelRegistry channelRegistry,
            String node,
            int maxAttempts,
            int atOnce,
            UndeliveredReplyListener undelivered,
            Executor executor,
            InstantSource clock) {
        this.store = store;
        this.deliveryClaims = new DeliveryClaims(node, deliveryRepository, undelivered);
        this.channelRegistry = channelRegistry;
        this.maxAttempts = maxAttempts;
        this.atOnce = atOnce;
        this.executor = executor;
        this.clock = clock;
    }

    /** Starts sending the deliveries that are due; called when one was added, and at intervals. Never blocks. */
    public void signal() {
        synchronized (this) {
            lookAgain = looking;
            if (looking || closed) {
                return;
            }
            looking = true;
        }
        if (!run(this::poll)) {
            endPoll(false);
        }
    }

    /** Number of threads that send deliveries. */
    public synchronized int busyThreads() {
        return channels.values().stream().mapToInt(workers -> workers.busy).sum();
    }

    /** Sends no further message, and waits up to {@code grace} for those being sent; false if that was too short. */
    public synchronized boolean close(Duration grace) throws InterruptedException {
        closed = true;
        notifyAll();
        long until = System.nanoTime() + grace.toNanos();
        while (looking || busyThreads() > 0) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Waits for {@code pause}, or until the outbox is closed; true if it is still open. */
    synchronized boolean pause(Duration pause) throws InterruptedException {
        long until = System.nanoTime() + pause.toNanos();
        long left = pause.toMillis();
        while (!closed && left > 0) {
            wait(left);
            left = Duration.ofNanos(until - System.nanoTime()).toMillis();
        }
        return !closed;
    }

    synchronized boolean isOpen() {
        return !closed;
    }

    private void poll() {
        boolean works = false;
        try {
            if (!store.read(deliveryClaims::forgotten).isEmpty()) {
                store.writeAndWait(deliveryClaims::releaseForgotten);
            }
            store.read(sql -> deliveryClaims.channels(sql, clock.instant())).forEach(this::addWorker);
            works = true;
            failing.set(false);
        } catch (StoreException e) {
            report(failing, "the database does not answer", e.getMessage());
        } catch (RuntimeException | Error e) {
            report(failing, "the poll failed", e.toString());
        } finally {
            endPoll(works);
        }
    }

    private void endPoll(boolean works) {
        boolean again;
        synchronized (this) {
            looking = false;
            again = works && lookAgain;
            notifyAll();
        }
        if (again) {
            signal();
        }
    }

    /** Starts another worker of {@code channel}. If the limit is reached, the first one that ends looks once again. */
    void addWorker(String channel) {
        ChannelWorkers workers = channels.computeIfAbsent(channel, ChannelWorkers::new);
        synchronized (this) {
            if (closed) {
                return;
            }
            if (workers.busy == atOnce) {
                workers.lookAgain = true;
                return;
            }
            workers.busy++;
        }
        if (!run(() -> sendAll(channel, workers))) {
            endWorker(channel, workers, false);
        }
    }

    private void sendAll(String channel, ChannelWorkers workers) {
        boolean works = false;
        try {
            new DeliveryWorker(channel, store, deliveryClaims, workers.due, channelRegistry, maxAttempts, clock, this)
                    .sendAll();
            works = true;
            workers.failing.set(false);
        } catch (StoreException e) {
            report(workers.failing, "the database does not answer", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            report(workers.failing, "a worker failed", e.getClass().getName());
        } finally {
            endWorker(channel, workers, works);
        }
    }

    private void endWorker(String channel, ChannelWorkers workers, boolean works) {
        boolean again;
        synchronized (this) {
            workers.busy--;
            again = works && workers.lookAgain;
            workers.lookAgain &= !works;
            notifyAll();
        }
        if (again) {
            addWorker(channel);
        }
    }

    /** Warns once, until what has failed works again. */
    private static void report(AtomicBoolean failing, String how, @Nullable String why) {
        LOG.log(
                failing.getAndSet(true) ? Level.DEBUG : Level.WARNING,
                "Deliveries are delayed because {0}: {1}",
                how,
                why);
    }

    private boolean run(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread available for deliveries; retrying at the next poll");
        } catch (RuntimeException | Error e) {
            report(failing, "no thread could be started", e.toString());
        }
        return false;
    }
}

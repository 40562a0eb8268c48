package dev.postern.channel;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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

    /** What can be claimed, by channel. */
    private final Map<String, DueDeliveryQueue> due = new ConcurrentHashMap<>();

    /** Number of threads that send, by channel; only channels with at least one. */
    private final Map<String, Integer> busy = new HashMap<>();

    /** Channels among them that must be polled again. */
    private final Set<String> more = new HashSet<>();

    /**
     * Channels among the busy ones whose workers end, since one of them may have left a claim behind. The next first worker
     * releases it.
     */
    private final Set<String> ending = new HashSet<>();

    /** Channels whose first worker still releases claims that were left behind. No other may claim there. */
    private final Set<String> releasing = new HashSet<>();

    private boolean looking;
    private boolean lookAgain;
    private boolean closed;
    private volatile boolean failing;

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
            lookAgain = true;
            if (looking || closed) {
                return;
            }
            looking = true;
        }
        if (!run(this::poll)) {
            synchronized (this) {
                looking = false;
                notifyAll();
            }
        }
    }

    /** Number of threads that send deliveries. */
    public synchronized int busyThreads() {
        return busy.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Sends no further message, and waits up to {@code grace} for those being sent; false if that was too short. */
    public synchronized boolean close(Duration grace) throws InterruptedException {
        closed = true;
        notifyAll();
        long until = System.nanoTime() + grace.toNanos();
        while (looking || !busy.isEmpty()) {
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

    /** Whether a worker may claim another delivery of {@code channel}. */
    synchronized boolean isOpen(String channel) {
        return !closed && !ending.contains(channel);
    }

    private void poll() {
        do {
            try {
                for (String channel : store.read(sql -> deliveryClaims.channels(sql, clock.instant()))) {
                    begin(channel);
                }
                failing = false;
            } catch (StoreException e) {
                reportFailure("the database does not answer", e.getMessage());
            } catch (RuntimeException | Error e) {
                reportFailure("the poll failed", e.toString());
            }
        } while (looksAgain());
    }

    private synchronized boolean looksAgain() {
        looking = lookAgain && !closed && !failing;
        lookAgain = false;
        notifyAll();
        return looking;
    }

    private void begin(String channel) {
        boolean isFirst;
        synchronized (this) {
            if (closed) {
                return;
            }
            isFirst = busy.putIfAbsent(channel, 1) == null;
            if (isFirst) {
                ending.remove(channel);
                releasing.add(channel);
            } else {
                more.add(channel);
            }
        }
        if (!isFirst) {
            alsoBegin(channel); // the others may be waiting for a slow service
        } else if (!run(() -> sendAll(channel, true))) {
            end(channel, false);
        }
    }

    /** Starts another thread that sends on {@code channel} as well, if one does, unless the limit is reached. */
    void alsoBegin(String channel) {
        synchronized (this) {
            int threads = busy.getOrDefault(channel, 0);
            if (!isOpen(channel) || releasing.contains(channel) || threads == 0 || threads >= atOnce) {
                return;
            }
            busy.put(channel, threads + 1);
        }
        if (!run(() -> sendAll(channel, false))) {
            end(channel, false);
        }
    }

    private void sendAll(String channel, boolean first) {
        DeliveryWorker deliveryWorker = new DeliveryWorker(
                channel, store, deliveryClaims, dueDeliveries(channel), channelRegistry, maxAttempts, clock, this);
        boolean mayHoldClaim = true;
        try {
            if (first) {
                deliveryWorker.releaseForgottenClaims();
                released(channel);
            }
            do {
                deliveryWorker.sendAll();
            } while (goesOn(channel));
            mayHoldClaim = false;
        } catch (StoreException e) {
            reportFailure("the database does not answer", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            reportFailure("a worker failed", e.toString());
        } finally {
            end(channel, mayHoldClaim);
        }
    }

    private DueDeliveryQueue dueDeliveries(String channel) {
        return due.computeIfAbsent(channel, any -> new DueDeliveryQueue(channel, store, deliveryClaims, clock));
    }

    private synchronized void released(String channel) {
        releasing.remove(channel);
    }

    private synchronized boolean goesOn(String channel) {
        return isOpen(channel) && more.remove(channel);
    }

    /**
     * Counts a thread of {@code channel} less.
     *
     * @param mayHoldClaim whether it may have left a claim behind; then the channel's other threads end too
     */
    private void end(String channel, boolean mayHoldClaim) {
        boolean overlooked;
        synchronized (this) {
            if (mayHoldClaim) {
                ending.add(channel);
            }
            boolean last = busy.merge(channel, -1, Integer::sum) == 0;
            if (last) {
                busy.remove(channel);
                releasing.remove(channel);
            }
            overlooked = last && more.remove(channel); // added since the last worker found no more
            notifyAll();
        }
        if (overlooked) {
            signal();
        }
    }

    /** Warns once, until a poll works again. */
    private void reportFailure(String how, @Nullable String why) {
        LOG.log(failing ? Level.DEBUG : Level.WARNING, "Deliveries are delayed because {0}: {1}", how, why);
        failing = true;
    }

    private boolean run(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread available for deliveries; retrying at the next poll");
        } catch (RuntimeException | Error e) {
            reportFailure("no thread could be started", e.toString());
        }
        return false;
    }
}

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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is due in {@link DeliveryRepository}, each channel on up to so many threads of its own, which are lent for as long as
 * there is something to send: one that is slow or dead holds up no other. To one recipient goes one thing at a time.
 */
public final class Outbox {

    /** How many deliveries are sent through one channel at a time. */
    public static final int AT_ONCE = 4;

    private static final Logger LOG = System.getLogger(Outbox.class.getName());

    private final Store store;
    private final DeliveryClaims deliveryClaims;
    private final ChannelRegistry channelRegistry;
    private final int maxAttempts;
    private final int atOnce;
    private final Executor executor;
    private final InstantSource clock;

    /** How many threads send through each channel that something is being sent through. */
    private final Map<String, Integer> busy = new HashMap<>();

    /** Those of them for which more has come. */
    private final Set<String> more = new HashSet<>();

    private boolean looking;
    private boolean lookAgain;
    private boolean closed;
    private volatile boolean broken;

    /**
     * @param node this node's name in the table {@code node}
     * @param maxAttempts how many attempts in a row may fail
     * @param atOnce how many deliveries are sent through one channel at a time
     * @param undelivered told of replies that were given up
     * @param executor lends so many threads for each channel, and one to look for work
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

    /** Has what is due sent soon; to be called when a delivery was added, and from time to time. Never blocks. */
    public void wake() {
        synchronized (this) {
            lookAgain = true;
            if (looking || closed) {
                return;
            }
            looking = true;
        }
        if (!run(this::look)) {
            synchronized (this) {
                looking = false;
                notifyAll();
            }
        }
    }

    /** How many threads send, or look for what to send. */
    public synchronized int underWay() {
        return busy.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Begins to send nothing more, and waits for what is being sent up to {@code grace}; false when that was too short. */
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

    /** Waits for {@code pause}, or until the outbox is closed; true when it is not. */
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

    private void look() {
        do {
            try {
                for (String channel : store.read(sql -> deliveryClaims.channels(sql, clock.instant()))) {
                    begin(channel);
                }
                broken = false;
            } catch (StoreException e) {
                broke("the database does not answer", e.getMessage());
            } catch (RuntimeException | Error e) {
                broke("a look for them broke", e.toString());
            }
        } while (looksAgain());
    }

    private synchronized boolean looksAgain() {
        looking = lookAgain && !closed && !broken;
        lookAgain = false;
        notifyAll();
        return looking;
    }

    private void begin(String channel) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (busy.putIfAbsent(channel, 1) != null) {
                more.add(channel);
                return;
            }
        }
        if (!run(() -> sendAll(channel, true))) {
            end(channel);
        }
    }

    /** Has another thread look for more to send through {@code channel}, which this one does, unless there are enough. */
    void alsoBegin(String channel) {
        synchronized (this) {
            int threads = busy.getOrDefault(channel, 0);
            if (closed || threads >= atOnce) {
                return;
            }
            busy.put(channel, threads + 1);
        }
        if (!run(() -> sendAll(channel, false))) {
            end(channel);
        }
    }

    private void sendAll(String channel, boolean first) {
        DeliveryWorker deliveryWorker =
                new DeliveryWorker(channel, store, deliveryClaims, channelRegistry, maxAttempts, clock, this);
        try {
            if (first) {
                deliveryWorker.releaseStrays();
            }
            do {
                deliveryWorker.sendAll();
            } while (goesOn(channel));
        } catch (StoreException e) {
            broke("the database does not answer", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            broke("a pass broke", e.toString());
        } finally {
            end(channel);
        }
    }

    private synchronized boolean goesOn(String channel) {
        return more.remove(channel) && !closed;
    }

    private synchronized void end(String channel) {
        if (busy.merge(channel, -1, Integer::sum) == 0) {
            busy.remove(channel);
            more.remove(channel);
        }
        notifyAll();
    }

    /** Says why once, until a look works again. */
    private void broke(String how, @Nullable String why) {
        LOG.log(broken ? Level.DEBUG : Level.WARNING, "Deliveries wait, since {0}: {1}", how, why);
        broken = true;
    }

    private boolean run(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread for deliveries now; they wait for the next look");
        } catch (RuntimeException | Error e) {
            broke("no thread can be had", e.toString());
        }
        return false;
    }
}

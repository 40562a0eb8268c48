package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is due in {@link Deliveries}, in one pass at a time, on a thread that is lent to it for the pass. A
 * delivery that a channel puts off is tried again after the channel's wait, or after 5 s, doubled each time up to 10
 * min, and given up after {@value #MAX_ATTEMPTS} attempts.
 */
public final class Outbox {

    static final int MAX_ATTEMPTS = 8;

    private static final Logger LOG = System.getLogger(Outbox.class.getName());
    private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final int AT_ONCE = 20;

    private final Store store;
    private final Deliveries deliveries;
    private final Channels channels;
    private final Executor executor;
    private final InstantSource clock;
    private boolean passing;
    private boolean again;
    private boolean closed;
    private volatile boolean broken;

    public Outbox(Store store, Deliveries deliveries, Channels channels, Executor executor, InstantSource clock) {
        this.store = store;
        this.deliveries = deliveries;
        this.channels = channels;
        this.executor = executor;
        this.clock = clock;
    }

    /** Has what is due sent soon; to be called when a delivery was added, and from time to time. Never blocks. */
    public void wake() {
        synchronized (this) {
            again = true;
            if (passing || closed) {
                return;
            }
            passing = true;
        }
        try {
            executor.execute(this::pass);
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread for deliveries now; they wait for the next look");
            ended();
        } catch (RuntimeException | Error e) {
            broke("no thread can be had", e.toString());
        }
    }

    /** Begins no further pass, and waits for the one under way up to {@code grace}; false when that was too short. */
    public synchronized boolean close(Duration grace) throws InterruptedException {
        closed = true;
        long until = System.nanoTime() + grace.toNanos();
        while (passing) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private void pass() {
        try {
            while (goOn()) {
                sendDue();
                broken = false;
            }
        } catch (StoreException e) {
            broke("the database does not answer", e.getMessage());
        } catch (RuntimeException | Error e) {
            broke("a pass broke", e.toString());
        }
    }

    /** Ends the pass, and says why once, until a pass works again. */
    private void broke(String how, @Nullable String why) {
        LOG.log(broken ? Level.DEBUG : Level.WARNING, "Deliveries wait, since {0}: {1}", how, why);
        broken = true;
        ended();
    }

    private synchronized boolean goOn() {
        if (!again || closed) {
            ended();
            return false;
        }
        again = false;
        return true;
    }

    private synchronized void ended() {
        passing = false;
        notifyAll();
    }

    private void sendDue() throws StoreException {
        Instant now = clock.instant();
        List<Deliveries.Due> due = store.writeAndWait(sql -> deliveries.claim(sql, now, AT_ONCE));
        for (Deliveries.Due each : due) {
            record(each, send(each));
        }
        if (due.size() == AT_ONCE) {
            synchronized (this) {
                again = true;
            }
        }
    }

    private Channel.Outcome send(Deliveries.Due due) {
        try {
            return channels.find(due.channel())
                    .map(channel -> channel.send(due.message()))
                    .orElseGet(() -> new Channel.Outcome.Refused(channels.whyNot(due.channel())));
        } catch (RuntimeException | Error e) {
            // Its message may hold the reply.
            return new Channel.Outcome.Later(
                    null, "the channel broke: " + e.getClass().getSimpleName());
        }
    }

    private void record(Deliveries.Due due, Channel.Outcome outcome) throws StoreException {
        Instant now = clock.instant();
        store.writeAndWait(sql -> {
            if (outcome instanceof Channel.Outcome.Sent) {
                deliveries.end(sql, due, DeliveryState.DELIVERED, null, now);
            } else if (outcome instanceof Channel.Outcome.Refused refused) {
                deliveries.end(sql, due, DeliveryState.FAILED, refused.reason(), now);
            } else if (outcome instanceof Channel.Outcome.Unsure unsure) {
                deliveries.end(sql, due, DeliveryState.FAILED, unsure.reason(), now);
            } else if (outcome instanceof Channel.Outcome.Later later && due.attempts() < MAX_ATTEMPTS) {
                deliveries.postpone(sql, due, now.plus(pause(later, due.attempts())), later.reason());
            } else if (outcome instanceof Channel.Outcome.Later later) {
                String reason = later.reason() + " (given up after " + MAX_ATTEMPTS + " attempts)";
                deliveries.end(sql, due, DeliveryState.FAILED, reason, now);
            }
            return outcome;
        });
    }

    private static Duration pause(Channel.Outcome.Later later, int attempts) {
        if (later.pause() != null) {
            return later.pause();
        }
        Duration pause = FIRST_WAIT.multipliedBy(1L << Math.min(attempts - 1, 20));
        return pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause;
    }
}

package dev.postern.channel;

import dev.postern.channel.Channel.Outcome;
import dev.postern.net.Backoff;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.Unit;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thread's share of a channel's deliveries, one after the other. An attempt that failed is followed by another after the channel's own
 * wait, or after 5 s, doubled each time up to an hour. Where it is not known whether a part was sent there are
 * {@value #MAX_UNSURE} attempts at most, since each of them may repeat it.
 */
final class Lane {

    private static final Logger LOG = System.getLogger(Lane.class.getName());
    private static final int MAX_UNSURE = 3;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofHours(1));
    private static final Duration STORE_WAIT = Duration.ofSeconds(1);

    private final String id;
    private final Store store;
    private final Sending sending;
    private final Channels channels;
    private final int maxAttempts;
    private final InstantSource clock;
    private final Outbox outbox;

    Lane(
            String id,
            Store store,
            Sending sending,
            Channels channels,
            int maxAttempts,
            InstantSource clock,
            Outbox outbox) {
        this.id = id;
        this.store = store;
        this.sending = sending;
        this.channels = channels;
        this.maxAttempts = maxAttempts;
        this.clock = clock;
        this.outbox = outbox;
    }

    /** Frees what this node has claimed without knowing it; to be called while it sends nothing through the channel. */
    void releaseStrays() throws StoreException {
        store.writeAndWait(sql -> sending.releaseAll(sql, id));
    }

    /** Sends until nothing is due, or the outbox is closed. */
    void sendAll() throws StoreException, InterruptedException {
        while (outbox.isOpen()) {
            Optional<Due> next = store.writeAndWait(sql -> sending.claim(sql, id, clock.instant()));
            if (next.isEmpty()) {
                return;
            }
            outbox.alsoBegin(id);
            send(next.get());
        }
    }

    private void send(Due due) throws StoreException, InterruptedException {
        Optional<Channel> channel = channels.find(id);
        if (channel.isEmpty()) {
            fail(due, channels.whyNot(id));
            return;
        }
        List<Due.Part> parts;
        try {
            parts = parts(due, channel.get());
        } catch (RuntimeException | Error e) {
            failed(due, new Outcome.Later(null, broke(e)), due.failures() + 1);
            return;
        }
        int failures = due.failures();
        for (Due.Part part : parts) {
            if (part.sent()) {
                continue;
            }
            if (!outbox.isOpen()) {
                store.writeAndWait(sql -> sending.release(sql, due));
                return;
            }
            Outcome outcome = attempt(channel.get(), due.message(part, parts.size()));
            if (!(outcome instanceof Outcome.Sent sent)) {
                failed(due, outcome, failures + 1);
                return;
            }
            failures = 0;
            boolean last = part.number() == parts.size();
            if (!note(sql -> sending.sent(sql, due, part, last, sent.messageId(), clock.instant()))) {
                return;
            }
        }
    }

    private List<Due.Part> parts(Due due, Channel channel) throws StoreException {
        List<Due.Part> noted = store.read(sql -> sending.parts(sql, due));
        if (!noted.isEmpty()) {
            return noted;
        }
        List<String> texts = channel.parts(due.text());
        return store.writeAndWait(sql -> sending.add(sql, due, texts));
    }

    private static Outcome attempt(Channel channel, Channel.Message message) {
        try {
            return channel.send(message);
        } catch (RuntimeException | Error e) {
            return new Outcome.Unsure(broke(e));
        }
    }

    /** Nothing of its message, which may hold the reply. */
    private static String broke(Throwable fault) {
        return "the channel broke: " + fault.getClass().getSimpleName();
    }

    private void failed(Due due, Outcome outcome, int failures) throws InterruptedException {
        if (outcome instanceof Outcome.Refused refused) {
            fail(due, refused.reason());
        } else if (outcome instanceof Outcome.Unsure unsure) {
            failed(due, unsure.reason(), null, failures, Math.min(MAX_UNSURE, maxAttempts));
        } else if (outcome instanceof Outcome.Later later) {
            failed(due, later.reason(), later.pause(), failures, maxAttempts);
        }
    }

    private void failed(Due due, String reason, @Nullable Duration pause, int failures, int most)
            throws InterruptedException {
        if (failures >= most) {
            fail(due, reason + " (given up after " + failures + (failures == 1 ? " attempt)" : " attempts)"));
            return;
        }
        Instant next = clock.instant().plus(pause == null ? BACKOFF.after(failures) : pause);
        LOG.log(Level.DEBUG, "Delivery {0} through {1} is put off: {2}", due.id(), id, reason);
        note(sql -> sending.postpone(sql, due, next, reason));
    }

    private void fail(Due due, String reason) throws InterruptedException {
        LOG.log(Level.WARNING, "Delivery {0} through {1} has failed: {2}", due.id(), id, reason);
        note(sql -> sending.fail(sql, due, reason, clock.instant()));
    }

    /** Notes what has happened outside, as often as it takes: what is not noted is done again. */
    private boolean note(Unit<Boolean> unit) throws InterruptedException {
        while (true) {
            try {
                return store.writeAndWait(unit);
            } catch (StoreException e) {
                LOG.log(Level.DEBUG, "What became of a delivery cannot be noted yet: {0}", e.getMessage());
                if (!outbox.pause(STORE_WAIT)) {
                    return false;
                }
            }
        }
    }
}

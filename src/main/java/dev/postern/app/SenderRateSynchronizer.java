package dev.postern.app;

import dev.postern.access.SenderGuard;
import dev.postern.config.SenderSettings;
import dev.postern.requests.SenderRequestQueries;
import dev.postern.store.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A synchronizer of the rates of senders with the request log. At a start the rates go on where they were, as far as the log
 * shows. Later on they also count the requests that other cluster nodes have admitted, about two seconds after these.
 */
final class SenderRateSynchronizer {

    private static final System.Logger LOG = System.getLogger(SenderRateSynchronizer.class.getName());

    /** The time after which a request stands in the log. */
    private static final Duration LAG = Duration.ofSeconds(1);

    private final SenderGuard senderGuard;
    private final SenderRequestQueries queries;
    private final List<SenderSettings> senders;
    private final String node;
    private final InstantSource clock;
    private final AtomicBoolean taking = new AtomicBoolean();
    private volatile Instant seen;

    /**
     * @param senders all senders
     * @param node the name of this cluster node in the database
     * @param clock the time of requests in the log
     */
    SenderRateSynchronizer(
            SenderGuard senderGuard,
            SenderRequestQueries queries,
            Collection<SenderSettings> senders,
            String node,
            InstantSource clock) {
        this.senderGuard = senderGuard;
        this.queries = queries;
        this.senders = senders.stream().filter(sender -> sender.rate() != null).toList();
        this.node = node;
        this.clock = clock;
        this.seen = clock.instant();
    }

    /** Whether a sender has a rate. */
    boolean isNeeded() {
        return !senders.isEmpty();
    }

    /**
     * Takes what the log shows from the rates. Twice their window ago, they count as used up: a sender that has kept to its
     * limit since then gets nothing more, and any other one what it would have without the restart.
     */
    void begin() throws StoreException {
        Instant now = clock.instant();
        for (SenderSettings sender : senders) {
            if (sender.rate() != null) {
                Duration twice = sender.rate().window().multipliedBy(2);
                senderGuard.empty(sender.id(), twice);
                take(sender, now.minus(twice), now, null, sender.rate().requests() * 3);
            }
        }
        seen = now;
    }

    /**
     * Has one of {@code threads} take the requests that other nodes have admitted since the last call from the rates, unless
     * the last call still does. To be called every second or so; if no thread is free, the next call sees to it.
     */
    void takeFromOthersOn(Executor threads) {
        try {
            threads.execute(() -> {
                if (taking.compareAndSet(false, true)) {
                    try {
                        takeFromOthers();
                    } finally {
                        taking.set(false);
                    }
                }
            });
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread is free to read the requests of other nodes; the next call does");
        }
    }

    private void takeFromOthers() {
        Instant until = clock.instant().minus(LAG);
        if (!until.isAfter(seen)) {
            return;
        }
        try {
            for (SenderSettings sender : senders) {
                if (sender.rate() != null) {
                    take(sender, seen, until, node, sender.rate().requests());
                }
            }
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "The rates of senders could not be read from the database", e);
        }
        seen = until;
    }

    private void take(SenderSettings sender, Instant since, Instant until, @Nullable String except, int most)
            throws StoreException {
        List<Instant> taken = new ArrayList<>(queries.taken(sender.id(), since, until, except, most));
        Collections.reverse(taken);
        Instant now = clock.instant();
        senderGuard.take(
                sender.id(), taken.stream().map(at -> Duration.between(at, now)).toList());
    }
}

package dev.postern.channel;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a channel's deliveries that can be claimed: the first pending one of each recipient, if it is due. They are read
 * several at a time, and apart from the writes, so that acceptance does not wait for it. Shared by the workers of the
 * channel.
 */
final class DueDeliveryQueue {

    private static final int READ_AT_ONCE = 64;

    private final String channel;
    private final Store store;
    private final DeliveryClaims deliveryClaims;
    private final InstantSource clock;
    private final Queue<String> ids = new ConcurrentLinkedQueue<>();
    private volatile ChannelPause channelPause = new ChannelPause(Instant.MAX, Instant.MAX);

    /** A time in which nothing is sent. A clock that is set back ends it. */
    private record ChannelPause(Instant since, Instant until) {

        boolean holds(Instant at) {
            return !at.isBefore(since) && at.isBefore(until);
        }
    }

    DueDeliveryQueue(String channel, Store store, DeliveryClaims deliveryClaims, InstantSource clock) {
        this.channel = channel;
        this.store = store;
        this.deliveryClaims = deliveryClaims;
        this.clock = clock;
    }

    /**
     * Lets nobody claim a delivery for {@code pause}, because the service takes no message of the channel. Of two pauses the
     * one that ends later counts.
     */
    synchronized void pause(Duration pause) {
        Instant now = clock.instant();
        Instant until = now.plus(pause);
        if (!channelPause.holds(now) || channelPause.until().isBefore(until)) {
            channelPause = new ChannelPause(now, until);
        }
    }

    /**
     * Claims the next delivery, which the caller must give back with {@link DeliveryClaims#cancelReservation}; empty if none
     * is due, others have claimed all that were, or the channel pauses.
     */
    Optional<ClaimedDelivery> claim() throws StoreException {
        if (channelPause.holds(clock.instant())) {
            return Optional.empty();
        }
        Optional<ClaimedDelivery> known = claimKnown();
        if (known.isPresent()) {
            return known;
        }
        ids.addAll(store.read(sql -> deliveryClaims.due(sql, channel, clock.instant(), READ_AT_ONCE)));
        return claimKnown();
    }

    private Optional<ClaimedDelivery> claimKnown() throws StoreException {
        for (@Nullable String id = ids.poll(); id != null; id = ids.poll()) {
            if (deliveryClaims.reserve(id)) {
                Optional<ClaimedDelivery> claimed = claimReserved(id);
                if (claimed.isPresent()) {
                    return claimed;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<ClaimedDelivery> claimReserved(String id) throws StoreException {
        boolean isClaimed = false;
        try {
            Optional<ClaimedDelivery> claimed =
                    store.writeAndWait(sql -> deliveryClaims.claim(sql, id, clock.instant()));
            isClaimed = claimed.isPresent();
            return claimed;
        } finally {
            if (!isClaimed) {
                deliveryClaims.cancelReservation(id);
            }
        }
    }
}

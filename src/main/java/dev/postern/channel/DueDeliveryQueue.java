package dev.postern.channel;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
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

    DueDeliveryQueue(String channel, Store store, DeliveryClaims deliveryClaims, InstantSource clock) {
        this.channel = channel;
        this.store = store;
        this.deliveryClaims = deliveryClaims;
        this.clock = clock;
    }

    /** Claims the next delivery; empty if none is due, or others have claimed all that were. */
    Optional<ClaimedDelivery> claim() throws StoreException {
        Optional<ClaimedDelivery> known = claimKnown();
        if (known.isPresent()) {
            return known;
        }
        ids.addAll(store.read(sql -> deliveryClaims.due(sql, channel, clock.instant(), READ_AT_ONCE)));
        return claimKnown();
    }

    private Optional<ClaimedDelivery> claimKnown() throws StoreException {
        for (@Nullable String id = ids.poll(); id != null; id = ids.poll()) {
            String next = id;
            Optional<ClaimedDelivery> claimed =
                    store.writeAndWait(sql -> deliveryClaims.claim(sql, next, clock.instant()));
            if (claimed.isPresent()) {
                return claimed;
            }
        }
        return Optional.empty();
    }
}

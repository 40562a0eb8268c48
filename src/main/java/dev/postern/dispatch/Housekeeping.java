package dev.postern.dispatch;

import dev.postern.acceptance.RetentionCleanup;
import dev.postern.agent.TranscriptRepository;
import dev.postern.channel.DeliveryRepository;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A task that deletes expired data in small batches, so that nothing waits long behind it. */
final class Housekeeping {

    private static final Logger LOG = System.getLogger(Housekeeping.class.getName());
    private static final int PIECE = 500;

    private final Store store;
    private final TranscriptRepository transcript;
    private final DeliveryRepository deliveryRepository;
    private final Duration keep;
    private final Duration keepKeys;
    private final InstantSource time;

    /**
     * @param keep how long data is kept after the end of a run or the taking of an event
     * @param keepKeys how long an idempotency key stands for its first result
     */
    Housekeeping(
            Store store,
            TranscriptRepository transcript,
            DeliveryRepository deliveryRepository,
            Duration keep,
            Duration keepKeys,
            InstantSource time) {
        this.store = store;
        this.transcript = transcript;
        this.deliveryRepository = deliveryRepository;
        this.keep = keep;
        this.keepKeys = keepKeys;
        this.time = time;
    }

    /** Deletes all expired data; blocks. */
    void tidy() {
        Instant now = time.instant();
        Instant before = now.minus(keep);
        try {
            while (store.writeAndWait(sql -> RetentionCleanup.prune(sql, before, now.minus(keepKeys), PIECE))
                    || store.writeAndWait(sql -> transcript.prune(sql, before, PIECE)) == PIECE
                    || store.writeAndWait(sql -> deliveryRepository.prune(sql, before, PIECE)) == PIECE) {
                LOG.log(Level.DEBUG, "Deleted a batch of expired rows; continuing");
            }
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "Could not delete expired data; retrying in an hour: {0}", e.getMessage());
        }
    }
}

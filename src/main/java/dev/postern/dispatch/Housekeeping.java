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

/** Deletes what is too old, in small pieces, so that nothing waits long behind it. */
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
     * @param keep counted from the end of the work
     * @param keepKeys how long an idempotency key stands for its first answer
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

    /** Deletes until nothing too old is left; blocks. */
    void tidy() {
        Instant now = time.instant();
        Instant before = now.minus(keep);
        try {
            while (store.writeAndWait(sql -> RetentionCleanup.prune(sql, before, now.minus(keepKeys), PIECE))
                    || store.writeAndWait(sql -> transcript.prune(sql, before, PIECE)) == PIECE
                    || store.writeAndWait(sql -> deliveryRepository.prune(sql, before, PIECE)) == PIECE) {
                LOG.log(Level.DEBUG, "More is to be deleted");
            }
        } catch (StoreException e) {
            LOG.log(
                    Level.WARNING,
                    "What is too old could not be deleted; the next try is in an hour: {0}",
                    e.getMessage());
        }
    }
}

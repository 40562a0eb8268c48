package dev.postern.requests;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A task that deletes expired requests in small batches, so that nothing waits long behind it. It blocks. */
public final class RequestCleanup implements Runnable {

    private static final Logger LOG = System.getLogger(RequestCleanup.class.getName());
    private static final int PIECE = 500;

    private final Store store;
    private final Duration keep;
    private final InstantSource clock;

    /** @param keep how long a request is kept, from its arrival */
    public RequestCleanup(Store store, Duration keep, InstantSource clock) {
        this.store = store;
        this.keep = keep;
        this.clock = clock;
    }

    @Override
    public void run() {
        Instant before = clock.instant().minus(keep);
        try {
            while (store.writeAndWait(sql -> RequestTable.prune(sql, before, PIECE)) == PIECE) {
                LOG.log(Level.DEBUG, "Deleted a batch of expired requests; continuing");
            }
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "Could not delete expired requests; retrying in an hour: {0}", e.getMessage());
        }
    }
}

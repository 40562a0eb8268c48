package dev.postern.dispatch;

import dev.postern.acceptance.RequestItemCleanup;
import dev.postern.acceptance.RetentionCleanup;
import dev.postern.agent.TranscriptRepository;
import dev.postern.approval.ApprovalRepository;
import dev.postern.channel.DeliveryRepository;
import dev.postern.store.ExpiredRows;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task that deletes expired data in small batches, so that nothing waits long behind it. */
final class ExpiredDataCleanup {

    private static final Logger LOG = System.getLogger(ExpiredDataCleanup.class.getName());
    private static final int PIECE = 500;

    private final Store store;
    private final List<ExpiredRows> expired;
    private final InstantSource time;

    /**
     * @param keep how long data is kept after the end of a run or the taking of an event
     * @param keepKeys how long an idempotency key stands for its first result
     * @param others the expired rows of other packages
     */
    ExpiredDataCleanup(
            Store store,
            TranscriptRepository transcript,
            DeliveryRepository deliveryRepository,
            ApprovalRepository approvals,
            Duration keep,
            Duration keepKeys,
            ExpiredRows others,
            InstantSource time) {
        this.store = store;
        RequestItemCleanup items = new RequestItemCleanup();
        this.expired = List.of(
                (sql, now, most) -> RetentionCleanup.prune(sql, now.minus(keep), now.minus(keepKeys), most),
                (sql, now, most) -> transcript.prune(sql, now.minus(keep), most) == most,
                (sql, now, most) -> deliveryRepository.prune(sql, now.minus(keep), most) == most,
                (sql, now, most) -> items.deleteBatch(sql, now.minus(keep), most),
                (sql, now, most) -> approvals.prune(sql, now.minus(keep), most) == most,
                others);
        this.time = time;
    }

    /** Deletes all expired data; blocks. Rows that cannot be deleted do not keep the others. */
    void tidy() {
        @Nullable StoreException failure = null;
        for (ExpiredRows rows : expired) {
            try {
                while (store.writeAndWait(sql -> rows.deleteBatch(sql, time.instant(), PIECE))) {
                    LOG.log(Level.DEBUG, "Deleted a batch of expired rows; continuing");
                }
            } catch (StoreException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            LOG.log(Level.WARNING, "Could not delete all expired data; retrying in an hour: {0}", failure.getMessage());
        }
    }
}

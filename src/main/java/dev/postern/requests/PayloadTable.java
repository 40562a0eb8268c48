package dev.postern.requests;

import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.SealedPayload;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code request_payload}. When it holds more bytes than allowed, the oldest payloads go. Several cluster nodes may
 * together pass the bound for a few seconds, because each counts the others' payloads only from time to time.
 */
final class PayloadTable {

    private static final String INSERT =
            "INSERT INTO request_payload (request_id, key_id, bytes, sealed) VALUES (?, ?, ?, ?)";

    private static final String EXPIRED = "DELETE FROM request_payload WHERE request_id IN"
            + " (SELECT request_id FROM request_payload WHERE request_id < ? ORDER BY request_id LIMIT ?)";

    private static final String OLDEST = "SELECT request_id, bytes FROM request_payload ORDER BY request_id LIMIT ?";

    private static final String DELETE_UP_TO = "DELETE FROM request_payload WHERE request_id <= ?";

    private static final String TOTAL = "SELECT CAST(COALESCE(SUM(bytes), 0) AS bigint) AS total FROM request_payload";

    private static final String FIND = "SELECT key_id, sealed FROM request_payload WHERE request_id = ?";

    private static final String LATEST_KEYS = "SELECT DISTINCT key_id FROM"
            + " (SELECT key_id FROM request_payload ORDER BY request_id DESC LIMIT ?) AS latest";

    /** The number of payloads whose keys are looked at. */
    private static final int LATEST = 100;

    /** The most payloads that one commit deletes for their size. */
    private static final int PIECE = 1_000;

    /**
     * The bytes after which a commit deletes no further payload, unless it added more than half of them. A bound that
     * was lowered by much is reached after some commits, and none of them takes long.
     */
    private static final long PIECE_BYTES = 8L << 20;

    private static final long COUNT_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

    private final long maxBytes;
    private final LongSupplier nanos;
    private @Nullable Long countedAt;
    private long total;

    /**
     * @param maxBytes the most bytes of encrypted payloads
     * @param nanos as {@link System#nanoTime}
     */
    PayloadTable(long maxBytes, LongSupplier nanos) {
        this.maxBytes = maxBytes;
        this.nanos = nanos;
    }

    /** Adds the payloads of {@code requests} that are kept, and deletes the oldest ones if there are too many bytes. */
    void insert(SqlTransaction sql, List<LoggedRequest> requests) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        long added = 0;
        for (LoggedRequest request : requests) {
            SealedPayload payload = request.payload();
            if (payload != null) {
                added += payload.bytes().length;
                rows.add(new @Nullable Object[] {
                    request.entry().requestId(), payload.keyId(), (long) payload.bytes().length, payload.bytes()
                });
            }
        }
        if (!rows.isEmpty()) {
            sql.batch(INSERT, rows);
            if (total(sql, added) > maxBytes) {
                deleteOldest(sql, Math.max(2 * added, PIECE_BYTES), 2 * rows.size());
            }
        }
    }

    /** The number of bytes in the table, which this transaction has made {@code added} more. */
    private synchronized long total(SqlTransaction sql, long added) throws SQLException {
        long now = nanos.getAsLong();
        if (countedAt == null || now - countedAt > COUNT_AGAIN_NANOS) {
            total = sql.first(TOTAL, row -> row.number("total")).orElse(0L);
            countedAt = now;
        } else {
            total += added;
        }
        sql.afterRollback(this::countAgain);
        return total;
    }

    private synchronized void countAgain() {
        countedAt = null;
    }

    /**
     * Deletes the oldest payloads until there are not too many bytes, or {@code most} are deleted.
     *
     * @param likely how many payloads these are if all are alike; more are read only if these are too small
     */
    private synchronized void deleteOldest(SqlTransaction sql, long most, int likely) throws SQLException {
        long excess = Math.min(total - maxBytes, most);
        Oldest oldest = Oldest.of(sql, excess, Math.min(likely, PIECE));
        for (int rows = likely; oldest.bytes() < excess && rows < PIECE; ) {
            rows *= 8;
            oldest = Oldest.of(sql, excess, Math.min(rows, PIECE));
        }
        sql.update(DELETE_UP_TO, oldest.last());
        total -= oldest.bytes();
    }

    /** The oldest payloads up to that of the request {@code last}, which have {@code bytes} together. */
    private record Oldest(String last, long bytes) {

        /** The fewest of the {@code most} oldest payloads that have {@code excess} bytes; all of these if they have less. */
        static Oldest of(SqlTransaction sql, long excess, int most) throws SQLException {
            Oldest oldest = new Oldest("", 0);
            for (Oldest next :
                    sql.query(OLDEST, row -> new Oldest(row.text("request_id"), row.number("bytes")), most)) {
                if (oldest.bytes() >= excess) {
                    break;
                }
                oldest = new Oldest(next.last(), oldest.bytes() + next.bytes());
            }
            return oldest;
        }
    }

    /** The payload of the request {@code requestId}; empty if it is not kept, or no longer. */
    static Optional<SealedPayload> find(SqlTransaction sql, String requestId) throws SQLException {
        return sql.first(FIND, row -> new SealedPayload(row.text("key_id"), row.bytes("sealed")), requestId);
    }

    /** The ids of the keys of the latest payloads. */
    static List<String> latestKeys(SqlTransaction sql) throws SQLException {
        return sql.query(LATEST_KEYS, row -> row.text("key_id"), LATEST);
    }

    /** Deletes payloads of requests that arrived before {@code end}, at most {@code most}. True if there may be more. */
    static boolean deleteBefore(SqlTransaction sql, Instant end, int most) throws SQLException {
        return sql.update(EXPIRED, IdGenerator.lowest(RequestTable.PREFIX, end), most) == most;
    }
}

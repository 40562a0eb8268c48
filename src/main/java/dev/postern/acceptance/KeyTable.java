package dev.postern.acceptance;

import dev.postern.store.Row;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code idempotency}: what was answered under which key. */
final class KeyTable {

    /** Not {@code VALUES}, since {@link Sql#batch} has to tell which rows were new. */
    private static final String INSERT =
            """
            INSERT INTO idempotency (key, content_sha256, receipts, created_at) SELECT ?, ?, ?, ? WHERE true
            ON CONFLICT (key) DO NOTHING""";

    private static final String FIND = "SELECT content_sha256, receipts, created_at FROM idempotency WHERE key = ?";

    private static final String REPLACE =
            """
            UPDATE idempotency SET content_sha256 = ?, receipts = ?, created_at = ?
            WHERE key = ? AND created_at = ?""";

    /** Other nodes can change a row between two looks at it; more often than this would be a fault. */
    private static final int MOST_LOOKS = 5;

    private final long ttlMillis;

    KeyTable(Duration ttl) {
        this.ttlMillis = ttl.toMillis();
    }

    /**
     * Writes each offer's key with its receipts, unless the key is there already.
     *
     * @param offers one or more, each with a key, in the order of their keys
     * @return for each offer whether its key was written
     */
    boolean[] insert(Sql sql, List<Offer> offers) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(offers.size());
        for (Offer offer : offers) {
            rows.add(row(offer));
        }
        int[] changed = sql.batch(INSERT, rows);
        boolean[] written = new boolean[changed.length];
        for (int i = 0; i < changed.length; i++) {
            written[i] = changed[i] == 1;
        }
        return written;
    }

    /**
     * Looks at what stands under the offer's key, and writes the offer there when that is old or nothing.
     *
     * @param overloaded the answer for an offer that is new while there is no room for it; null when there is
     * @return why the offer is not to be accepted now, or null when it is
     */
    @Nullable
    Acceptance claim(Sql sql, Offer offer, @Nullable Acceptance overloaded) throws SQLException {
        IdempotencyKey key = offer.requireKey();
        for (int look = 0; look < MOST_LOOKS; look++) {
            Optional<Kept> kept = sql.first(FIND, Kept::of, key.value());
            if (kept.isPresent() && offer.acceptedAt() - kept.get().createdAt() < ttlMillis) {
                return kept.get().answerTo(key);
            }
            if (overloaded != null) {
                return overloaded;
            }
            int written = kept.isPresent()
                    ? sql.update(
                            REPLACE,
                            key.contentSha256(),
                            Receipts.encode(offer.receipts()),
                            offer.acceptedAt(),
                            key.value(),
                            kept.get().createdAt())
                    : sql.update(INSERT, row(offer));
            if (written == 1) {
                return null;
            }
        }
        throw new SQLException("an idempotency key was changed by others " + MOST_LOOKS + " times in a row");
    }

    private static @Nullable Object[] row(Offer offer) {
        IdempotencyKey key = offer.requireKey();
        return new @Nullable Object[] {
            key.value(), key.contentSha256(), Receipts.encode(offer.receipts()), offer.acceptedAt()
        };
    }

    private record Kept(String contentSha256, String receipts, long createdAt) {

        static Kept of(Row row) throws SQLException {
            return new Kept(row.text("content_sha256"), row.text("receipts"), row.number("created_at"));
        }

        Acceptance answerTo(IdempotencyKey key) {
            return contentSha256.equals(key.contentSha256())
                    ? new Acceptance.Accepted(Receipts.decode(receipts), true)
                    : new Acceptance.Conflict();
        }
    }
}

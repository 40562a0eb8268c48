package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code idempotency}: the result for each key, and for each signed request. Where a signature alone
 * authenticates a request, anyone can resend its bytes under any name, so the bytes are looked up before the key.
 */
final class IdempotencyKeyTable {

    /** Not {@code VALUES}, because {@link SqlTransaction#batch} has to return which rows were new. */
    private static final String INSERT =
            """
            INSERT INTO idempotency (key, content_sha256, receipts, created_at, signed_sha256, coalesced)
            SELECT ?, ?, ?, ?, ?, CAST(? AS integer) WHERE true ON CONFLICT DO NOTHING""";

    private static final String JOIN = "UPDATE idempotency SET receipts = ?, coalesced = ? WHERE key = ?";

    private static final String FIND =
            "SELECT key, content_sha256, receipts, created_at, coalesced FROM idempotency WHERE key = ?";

    private static final String FIND_SIGNED =
            "SELECT key, content_sha256, receipts, created_at, coalesced FROM idempotency WHERE signed_sha256 = ?";

    private static final String DELETE = "DELETE FROM idempotency WHERE key = ? AND created_at = ?";

    /**
     * The number of attempts to claim a key. Other nodes can change a row between two reads; more often than this would
     * be an error.
     */
    private static final int MOST_LOOKS = 5;

    private final long ttlMillis;

    IdempotencyKeyTable(Duration ttl) {
        this.ttlMillis = ttl.toMillis();
    }

    /**
     * Writes each submission's key with its receipts, unless the key or its signed bytes are in the table already.
     *
     * @param offers one or more submissions, each with a key, in the order of their keys
     * @return for each submission whether its key was written
     */
    boolean[] insert(SqlTransaction sql, List<PreparedSubmission> offers) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(offers.size());
        for (PreparedSubmission preparedSubmission : offers) {
            rows.add(row(
                    preparedSubmission.requireKey(),
                    Receipts.encode(preparedSubmission.receipts()),
                    preparedSubmission.acceptedAt(),
                    null));
        }
        int[] changed = sql.batch(INSERT, rows);
        boolean[] written = new boolean[changed.length];
        for (int i = 0; i < changed.length; i++) {
            written[i] = changed[i] == 1;
        }
        return written;
    }

    /**
     * Looks up the submission's signed bytes, then its key. Writes the submission there when the row is expired or
     * missing.
     *
     * @param overloaded the result for a new submission when too many actions are pending; null when there is capacity
     * @return the result of a submission that is not accepted now, or null when it is accepted
     */
    @Nullable
    HookResult claim(SqlTransaction sql, PreparedSubmission preparedSubmission, @Nullable HookResult overloaded)
            throws SQLException {
        IdempotencyKey key = preparedSubmission.requireKey();
        for (int look = 0; look < MOST_LOOKS; look++) {
            Optional<Kept> signed = key.signedSha256() == null
                    ? Optional.empty()
                    : sql.first(FIND_SIGNED, Kept::of, key.signedSha256());
            if (signed.isPresent() && isInForce(signed.get(), preparedSubmission)) {
                return signed.get().again();
            }
            Optional<Kept> named = sql.first(FIND, Kept::of, key.value());
            if (named.isPresent() && isInForce(named.get(), preparedSubmission)) {
                return answer(sql, preparedSubmission, named.get(), signed);
            }
            if (overloaded != null) {
                return overloaded;
            }
            delete(sql, signed);
            delete(sql, named);
            if (sql.update(
                            INSERT,
                            row(
                                    key,
                                    Receipts.encode(preparedSubmission.receipts()),
                                    preparedSubmission.acceptedAt(),
                                    null))
                    == 1) {
                return null;
            }
        }
        throw new SQLException("an idempotency key was changed by others " + MOST_LOOKS + " times in a row");
    }

    /**
     * The result of a submission whose key was used before. When it is a repetition with a new signature, the newly
     * signed bytes count as a repetition under any key from now on.
     *
     * @param outlived the expired row of its signed bytes
     */
    private static HookResult answer(
            SqlTransaction sql, PreparedSubmission preparedSubmission, Kept named, Optional<Kept> outlived)
            throws SQLException {
        IdempotencyKey key = preparedSubmission.requireKey();
        if (key.bindsContent() && !named.contentSha256().equals(key.contentSha256())) {
            return new HookResult.IdempotencyConflict();
        }
        @Nullable String signed = key.signedSha256();
        if (signed != null) {
            delete(sql, outlived);
            IdempotencyKey bytes = IdempotencyKey.ofSigned(signed, key.contentSha256());
            sql.update(INSERT, row(bytes, named.receipts(), preparedSubmission.acceptedAt(), named.coalesced()));
        }
        return named.again();
    }

    private boolean isInForce(Kept kept, PreparedSubmission preparedSubmission) {
        return preparedSubmission.acceptedAt() - kept.createdAt() < ttlMillis;
    }

    private static void delete(SqlTransaction sql, Optional<Kept> outlived) throws SQLException {
        if (outlived.isPresent()) {
            sql.update(DELETE, outlived.get().key(), outlived.get().createdAt());
        }
    }

    private static @Nullable Object[] row(IdempotencyKey key, String receipts, long at, @Nullable Long coalesced) {
        return new @Nullable Object[] {key.value(), key.contentSha256(), receipts, at, key.signedSha256(), coalesced};
    }

    /**
     * A key that this transaction has written, for a request that joined a group.
     *
     * @param result the request's result
     */
    record Joined(IdempotencyKey key, HookResult.Accepted result) {}

    /** Puts the results of requests that joined a group beside their keys. */
    void update(SqlTransaction sql, List<Joined> keys) throws SQLException {
        if (!keys.isEmpty()) {
            sql.batch(
                    JOIN,
                    keys.stream()
                            .map(each -> new @Nullable Object[] {
                                Receipts.encode(each.result().receipts()),
                                each.result().coalesced(),
                                each.key().value()
                            })
                            .toList());
        }
    }

    private record Kept(String key, String contentSha256, String receipts, long createdAt, @Nullable Long coalesced) {

        static Kept of(ResultRow row) throws SQLException {
            return new Kept(
                    row.text("key"),
                    row.text("content_sha256"),
                    row.text("receipts"),
                    row.number("created_at"),
                    row.numberOrNull("coalesced"));
        }

        HookResult again() {
            List<Receipt> all = Receipts.decode(receipts);
            return coalesced == null
                    ? new HookResult.Accepted(all, true)
                    : HookResult.Accepted.joined(all.get(0), coalesced.intValue())
                            .again();
        }
    }

    /**
     * An encoder of receipts as one text with a line each: {@code event <id> <mode>}, {@code run <id> <session key>} or
     * {@code delivery <id>}.
     * Keys hold no line breaks.
     */
    private static final class Receipts {

        private Receipts() {}

        static String encode(List<Receipt> receipts) {
            return receipts.stream().map(Receipts::line).collect(Collectors.joining("\n"));
        }

        static List<Receipt> decode(String text) {
            return text.lines().map(Receipts::receipt).toList();
        }

        private static String line(Receipt receipt) {
            if (receipt instanceof Receipt.Event event) {
                return "event " + event.id() + " " + event.mode().wire();
            }
            if (receipt instanceof Receipt.Delivery delivery) {
                return "delivery " + delivery.name();
            }
            Receipt.Run run = (Receipt.Run) receipt;
            return "run " + run.id() + " " + run.sessionKey();
        }

        private static Receipt receipt(String line) {
            String[] words = line.split(" ", 3);
            if (words[0].equals("event")) {
                return new Receipt.Event(
                        new EventId(words[1]), WakeMode.of(words[2]).orElseThrow());
            }
            return words[0].equals("delivery")
                    ? new Receipt.Delivery(words[1])
                    : new Receipt.Run(new RunId(words[1]), new SessionKey(words[2]));
        }
    }
}

package dev.postern.requests;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the requests that the own tokens of senders admitted, on all cluster nodes. */
public final class SenderRequestQueries {

    /** The index request_sender finds them. A request of a hook that its sender may not call takes nothing from the rate. */
    private static final String TAKEN =
            """
            SELECT at FROM request WHERE sender = ? AND at >= ? AND at < ? AND replay_of IS NULL
            AND code <> 'rate_limited' AND (code <> 'not_allowed' OR body_bytes >= 0)
            AND (CAST(? AS text) IS NULL OR node <> ?) ORDER BY at DESC LIMIT ?""";

    /** The number of requests of a sender that are counted at most. */
    public static final int WINDOW = 20_000;

    private static final String TALLY =
            """
            SELECT COUNT(*) AS requests, COUNT(CASE WHEN code = 'not_allowed' THEN 1 END) AS not_allowed,
            COUNT(CASE WHEN code = 'rate_limited' THEN 1 END) AS rate_limited
            FROM (SELECT code FROM request WHERE sender = ? AND at >= ? AND replay_of IS NULL
            ORDER BY at DESC LIMIT ?) AS latest""";

    private static final String LAST =
            "SELECT at FROM request WHERE sender = ? AND replay_of IS NULL ORDER BY at DESC LIMIT 1";

    private final Store store;

    /** Queries for the requests in {@code store}. */
    public SenderRequestQueries(Store store) {
        this.store = store;
    }

    /**
     * The times of the requests that count against the rate of {@code sender}, the latest first.
     *
     * @param since the earliest time
     * @param until the end, exclusive
     * @param except the node whose requests are left out; null for none
     * @param most the most times
     */
    public List<Instant> taken(String sender, Instant since, Instant until, @Nullable String except, int most)
            throws StoreException {
        return store.read(sql -> sql.query(
                TAKEN,
                row -> row.instant("at"),
                sender,
                since.toEpochMilli(),
                until.toEpochMilli(),
                except,
                except,
                most));
    }

    /**
     * The counts of a sender's requests.
     *
     * @param requests all that the log holds
     * @param notAllowed those for something outside the sender's scope
     * @param rateLimited those past its rate
     * @param last the time of its latest request; null without one
     */
    public record SenderTally(long requests, long notAllowed, long rateLimited, @Nullable Instant last) {}

    /** The counts of the requests of {@code sender} since {@code since}; at most the latest {@link #WINDOW}. */
    public SenderTally tally(String sender, Instant since) throws StoreException {
        return store.read(sql -> {
            @Nullable
            Instant last = sql.first(LAST, row -> row.instant("at"), sender).orElse(null);
            return sql.first(
                            TALLY,
                            row -> new SenderTally(
                                    row.number("requests"),
                                    row.number("not_allowed"),
                                    row.number("rate_limited"),
                                    last),
                            sender,
                            since.toEpochMilli(),
                            WINDOW)
                    .orElseThrow();
        });
    }
}

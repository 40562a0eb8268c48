package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The deliveries that there are, for the operator. Only reads; of texts, those alone that were sent to the inbox. */
public final class DeliveryQueries {

    private static final String LATEST =
            """
            SELECT id, seq, run_id, agent_id, channel, recipient, state, attempts, reason, created_at, next_at, finished_at
            FROM delivery WHERE seq < ? AND channel <> 'inbox' AND (CAST(? AS text) IS NULL OR state = ?)
            AND (CAST(? AS text) IS NULL OR channel = ?) ORDER BY seq DESC LIMIT ?""";

    private static final String INBOX =
            """
            SELECT id, seq, run_id, agent_id, text, created_at FROM delivery WHERE seq < ? AND channel = 'inbox'
            AND state = 'delivered' ORDER BY seq DESC LIMIT ?""";

    /** The index delivery_finished finds them; of how many, decides how long it takes. */
    private static final String ENDED =
            """
            SELECT channel, state, COUNT(*) AS n, MAX(finished_at) AS last
            FROM (SELECT channel, state, finished_at FROM delivery WHERE finished_at > ?
                ORDER BY finished_at DESC LIMIT ?) AS latest
            GROUP BY channel, state""";

    private static final String OF_RUN =
            """
            SELECT id, seq, run_id, agent_id, channel, recipient, state, attempts, reason, created_at, next_at, finished_at
            FROM delivery WHERE run_id = ? ORDER BY seq LIMIT ?""";

    private final Store store;

    /** The deliveries in {@code store}. */
    public DeliveryQueries(Store store) {
        this.store = store;
    }

    /**
     * Which deliveries to show.
     *
     * @param before deliveries with a smaller number than this; null for all
     */
    public record Filter(@Nullable DeliveryState state, @Nullable String channel, @Nullable Long before) {}

    /**
     * One delivery.
     *
     * @param number in the order in which they were added
     * @param runId null for what a heartbeat had to say
     * @param reason why it, or its last attempt, failed; null otherwise
     * @param nextAt when it is tried next; null where it has ended
     */
    public record Line(
            String id,
            long number,
            @Nullable RunId runId,
            String agentId,
            String channel,
            @Nullable String to,
            DeliveryState state,
            int attempts,
            @Nullable String reason,
            Instant createdAt,
            @Nullable Instant nextAt,
            @Nullable Instant finishedAt) {}

    /** One text in the inbox. */
    public record Kept(String id, long number, @Nullable RunId runId, String agentId, String text, Instant at) {}

    /**
     * So many deliveries to the same channel have ended in the same state.
     *
     * @param last when the last of them did
     */
    public record Tally(String channel, DeliveryState state, long count, Instant last) {}

    /** What became of the deliveries that have ended since {@code moment}, the latest {@code most} of them. */
    public List<Tally> endedSince(Instant moment, int most) throws StoreException {
        return store.read(sql -> sql.query(
                ENDED,
                row -> new Tally(
                        row.text("channel"), DeliveryState.of(row.text("state")), row.number("n"), row.instant("last")),
                moment.toEpochMilli(),
                most));
    }

    /** The deliveries of the run called {@code id}, the inbox's too, in the order in which they were added. */
    public List<Line> ofRun(RunId id, int most) throws StoreException {
        return store.read(sql -> sql.query(OF_RUN, DeliveryQueries::line, id.value(), most));
    }

    /** The latest deliveries to channels that {@code filter} lets through, the latest first. */
    public List<Line> latest(Filter filter, int most) throws StoreException {
        @Nullable String state = filter.state() == null ? null : filter.state().wire();
        @Nullable String channel = filter.channel();
        return store.read(sql -> sql.query(
                LATEST, DeliveryQueries::line, before(filter.before()), state, state, channel, channel, most));
    }

    /**
     * What was sent to the inbox, the latest first.
     *
     * @param before texts with a smaller number than this; null for all
     */
    public List<Kept> inbox(@Nullable Long before, int most) throws StoreException {
        return store.read(sql -> sql.query(INBOX, DeliveryQueries::kept, before(before), most));
    }

    private static long before(@Nullable Long number) {
        return number == null ? Long.MAX_VALUE : number;
    }

    private static @Nullable RunId run(ResultRow row) throws SQLException {
        @Nullable String id = row.textOrNull("run_id");
        return id == null ? null : new RunId(id);
    }

    private static Line line(ResultRow row) throws SQLException {
        return new Line(
                row.text("id"),
                row.number("seq"),
                run(row),
                row.text("agent_id"),
                row.text("channel"),
                row.textOrNull("recipient"),
                DeliveryState.of(row.text("state")),
                row.count("attempts"),
                row.textOrNull("reason"),
                row.instant("created_at"),
                row.instantOrNull("next_at"),
                row.instantOrNull("finished_at"));
    }

    private static Kept kept(ResultRow row) throws SQLException {
        return new Kept(
                row.text("id"),
                row.number("seq"),
                run(row),
                row.text("agent_id"),
                row.text("text"),
                row.instant("created_at"));
    }
}

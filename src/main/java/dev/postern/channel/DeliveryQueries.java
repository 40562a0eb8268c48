package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queries for deliveries that the operator sees. They read no texts except those that were sent to the inbox. */
public final class DeliveryQueries {

    /** The number of deliveries among which one query looks for those of its filter. It bounds the time of a query. */
    static final int WINDOW = 10_000;

    /** The condition of the index delivery_undelivered. */
    private static final String UNDELIVERED = " AND state <> 'delivered'";

    private static final String LAST_OF_WINDOW =
            "SELECT seq FROM delivery WHERE seq < ?%s ORDER BY seq DESC LIMIT 1 OFFSET " + (WINDOW - 1);

    private static final String LINE =
            """
            SELECT id, seq, run_id, about_run, agent_id, hook, event, request_id, channel, recipient, state, attempts, reason,
                created_at, next_at, finished_at
            FROM delivery\s""";

    private static final String LATEST = LINE
            + """
            WHERE seq < ? AND seq >= ?%s AND channel <> 'inbox' AND (CAST(? AS text) IS NULL OR state = ?)
            AND (CAST(? AS text) IS NULL OR channel = ?)
            AND (CAST(? AS bigint) IS NULL OR finished_at > ?) ORDER BY seq DESC LIMIT ?""";

    /** Uses the index delivery_inbox. */
    private static final String INBOX =
            """
            SELECT id, seq, run_id, agent_id, hook, text, created_at FROM delivery WHERE seq < ?
            AND channel = 'inbox' AND state = 'delivered' ORDER BY seq DESC LIMIT ?""";

    /** Uses the index delivery_finished; the time it takes grows with the limit. */
    private static final String ENDED =
            """
            SELECT channel, state, COUNT(*) AS n, MAX(finished_at) AS last
            FROM (SELECT channel, state, finished_at FROM delivery WHERE finished_at > ?
                ORDER BY finished_at DESC LIMIT ?) AS latest
            GROUP BY channel, state""";

    private static final String OF_RUN = LINE + "WHERE run_id = ? ORDER BY seq LIMIT ?";

    private static final String ONE = LINE + "WHERE id = ?";

    private final Store store;

    /** Creates the queries for the deliveries in {@code store}. */
    public DeliveryQueries(Store store) {
        this.store = store;
    }

    /**
     * A filter for the deliveries to show.
     *
     * @param state null for all states
     * @param channel null for all channels
     * @param endedAfter the time after which a delivery has to have ended; null for all
     * @param before limits the result to deliveries with a smaller number than this; null for all
     */
    public record Filter(
            @Nullable DeliveryState state,
            @Nullable String channel,
            @Nullable Instant endedAfter,
            @Nullable Long before) {}

    /**
     * A delivery without its text.
     *
     * @param number position in the order in which deliveries were added
     * @param runId null for the reply of a heartbeat, and without an agent
     * @param aboutRun the run that the reported event is about, or whose tool calls the delivery asks operators to approve;
     *     null for any other
     * @param agentId null for a delivery without an agent
     * @param hook the path of the hook that delivers without an agent; null for a reply
     * @param event the type of the event that is reported to the channel; null for a text
     * @param requestId the request that the delivery comes from; null for a reply, or if it is not known
     * @param reason the reason why it, or its last attempt, failed; null otherwise
     * @param nextAt time of the next attempt; null if it has ended
     * @param finishedAt time when it ended; null while it is pending
     */
    public record Line(
            String id,
            long number,
            @Nullable RunId runId,
            @Nullable RunId aboutRun,
            @Nullable String agentId,
            @Nullable String hook,
            @Nullable String event,
            @Nullable String requestId,
            String channel,
            @Nullable String to,
            DeliveryState state,
            int attempts,
            @Nullable String reason,
            Instant createdAt,
            @Nullable Instant nextAt,
            @Nullable Instant finishedAt) {}

    /** A text in the inbox; its values are those of {@link Line}. */
    public record Kept(
            String id,
            long number,
            @Nullable RunId runId,
            @Nullable String agentId,
            @Nullable String hook,
            String text,
            Instant at) {}

    /**
     * A page of deliveries.
     *
     * @param found the deliveries that match, the latest first
     * @param older the number before which the next page begins; null on the last page. A page may have a next one and fewer
     *     deliveries than asked for, even none, because one query looks through {@link #WINDOW} deliveries: where a state
     *     other than delivered is asked for, through those that are not delivered.
     */
    public record Page<T>(List<T> found, @Nullable Long older) {}

    /**
     * The number of deliveries on one channel that have ended in the same state.
     *
     * @param last time when the last of them ended
     */
    public record Tally(String channel, DeliveryState state, long count, Instant last) {}

    /** Counts by channel and state of the deliveries that ended since {@code moment}, the latest {@code most} of them. */
    public List<Tally> endedSince(Instant moment, int most) throws StoreException {
        return store.read(sql -> sql.query(
                ENDED,
                row -> new Tally(
                        row.text("channel"), DeliveryState.of(row.text("state")), row.number("n"), row.instant("last")),
                moment.toEpochMilli(),
                most));
    }

    /** The deliveries of the run {@code id}, including those to the inbox, in the order in which they were added. */
    public List<Line> ofRun(RunId id, int most) throws StoreException {
        return store.read(sql -> sql.query(OF_RUN, DeliveryQueries::line, id.value(), most));
    }

    /** The delivery {@code id}; empty if there is none. */
    public Optional<Line> find(String id) throws StoreException {
        return store.read(sql -> sql.first(ONE, DeliveryQueries::line, id));
    }

    /** The latest deliveries that match {@code filter}, without those to the inbox, at most {@code most}. */
    public Page<Line> latest(Filter filter, int most) throws StoreException {
        @Nullable String state = filter.state() == null ? null : filter.state().wire();
        String rows = state == null || filter.state() == DeliveryState.DELIVERED ? "" : UNDELIVERED;
        @Nullable String channel = filter.channel();
        @Nullable
        Long endedAfter =
                filter.endedAfter() == null ? null : filter.endedAfter().toEpochMilli();
        long before = before(filter.before());
        return store.read(sql -> {
            @Nullable
            Long last = sql.first(LAST_OF_WINDOW.formatted(rows), row -> row.number("seq"), before)
                    .orElse(null);
            List<Line> found = sql.query(
                    LATEST.formatted(rows),
                    DeliveryQueries::line,
                    before,
                    last == null ? 0 : last,
                    state,
                    state,
                    channel,
                    channel,
                    endedAfter,
                    endedAfter,
                    most + 1);
            return page(found, Line::number, most, last);
        });
    }

    /**
     * The latest texts that were sent to the inbox, at most {@code most}.
     *
     * @param before limits the result to texts with a smaller number than this; null for all
     */
    public Page<Kept> inbox(@Nullable Long before, int most) throws StoreException {
        return page(
                store.read(sql -> sql.query(INBOX, DeliveryQueries::kept, before(before), most + 1)),
                Kept::number,
                most,
                null);
    }

    /** @param found one more than {@code most} where there are more */
    private static <T> Page<T> page(List<T> found, Function<T, Long> number, int most, @Nullable Long last) {
        return found.size() > most
                ? new Page<>(List.copyOf(found.subList(0, most)), number.apply(found.get(most - 1)))
                : new Page<>(found, last);
    }

    private static long before(@Nullable Long number) {
        return number == null ? Long.MAX_VALUE : number;
    }

    private static @Nullable RunId run(ResultRow row, String column) throws SQLException {
        @Nullable String id = row.textOrNull(column);
        return id == null ? null : new RunId(id);
    }

    private static Line line(ResultRow row) throws SQLException {
        return new Line(
                /* id= */ row.text("id"),
                /* number= */ row.number("seq"),
                /* runId= */ run(row, "run_id"),
                /* aboutRun= */ run(row, "about_run"),
                /* agentId= */ DeliveryRepository.agentOf(row),
                /* hook= */ row.textOrNull("hook"),
                /* event= */ row.textOrNull("event"),
                /* requestId= */ row.textOrNull("request_id"),
                /* channel= */ row.text("channel"),
                /* to= */ row.textOrNull("recipient"),
                /* state= */ DeliveryState.of(row.text("state")),
                /* attempts= */ row.count("attempts"),
                /* reason= */ row.textOrNull("reason"),
                /* createdAt= */ row.instant("created_at"),
                /* nextAt= */ row.instantOrNull("next_at"),
                /* finishedAt= */ row.instantOrNull("finished_at"));
    }

    private static Kept kept(ResultRow row) throws SQLException {
        return new Kept(
                row.text("id"),
                row.number("seq"),
                run(row, "run_id"),
                DeliveryRepository.agentOf(row),
                row.textOrNull("hook"),
                row.text("text"),
                row.instant("created_at"));
    }
}

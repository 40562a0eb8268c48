package dev.postern.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.model.IdGenerator;
import dev.postern.model.ReportedEventType;
import dev.postern.model.TraceContext;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reporter of events to the channels that subscribe to them. It adds a delivery for each of these channels in the
 * transaction of what it reports, in the table of {@link DeliveryRepository}. The delivery's text is the event's data, as a
 * JSON object.
 */
public final class EventReporter {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String INSERT =
            """
            INSERT INTO delivery (id, about_run, outcome, agent_id, named, channel, text, state, attempts, next_at, created_at,
                event, trace_context, seq)
            VALUES (?, ?, 'succeeded', '', 0, ?, ?, 'pending', 0, ?, ?, ?, ?, (SELECT COALESCE(MAX(seq), 0) + 1 FROM delivery))""";

    /** The member of an event's data with the run that the event is about. */
    private static final String RUN = "runId";

    private final ChannelRegistry channelRegistry;
    private final IdGenerator idGenerator;
    private volatile Runnable added = () -> {};

    public EventReporter(ChannelRegistry channelRegistry, IdGenerator idGenerator) {
        this.channelRegistry = channelRegistry;
        this.idGenerator = idGenerator;
    }

    /** Sets the action after each commit that holds an event to be sent; it must only hand the signal on. */
    public void onAdded(Runnable added) {
        this.added = added;
    }

    /** Whether a channel subscribes to events of {@code type}. */
    public boolean isWanted(ReportedEventType type) {
        return !channelRegistry.subscribers(type).isEmpty();
    }

    /** Reports an event that is part of no trace, as the other method does. */
    public void report(SqlTransaction sql, ReportedEventType type, Map<String, @Nullable Object> data, Instant now)
            throws SQLException {
        report(sql, type, data, null, now);
    }

    /**
     * Reports an event to its subscribers.
     *
     * @param data texts, numbers and nulls by name, without payload or secret; {@code runId} is the run that the event is about
     * @param trace the trace context that the deliveries continue; null for none
     */
    public void report(
            SqlTransaction sql,
            ReportedEventType type,
            Map<String, @Nullable Object> data,
            @Nullable TraceContext trace,
            Instant now)
            throws SQLException {
        List<String> subscribers = channelRegistry.subscribers(type);
        for (String channel : subscribers) {
            sql.update(
                    INSERT,
                    idGenerator.delivery(),
                    data.get(RUN),
                    channel,
                    text(data),
                    now.toEpochMilli(),
                    now.toEpochMilli(),
                    type.wire(),
                    TraceContext.textOf(trace));
        }
        if (!subscribers.isEmpty()) {
            sql.afterCommit(added);
        }
    }

    private static String text(Map<String, @Nullable Object> data) {
        try {
            return JSON.writeValueAsString(data);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException(
                    "an event's data holds something else than texts and numbers", unwritable);
        }
    }
}

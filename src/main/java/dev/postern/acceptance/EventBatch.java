package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.TraceContext;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch of rows for the table {@code event}, written at once, after the rows of their sessions. */
final class EventBatch {

    static final String WAKE = "wake";
    static final String SUMMARY = "summary";

    private static final String INSERT = "INSERT INTO event"
            + " (id, session_key, seq, kind, text, hook, trusted, run_id, created_at, request_id, sender,"
            + " limited_mapping, trace_context)"
            + " VALUES (?, ?, " + SessionUpdateBatch.SEQ + ", ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final List<NewEvent> rows = new ArrayList<>();

    void add(NewEvent row) {
        rows.add(row);
    }

    void write(SqlTransaction sql) throws SQLException {
        if (!rows.isEmpty()) {
            sql.batch(INSERT, rows.stream().map(NewEvent::args).toList());
        }
    }

    /**
     * A row to be written.
     *
     * @param place its place in the session; null for one that waits for the close of its group
     */
    record NewEvent(
            EventId id,
            String sessionKey,
            SessionUpdateBatch.@Nullable Place place,
            String kind,
            String text,
            Provenance provenance,
            @Nullable RunId run,
            @Nullable String requestId,
            @Nullable String sender,
            @Nullable String limitedMapping,
            @Nullable TraceContext trace,
            long at) {

        private @Nullable Object[] args() {
            return new @Nullable Object[] {
                id.value(),
                place == null ? CollectingSession.of(sessionKey) : sessionKey,
                sessionKey,
                place == null ? null : place.back(),
                kind,
                text,
                provenance.hook(),
                provenance.trusted(),
                run == null ? null : run.value(),
                at,
                requestId,
                sender,
                limitedMapping,
                TraceContext.textOf(trace)
            };
        }
    }
}

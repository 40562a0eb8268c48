package dev.postern.approval;

import dev.postern.model.ApprovalDecision;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries about tool calls that need, or needed, an operator's approval. */
public final class ApprovalQueries {

    private static final String COLUMNS =
            """
            SELECT approval.id, run_id, agent_id, hook, run.session_key, server, tool, arguments, argument_bytes, asked_at,
                expires_at, decision, decided_at, decided_by
            FROM approval LEFT JOIN run ON run.id = run_id WHERE approval.id < ?""";

    private static final String LATEST = COLUMNS + " ORDER BY approval.id DESC LIMIT ?";

    private static final String UNDECIDED = COLUMNS + " AND decision IS NULL ORDER BY approval.id DESC LIMIT ?";

    private static final String OF_RUN = COLUMNS + " AND run_id = ? ORDER BY call LIMIT ?";

    /** An id that sorts after every other. */
    private static final String LAST = "apr_" + "z".repeat(27);

    private final Store store;

    public ApprovalQueries(Store store) {
        this.store = store;
    }

    /**
     * A tool call.
     *
     * @param id the approval's id
     * @param agentId null if the run is no longer kept; so are {@code hook} and {@code sessionKey}
     * @param arguments a JSON object as the model wrote it, which is untrusted text; null once the run has ended
     * @param expiresAt when it is too late for a decision
     * @param decision null while an operator may decide
     * @param decidedBy the operator's name; null if none has decided
     */
    public record Line(
            String id,
            RunId runId,
            @Nullable String agentId,
            @Nullable String hook,
            @Nullable SessionKey sessionKey,
            String server,
            String tool,
            @Nullable String arguments,
            long argumentBytes,
            Instant askedAt,
            Instant expiresAt,
            @Nullable ApprovalDecision decision,
            @Nullable Instant decidedAt,
            @Nullable String decidedBy) {

        /** The same call without its arguments. */
        public Line withoutArguments() {
            return new Line(
                    id,
                    runId,
                    agentId,
                    hook,
                    sessionKey,
                    server,
                    tool,
                    /* arguments= */ null,
                    argumentBytes,
                    askedAt,
                    expiresAt,
                    decision,
                    decidedAt,
                    decidedBy);
        }
    }

    /**
     * Calls, the latest first.
     *
     * @param undecided whether only those that wait for a decision are returned
     * @param before the id of a call: only earlier ones are returned; null for all
     */
    public List<Line> latest(boolean undecided, @Nullable String before, int most) throws StoreException {
        return store.read(sql ->
                sql.query(undecided ? UNDECIDED : LATEST, ApprovalQueries::line, before == null ? LAST : before, most));
    }

    /** The calls of {@code run}, in their order. */
    public List<Line> ofRun(RunId run, int most) throws StoreException {
        return store.read(sql -> sql.query(OF_RUN, ApprovalQueries::line, LAST, run.value(), most));
    }

    private static Line line(ResultRow row) throws SQLException {
        @Nullable String session = row.textOrNull("session_key");
        @Nullable String decision = row.textOrNull("decision");
        return new Line(
                /* id= */ row.text("id"),
                /* runId= */ new RunId(row.text("run_id")),
                /* agentId= */ row.textOrNull("agent_id"),
                /* hook= */ row.textOrNull("hook"),
                /* sessionKey= */ session == null ? null : new SessionId(session).key(),
                /* server= */ row.text("server"),
                /* tool= */ row.text("tool"),
                /* arguments= */ row.textOrNull("arguments"),
                /* argumentBytes= */ row.number("argument_bytes"),
                /* askedAt= */ row.instant("asked_at"),
                /* expiresAt= */ row.instant("expires_at"),
                /* decision= */ decision == null ? null : ApprovalDecision.of(decision),
                /* decidedAt= */ row.instantOrNull("decided_at"),
                /* decidedBy= */ row.textOrNull("decided_by"));
    }
}

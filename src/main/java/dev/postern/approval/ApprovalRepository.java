package dev.postern.approval;

import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.ToolApprovals.Decided;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The repository of approvals and of the turns that wait for them. Every method works in the caller's transaction. */
public final class ApprovalRepository {

    private static final String PAUSE =
            """
            INSERT INTO paused_turn (run_id, model, journal, elapsed_ms) VALUES (?, ?, ?, ?)
            ON CONFLICT (run_id) DO UPDATE SET model = excluded.model, journal = excluded.journal,
                elapsed_ms = excluded.elapsed_ms""";

    private static final String ASK =
            """
            INSERT INTO approval (id, run_id, call, server, tool, arguments, argument_bytes, asked_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String EXPIRE = "UPDATE approval SET decision = 'expired', decided_at = ?"
            + " WHERE run_id = ? AND decision IS NULL AND expires_at <= ?";

    private static final String NEXT_EXPIRY =
            "SELECT MIN(expires_at) AS expires_at FROM approval WHERE run_id = ? AND decision IS NULL";

    private static final String DECISIONS = "SELECT call, server, tool, decision, begun_at, result"
            + " FROM approval WHERE run_id = ? AND decision IS NOT NULL";

    private static final String BEGIN = "UPDATE approval SET begun_at = ?"
            + " WHERE run_id = ? AND call = ? AND decision = 'approved' AND begun_at IS NULL";

    private static final String DECIDE = "UPDATE approval SET decision = ?, decided_at = ?, decided_by = ?"
            + " WHERE id = ? AND decision IS NULL AND expires_at > ?";

    /** The session is locked first, as by all that change its runs. So of two decisions about one run, one sees the other. */
    private static final String LOCK = "SELECT key FROM session WHERE key = (SELECT session_key FROM run WHERE id ="
            + " (SELECT run_id FROM approval WHERE id = ?))";

    private static final String MOVE_BACK =
            "UPDATE approval SET expires_at = expires_at - ? WHERE decision IS NULL AND expires_at > ?";

    private static final String PLACE = "SELECT run_id, decision, decided_by FROM approval WHERE id = ?";

    private static final String WITHDRAW =
            "UPDATE approval SET decision = 'withdrawn', decided_at = ?" + " WHERE run_id = ? AND decision IS NULL";

    private static final String FORGET = "UPDATE approval SET arguments = NULL, result = NULL WHERE run_id = ?";

    private final IdGenerator idGenerator;

    public ApprovalRepository(IdGenerator idGenerator) {
        this.idGenerator = idGenerator;
    }

    /**
     * A decision that was to be written.
     *
     * @param result what the operator is told
     * @param run the run that has no open question any more, so that it may go on; null if there is none
     */
    public record Written(OperatorResult result, @Nullable RunId run) {}

    /** The place of an approval. */
    private record Place(RunId run, @Nullable String decision, @Nullable String decidedBy) {}

    /**
     * Writes a paused turn and the questions that it waits for.
     *
     * @param journal as {@link TurnJournal#encode} writes it
     */
    public void pause(
            SqlTransaction sql,
            RunId run,
            PausedTurn turn,
            String journal,
            List<ApprovalQuestion> questions,
            Instant now,
            Instant expires)
            throws SQLException {
        sql.update(PAUSE, run.value(), turn.model(), journal, turn.elapsed().toMillis());
        for (ApprovalQuestion question : questions) {
            sql.update(
                    ASK,
                    idGenerator.of("apr"),
                    run.value(),
                    question.call(),
                    question.server(),
                    question.tool(),
                    question.arguments(),
                    question.arguments().getBytes(StandardCharsets.UTF_8).length,
                    now.toEpochMilli(),
                    expires.toEpochMilli());
        }
    }

    /** The paused turn of {@code run}; empty if it has none. */
    public Optional<PausedTurn> find(SqlTransaction sql, RunId run) throws SQLException {
        return sql.first(
                "SELECT model, elapsed_ms FROM paused_turn WHERE run_id = ?",
                row -> new PausedTurn(row.text("model"), Duration.ofMillis(row.number("elapsed_ms"))),
                run.value());
    }

    /** The journal of the paused turn of {@code run}; empty if it has none. */
    public Optional<String> journal(SqlTransaction sql, RunId run) throws SQLException {
        return sql.first("SELECT journal FROM paused_turn WHERE run_id = ?", row -> row.text("journal"), run.value());
    }

    /**
     * Ends the questions of {@code run} that nobody has answered in time.
     *
     * @return the time at which the next question ends; empty if all are decided, so that the turn may go on
     */
    public Optional<Instant> expire(SqlTransaction sql, RunId run, Instant now) throws SQLException {
        sql.update(EXPIRE, now.toEpochMilli(), run.value(), now.toEpochMilli());
        return sql.first(NEXT_EXPIRY, row -> Optional.ofNullable(row.instantOrNull("expires_at")), run.value())
                .flatMap(next -> next);
    }

    /** The decisions about the calls of {@code run}, by the numbers of the calls. */
    public Map<Integer, Decided> decisions(SqlTransaction sql, RunId run) throws SQLException {
        Map<Integer, Decided> decisions = new HashMap<>();
        sql.query(DECISIONS, row -> decisions.put(row.count("call"), decided(row)), run.value());
        return decisions;
    }

    private static Decided decided(ResultRow row) throws SQLException {
        @Nullable String result = row.textOrNull("result");
        return new Decided(
                row.text("server"),
                row.text("tool"),
                ApprovalDecision.of(row.text("decision")),
                row.numberOrNull("begun_at") != null,
                result == null ? null : TurnJournal.decodeResult(result));
    }

    /** Marks an approved call as begun; false if it was begun before, or is not approved. */
    public boolean begin(SqlTransaction sql, RunId run, int call, Instant now) throws SQLException {
        return sql.update(BEGIN, now.toEpochMilli(), run.value(), call) == 1;
    }

    /** Writes the result of a call that was begun, unless it has one. */
    public void end(SqlTransaction sql, RunId run, int call, ToolResult result) throws SQLException {
        sql.update(
                "UPDATE approval SET result = ? WHERE run_id = ? AND call = ? AND begun_at IS NOT NULL AND result IS NULL",
                TurnJournal.encode(result),
                run.value(),
                call);
    }

    /**
     * Writes an operator's decision. The first decision about a call counts.
     *
     * @param id the approval's id
     * @param operator the operator's name
     */
    public Written decide(SqlTransaction sql, String id, ApprovalDecision decision, String operator, Instant now)
            throws SQLException {
        long at = now.toEpochMilli();
        sql.first(LOCK + sql.dialect().forUpdate(), row -> row.text("key"), id);
        boolean decided = sql.update(DECIDE, decision.wire(), at, operator, id, at) == 1;
        Optional<Place> found = sql.first(
                PLACE,
                row -> new Place(
                        new RunId(row.text("run_id")), row.textOrNull("decision"), row.textOrNull("decided_by")),
                id);
        if (found.isEmpty()) {
            return new Written(new OperatorResult.NotFound(), null);
        }
        Place place = found.get();
        if (!decided) {
            return new Written(new OperatorResult.Conflict(why(place)), null);
        }
        boolean open = sql.first(
                        NEXT_EXPIRY,
                        row -> row.instantOrNull("expires_at") != null,
                        place.run().value())
                .orElse(false);
        String sentence = decision == ApprovalDecision.APPROVED ? "The call is approved." : "The call is refused.";
        return new Written(
                new OperatorResult.Done(open ? sentence + " The turn waits for further decisions." : sentence),
                open ? null : place.run());
    }

    private static String why(Place place) {
        if (place.decision() == null || place.decision().equals(ApprovalDecision.EXPIRED.wire())) {
            return "The time for this decision is over.";
        }
        return place.decidedBy() == null
                ? "The run has ended: " + place.decision() + "."
                : "The call is " + place.decision() + " already, by " + place.decidedBy() + ".";
    }

    /** Ends all questions of a {@code run} that has ended, and deletes what its turn was given and gave. */
    public void close(SqlTransaction sql, RunId run, Instant now) throws SQLException {
        sql.update("DELETE FROM paused_turn WHERE run_id = ?", run.value());
        sql.update(WITHDRAW, now.toEpochMilli(), run.value());
        sql.update(FORGET, run.value());
    }

    /**
     * Moves the ends of open questions back, after the clock was set back.
     *
     * @param by how far the clock was set back
     */
    public static void moveBack(SqlTransaction sql, Instant now, Duration by) throws SQLException {
        sql.update(MOVE_BACK, by.toMillis(), now.toEpochMilli());
    }

    /** The number of calls that wait for a decision. */
    public static long undecided(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT COUNT(*) AS n FROM approval WHERE decision IS NULL", row -> row.number("n"))
                .orElseThrow();
    }

    /** Deletes up to {@code max} approvals that were asked for before {@code before} and are decided; returns their number. */
    public int prune(SqlTransaction sql, Instant before, int max) throws SQLException {
        return sql.update(
                "DELETE FROM approval WHERE id IN (SELECT id FROM approval WHERE asked_at < ? AND decision IS NOT NULL"
                        + " AND NOT EXISTS (SELECT 1 FROM paused_turn WHERE paused_turn.run_id = approval.run_id)"
                        + " ORDER BY asked_at LIMIT ?)",
                before.toEpochMilli(),
                max);
    }
}

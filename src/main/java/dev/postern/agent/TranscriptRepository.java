package dev.postern.agent;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * What was said in each session: the {@code turn} table. A turn is two rows, the user's and the agent's, written in one
 * transaction when the turn has succeeded. Only the holder of a session's lane writes its turns, so a session's
 * sequence numbers have no rival.
 */
public final class TranscriptRepository {

    /** How much of a session's past goes into a turn, in characters; older turns are left out whole. */
    static final int MAX_CHARS = 48_000;

    /** A longer line is not kept, so that it doesn't keep all the others from a turn. */
    static final int MAX_LINE_CHARS = 24_000;

    /** How many turns of a session are kept. */
    static final int MAX_TURNS = 100;

    /** A program before schema 13 says in no row whose it is: then it is the run's agent's, or a heartbeat's. */
    private static final String OWN =
            " AND COALESCE(agent_id, (SELECT run.agent_id FROM run WHERE run.id = turn.run_id), ?) = ?";

    /** Who said it. */
    public enum Role {
        USER,
        ASSISTANT;

        /** The role's name in the database and to whoever looks. */
        public String wire() {
            return this == USER ? "user" : "assistant";
        }

        static Role of(String wire) {
            return wire.equals("user") ? USER : ASSISTANT;
        }
    }

    /** One thing that was said; the user's as the backend got it. */
    public record Line(Role role, String text) {}

    private record Size(long seq, long chars, boolean user) {}

    /**
     * The end of the session, oldest first, beginning with a user's line. What an older program has written under the id for
     * another agent is left out.
     */
    public List<Line> read(SqlTransaction sql, SessionId session) throws SQLException {
        List<Size> newestFirst = sql.query(
                "SELECT seq, length(text) AS chars, role FROM turn WHERE session_key = ?" + OWN
                        + " ORDER BY seq DESC LIMIT ?",
                row -> new Size(row.number("seq"), row.number("chars"), Role.of(row.text("role")) == Role.USER),
                session.value(),
                session.agentId(),
                session.agentId(),
                2 * MAX_TURNS);
        long from = Long.MAX_VALUE;
        long chars = 0;
        for (Size size : newestFirst) {
            chars += size.chars();
            if (chars > MAX_CHARS) {
                break;
            }
            if (size.user()) {
                from = size.seq();
            }
        }
        return sql.query(
                "SELECT role, text FROM turn WHERE session_key = ?" + OWN + " AND seq >= ? ORDER BY seq",
                row -> new Line(Role.of(row.text("role")), row.text("text")),
                session.value(),
                session.agentId(),
                session.agentId(),
                from);
    }

    /**
     * Adds a turn that has succeeded, and drops the session's oldest turns beyond {@value #MAX_TURNS}. Of a line that is too
     * long only that, and how long it is, is kept.
     */
    public void append(SqlTransaction sql, SessionId session, String turnId, PromptText said, String reply, Instant at)
            throws SQLException {
        long last = sql.first(
                        "SELECT COALESCE(MAX(seq), 0) AS last FROM turn WHERE session_key = ?",
                        row -> row.number("last"),
                        session.value())
                .orElse(0L);
        add(sql, session, last + 1, turnId, Role.USER, said.text(), at);
        add(sql, session, last + 2, turnId, Role.ASSISTANT, reply, at);
        sql.update("DELETE FROM turn WHERE session_key = ? AND seq <= ?", session.value(), last + 2 - 2L * MAX_TURNS);
    }

    private static void add(
            SqlTransaction sql, SessionId session, long seq, String turnId, Role role, String text, Instant at)
            throws SQLException {
        sql.update(
                "INSERT INTO turn (session_key, seq, agent_id, run_id, role, text, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                session.value(),
                seq,
                session.agentId(),
                turnId,
                role.wire(),
                text.length() > MAX_LINE_CHARS ? "[left out: " + text.length() + " characters]" : text,
                at.toEpochMilli());
    }

    /** Drops up to {@code max} rows of what was said before {@code before}, in whatever session; returns how many. */
    public int prune(SqlTransaction sql, Instant before, int max) throws SQLException {
        return sql.update(
                """
                DELETE FROM turn WHERE (session_key, seq) IN
                    (SELECT session_key, seq FROM turn WHERE created_at < ? ORDER BY created_at, seq LIMIT ?)
                """,
                before.toEpochMilli(),
                max);
    }
}

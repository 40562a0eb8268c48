package dev.postern.agent;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * The repository of the sessions' transcripts: the {@code turn} table. A turn is two rows, the user's and the agent's,
 * written in one transaction when the turn has succeeded. Only the holder of a session's lock writes its turns, so no other
 * node assigns its sequence numbers.
 */
public final class TranscriptRepository {

    /** The most characters of a session's past that go into a turn; older turns are left out whole. */
    static final int MAX_CHARS = 48_000;

    /** The most characters of a line that is kept, so that one line does not keep all the others out of a turn. */
    static final int MAX_LINE_CHARS = 24_000;

    /** The most turns of a session that are kept. */
    static final int MAX_TURNS = 100;

    /**
     * Rows of programs before schema 13 name no agent: they belong to the run's agent, or to the session's for a heartbeat.
     */
    private static final String OWN =
            " AND COALESCE(agent_id, (SELECT run.agent_id FROM run WHERE run.id = turn.run_id), ?) = ?";

    /** The role of a line's author. */
    public enum Role {
        USER,
        ASSISTANT;

        /** The role's name in the database and in responses. */
        public String wire() {
            return this == USER ? "user" : "assistant";
        }

        static Role of(String wire) {
            return wire.equals("user") ? USER : ASSISTANT;
        }
    }

    /** A line of a transcript; the user's as the backend got it. */
    public record Line(Role role, String text) {}

    private record Size(long seq, long chars, boolean user) {}

    /**
     * The last lines of the session, oldest first, beginning with a user's line. Lines that an older program has written
     * under the id for another agent are left out.
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
     * Adds a turn that has succeeded, and deletes the session's oldest turns beyond {@value #MAX_TURNS}. A line that is too
     * long is replaced by a note with its length.
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

    /** Deletes up to {@code max} lines of any session that were written before {@code before}; returns their number. */
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

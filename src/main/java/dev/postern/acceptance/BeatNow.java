package dev.postern.acceptance;

import dev.postern.model.SessionId;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Instant;

/** An operator's wish that an agent should have a heartbeat now. */
public final class BeatNow {

    /** A heartbeat holds the lane, where it isn't one of its runs that does. */
    private static final String UNDER_WAY =
            """
            SELECT 1 FROM session WHERE key = ? AND owner IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM run WHERE session_key = session.key AND finished_at IS NULL AND state = 'running')""";

    private BeatNow() {}

    /** What became of it. */
    public enum Answer {
        /**
         * It is due now, whatever the schedule says and also just after one that has failed, and begins as soon as the main
         * session's lane is free, which a run may hold. Where nothing waits and nothing is standing, it calls no model.
         */
        DUE,
        /** One is under way; nothing was changed. */
        UNDER_WAY,
        /** No agent that is configured is called so; nothing was changed. */
        NO_SUCH_AGENT
    }

    /** Has a heartbeat of {@code agentId} due at {@code now}, unless one is under way. */
    public static Answer ask(Sql sql, String agentId, Instant now) throws SQLException {
        SessionId main = SessionId.mainOf(agentId);
        sql.update(Events.MAKE_LANE, main.value(), agentId, now.toEpochMilli());
        Lanes.lock(sql, main);
        if (sql.first(UNDER_WAY, row -> true, main.value()).isPresent()) {
            return Answer.UNDER_WAY;
        }
        sql.update(Events.ASK, now.toEpochMilli(), main.value(), now.toEpochMilli());
        return Answer.DUE;
    }
}

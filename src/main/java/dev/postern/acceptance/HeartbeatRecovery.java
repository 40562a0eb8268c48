package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;

/** A recovery of heartbeats whose nodes ended during their turns. */
@FunctionalInterface
public interface HeartbeatRecovery {

    /** Ends {@code beat} and releases its session lock, which is still the dead node's. */
    void recover(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException;
}

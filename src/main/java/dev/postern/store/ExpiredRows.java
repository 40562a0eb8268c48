package dev.postern.store;

import java.sql.SQLException;
import java.time.Instant;

/** The expired rows of one or more tables, which are deleted in small batches. */
@FunctionalInterface
public interface ExpiredRows {

    /**
     * Deletes some of them.
     *
     * @param most the most rows of each table
     * @return true when there may be more to delete
     */
    boolean deleteBatch(SqlTransaction sql, Instant now, int most) throws SQLException;
}

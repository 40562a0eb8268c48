package dev.postern.store;

import java.sql.SQLException;

/**
 * Statements that belong together: all of them are committed, or none. A unit may be run more than once before it is
 * committed once, so it changes nothing but the database; what else depends on its outcome goes into
 * {@link SqlTransaction#afterCommit} or {@link SqlTransaction#afterRollback}.
 */
@FunctionalInterface
public interface UnitOfWork<T> {

    /**
     * Runs the statements in the transaction of {@code sql}.
     *
     * @throws SQLException when a statement failed; nothing of this unit is kept then
     */
    T run(SqlTransaction sql) throws SQLException;
}

package dev.postern.store;

import java.sql.SQLException;

/**
 * A unit of statements that are committed all together or not at all. A unit may run more than once before it is
 * committed once, so it changes nothing but the database. Other effects that depend on its outcome go into
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

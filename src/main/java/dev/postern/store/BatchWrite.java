package dev.postern.store;

import java.sql.SQLException;
import java.util.List;

/**
 * A write that is cheaper for many callers together. Inputs that arrive together are written together, in the order of
 * arrival. The rules of {@link UnitOfWork} hold. When the whole list fails, the write runs again for each input alone,
 * so one caller's error does not affect the others.
 */
@FunctionalInterface
public interface BatchWrite<I, O> {

    /**
     * Writes all {@code inputs} in the transaction of {@code sql}.
     *
     * @param inputs one or more
     * @return one result for each input, in the same order
     * @throws SQLException when a statement failed; nothing of any input is kept then
     */
    List<O> run(SqlTransaction sql, List<I> inputs) throws SQLException;
}

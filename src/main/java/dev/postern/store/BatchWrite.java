package dev.postern.store;

import java.sql.SQLException;
import java.util.List;

/**
 * A kind of write that is cheaper done for many callers at once: what came in together is handed over together, in
 * the order of arrival. The rules of {@link UnitOfWork} hold. When the whole list fails it is run again for each input alone,
 * so one caller's fault stays his own.
 */
@FunctionalInterface
public interface BatchWrite<I, O> {

    /**
     * Does the work of all {@code inputs} in the transaction of {@code sql}.
     *
     * @param inputs one or more
     * @return one result for each input, in the same order
     * @throws SQLException when a statement failed; nothing of any input is kept then
     */
    List<O> run(SqlTransaction sql, List<I> inputs) throws SQLException;
}

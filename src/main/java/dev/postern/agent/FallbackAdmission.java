package dev.postern.agent;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;

/** A decision about a fallback, which is made just before it is asked. */
@FunctionalInterface
public interface FallbackAdmission {

    /**
     * Whether the turn may ask {@code fallback}, which counts as asked then.
     *
     * @param asked the models that the turn has asked already
     */
    boolean admit(SqlTransaction sql, String fallback, List<String> asked) throws SQLException;
}

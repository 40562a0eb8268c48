package dev.postern.requests;

import dev.postern.model.RequestLogEntry;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;

/** A listener that is notified of requests as they are added to the request log. */
@FunctionalInterface
public interface StoredRequestListener {

    /** Handles a request, in the transaction that stores it. */
    void onStored(SqlTransaction sql, RequestLogEntry entry) throws SQLException;
}

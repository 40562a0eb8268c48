package dev.postern.channel;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A listener that is notified of replies that can never be delivered. */
@FunctionalInterface
public interface UndeliveredReplyListener {

    /**
     * Handles a failed delivery, in the transaction that stores the failure.
     *
     * @param runId null for the reply of a heartbeat
     * @param line the text of the event for the agent's main session; it names the recipient, which is untrusted content
     */
    void onUndelivered(SqlTransaction sql, String agentId, @Nullable String runId, String line) throws SQLException;
}

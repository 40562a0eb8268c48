package dev.postern.channel;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Told that a reply has reached nobody and never will. */
@FunctionalInterface
public interface UndeliveredReplyListener {

    /**
     * Called in the transaction that notes it.
     *
     * @param runId null for what a heartbeat had to say
     * @param line what went wrong, for the agent's main session; it names the recipient, which a stranger may have written
     */
    void tell(SqlTransaction sql, String agentId, @Nullable String runId, String line) throws SQLException;
}

package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A rule on what is accepted, besides the limits of pending actions. It is asked in the transaction that would accept a
 * submission. Repetitions and requests that join a group are not checked, since they add no action.
 */
@FunctionalInterface
public interface AcceptanceRule {

    /** The rule that refuses nothing. */
    AcceptanceRule NONE = (sql, submission) -> null;

    /** The result for a {@code submission} that is refused; null if it may be accepted. */
    @Nullable
    HookResult refusal(SqlTransaction sql, Submission submission) throws SQLException;
}

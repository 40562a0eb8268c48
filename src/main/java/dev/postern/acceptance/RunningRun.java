package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.model.WakeMode;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A run with the data that its turn needs.
 *
 * @param session the session whose lock it needs; its agent may differ for a run that was accepted before schema 13
 * @param sender the sender whose own token admitted its request; null for any other credential
 * @param cancelAsked true when an operator has cancelled it
 * @param isPaused true when its turn was paused
 * @param items the number of requests that became the run; null for one alone
 * @param trace the trace context that its attempts continue; null for none
 */
record RunningRun(
        RunId id,
        SessionId session,
        int attempts,
        ClaimedRun.Retries retries,
        @Nullable String sender,
        AllowedAction.Turn turn,
        boolean cancelAsked,
        @Nullable Long items,
        boolean isPaused,
        @Nullable TraceContext trace) {

    /** The columns of the table {@code run} that {@link #of} reads. */
    static final String COLUMNS = " id, session_key, agent_id, attempts, message, name, wake_mode, deliver,"
            + " channel, recipient, model, thinking, timeout_ms, hook, trusted,"
            + " instructions, tools, approve, fallbacks, priority, mapping_queue, cancel_at, retry_since, retries, sender,"
            + " items, pauses, trace_context";

    static RunningRun of(ResultRow row) throws SQLException {
        SessionId session = CollectingSession.read(row.text("session_key"));
        return new RunningRun(
                /* id= */ new RunId(row.text("id")),
                session,
                /* attempts= */ row.count("attempts"),
                /* retries= */ new ClaimedRun.Retries(row.count("retries"), row.instantOrNull("retry_since")),
                /* sender= */ row.textOrNull("sender"),
                /* turn= */ new AllowedAction.Turn(
                        /* agentId= */ row.text("agent_id"),
                        /* sessionKey= */ session.key(),
                        /* message= */ row.text("message"),
                        /* name= */ row.text("name"),
                        /* wakeMode= */ WakeMode.of(row.text("wake_mode")).orElseThrow(),
                        /* deliver= */ row.flag("deliver"),
                        /* recipient= */ new Recipient(row.text("channel"), row.textOrNull("recipient")),
                        /* model= */ row.text("model"),
                        /* thinking= */ row.textOrNull("thinking"),
                        /* timeout= */ Duration.ofMillis(row.number("timeout_ms")),
                        /* provenance= */ new Provenance(row.text("hook"), row.flag("trusted")),
                        /* operatorInstructions= */ RunBatch.briefing(row)),
                /* cancelAsked= */ row.numberOrNull("cancel_at") != null,
                /* items= */ row.numberOrNull("items"),
                /* isPaused= */ row.count("pauses") > 0,
                /* trace= */ TraceContext.read(row.textOrNull("trace_context")));
    }

    ClaimedRun claimed(long epoch) {
        return new ClaimedRun(
                id,
                session,
                /* fencingToken= */ epoch,
                attempts,
                retries,
                sender,
                turn,
                /* items= */ items == null ? 1 : items.intValue(),
                isPaused,
                trace);
    }

    /** Ends the run in {@code state} with {@code error}; its session row must be locked. */
    EndedRun end(SqlTransaction sql, RunState state, String error, long now) throws SQLException {
        sql.update(RunRepository.END, state.wire(), now, null, error, null, null, id.value());
        return new EndedRun(id, state, attempts, turn, error, trace);
    }
}

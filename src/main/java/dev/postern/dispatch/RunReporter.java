package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.EventRepository;
import dev.postern.approval.ApprovalRepository;
import dev.postern.channel.DeliveryRepository;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.channel.EventReporter;
import dev.postern.config.AgentSettings;
import dev.postern.model.AllowedAction.Turn;
import dev.postern.model.Excerpt;
import dev.postern.model.Provenance;
import dev.postern.model.ReportedEventType;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reporter of runs that end or wait: to the main session of their agent, to the recipient that gets no reply, to the channels
 * that subscribe to events, and to those who wait for the end of a run. All but the last in the caller's transaction.
 */
final class RunReporter {

    private final AgentSettings agents;
    private final EventRepository events;
    private final DeliveryRepository deliveries;
    private final EventReporter eventReporter;
    private final ApprovalRepository approvals;
    private final InstantSource clock;
    private final DispatchCounters dispatchCounters;
    private final Consumer<RunId> ended;

    /**
     * @param ended called for each run that has ended
     */
    RunReporter(
            AgentSettings agents,
            TurnRepositories tables,
            InstantSource clock,
            DispatchCounters dispatchCounters,
            Consumer<RunId> ended) {
        this.agents = agents;
        this.events = tables.events();
        this.deliveries = tables.deliveries();
        this.eventReporter = tables.eventReporter();
        this.approvals = tables.approvals();
        this.clock = clock;
        this.dispatchCounters = dispatchCounters;
        this.ended = ended;
    }

    /** Reports a run that ended without the end of a turn, and ends its questions to operators. */
    void reportEndWithoutTurn(SqlTransaction sql, EndedRun run) throws SQLException {
        approvals.close(sql, run.id(), clock.instant());
        deliverFailure(sql, run);
        reportEnd(sql, run);
        postSummary(sql, run, run.reason());
    }

    /**
     * Adds a delivery of the reason for the missing reply of {@code run}, if its channel reports failures; true when one was
     * added.
     */
    boolean deliverFailure(SqlTransaction sql, EndedRun run) throws SQLException {
        Turn turn = run.turn();
        SessionId session = SessionId.of(agentOf(turn), turn.sessionKey());
        Reply reply = new Reply(run.id(), run.state(), session, turn.recipient(), run.reason(), run.trace());
        return turn.deliver() && deliveries.addFailure(sql, reply, clock.instant()) != null;
    }

    /** Reports the end of {@code run} to the channels that subscribe to it. */
    void reportEnd(SqlTransaction sql, EndedRun run) throws SQLException {
        Map<String, @Nullable Object> more = new LinkedHashMap<>();
        more.put("status", run.state().wire());
        more.put("attempts", run.attempts());
        more.put("error", run.error());
        boolean succeeded = run.state() == RunState.SUCCEEDED;
        ReportedEventType type = succeeded ? ReportedEventType.RUN_SUCCEEDED : ReportedEventType.RUN_FAILED;
        report(sql, type, run.id(), run.turn(), run.trace(), more);
    }

    /** Reports to them that {@code run} waits until {@code until} for what {@code name} and {@code value} say. */
    void reportHeld(SqlTransaction sql, ClaimedRun run, String name, String value, Instant until) throws SQLException {
        Map<String, String> more = Map.of(
                name, value, "until", until.truncatedTo(ChronoUnit.MILLIS).toString());
        report(sql, ReportedEventType.RUN_HELD, run.id(), run.turn(), run.trace(), more);
    }

    private void report(
            SqlTransaction sql,
            ReportedEventType type,
            RunId run,
            Turn turn,
            @Nullable TraceContext trace,
            Map<String, ? extends @Nullable Object> more)
            throws SQLException {
        if (!eventReporter.isWanted(type)) {
            return;
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("runId", run.value());
        data.put("hook", turn.provenance().hook());
        data.put("agentId", agentOf(turn));
        data.put("sessionKey", turn.sessionKey().value());
        data.putAll(more);
        eventReporter.report(sql, type, data, trace, clock.instant());
    }

    /**
     * Posts the summary of {@code run} to the main session. A model's reply is untrusted content there, even if the hook is
     * trusted.
     *
     * @param said the reply, or the reason why there is none
     */
    void postSummary(SqlTransaction sql, EndedRun run, String said) throws SQLException {
        Turn turn = run.turn();
        String summary = RunSummary.of(turn.name(), run.id(), run.attempts(), run.state(), said);
        Provenance provenance = Provenance.untrusted(turn.provenance().hook());
        events.post(sql, agentOf(turn), summary, provenance, run.id(), run.trace(), turn.wakeMode());
    }

    /** Counts the end of {@code run} and notifies its waiters, once it is on disk. */
    void notifyEnded(RunId run, RunState state) {
        dispatchCounters.ran(state);
        ended.accept(run);
    }

    private String agentOf(Turn turn) {
        return agents.resolve(turn.agentId()).id();
    }

    /**
     * The summary line that a finished run leaves in its agent's main session: {@code Hook <name>: <summary>}. It has
     * the state after the name unless the run succeeded. A name that begins with {@code Hook} gets no second one. It ends with the
     * run's id, and the attempt if there was more than one.
     */
    static final class RunSummary {

        private static final String HOOK = "Hook";
        private static final int MAX_NAME = 100;
        private static final int MAX_SAID = 500;

        private RunSummary() {}

        /**
         * @param name the hook's name
         * @param said the reply, or the reason why there is none
         */
        static String of(String name, RunId run, int attempts, RunState state, String said) {
            String status = state == RunState.SUCCEEDED ? "" : " (" + state.wire() + ")";
            String again = attempts > 1 ? ", attempt " + attempts + " after an interruption" : "";
            String line = Excerpt.of(oneLine(said), MAX_SAID);
            String cut = Excerpt.of(oneLine(name), MAX_NAME);
            String named = cut.equals(HOOK) || cut.startsWith(HOOK + " ") ? cut : HOOK + " " + cut;
            return named + status + ": " + (line.isEmpty() ? "(no reply)" : line) + " [" + run + again + "]";
        }

        private static String oneLine(String text) {
            return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        }
    }
}

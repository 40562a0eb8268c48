package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolApprovals.Decided;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.approval.PausedTurn;
import dev.postern.channel.DeliveryRepository.Question;
import dev.postern.config.AgentSettings.Approval;
import dev.postern.model.DeliveryState;
import dev.postern.model.Recipient;
import dev.postern.model.TurnRecord;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of turns that wait for operators' decisions about tool calls. While a turn waits, nothing but its rows in the
 * database exists.
 */
final class TurnPauses {

    private static final Logger LOG = System.getLogger(TurnPauses.class.getName());

    private static final String REASON = "an operator has to approve a tool call";

    private final Store store;
    private final TurnRepositories tables;
    private final InstantSource clock;

    TurnPauses(Store store, TurnRepositories tables, InstantSource clock) {
        this.store = store;
        this.tables = tables;
        this.clock = clock;
    }

    /** Whether a claimed {@code run} still waits for a decision; its claim was given back then. */
    boolean isAwaiting(SqlTransaction sql, ClaimedRun run) throws SQLException {
        Optional<Instant> next = tables.approvals().expire(sql, run.id(), clock.instant());
        return next.isPresent() && tables.runs().pause(sql, run, REASON, next.get(), null);
    }

    /**
     * The beginning of the error of a {@code run} that fails before its turn goes on: the approved calls that were not made.
     * Empty if there are none.
     */
    String missedCalls(SqlTransaction sql, ClaimedRun run) throws SQLException {
        List<Decided> pending = tables.approvals().decisions(sql, run.id()).values().stream()
                .filter(Decided::isPending)
                .toList();
        if (pending.isEmpty()) {
            return "";
        }
        String names = pending.stream()
                .map(call -> call.server() + "/" + call.tool())
                .distinct()
                .collect(Collectors.joining(", "));
        return pending.size() == 1
                ? "the approved call of " + names + " was not made: "
                : "the approved calls of " + names + " were not made: ";
    }

    /** The journal of a turn of {@code run}, which goes on from it if it was {@code paused}. */
    TurnJournal journal(
            ClaimedRun run, @Nullable PausedTurn paused, ToolPermissions tools, TurnCancellation turnCancellation)
            throws StoreException {
        if (paused == null) {
            return TurnJournal.of(
                    tools.approve().isEmpty()
                            ? ToolApprovals.UNAVAILABLE
                            : new RunApprovals(run, Map.of(), turnCancellation));
        }
        return store.read(sql -> TurnJournal.of(
                new RunApprovals(run, tables.approvals().decisions(sql, run.id()), turnCancellation),
                tables.approvals().journal(sql, run.id()).orElseThrow()));
    }

    /**
     * Writes that {@code turn} waits, and asks the operators.
     *
     * @param journal all that the turn was given so far
     * @param used the record of the turn so far
     * @return null if the claim no longer holds, when nothing is written; else the state of the question's delivery, {@code
     *     NONE} if it has none
     */
    @Nullable
    DeliveryState pause(SqlTransaction sql, TakenTurn turn, Paused paused, TurnJournal journal, TurnRecord used)
            throws SQLException {
        ClaimedRun run = turn.run();
        Approval approval = turn.agent().tools().approval();
        Instant now = clock.instant();
        Instant expires = now.plus(approval.within());
        if (!tables.runs().pause(sql, run, REASON, expires, used)) {
            return null;
        }
        PausedTurn written = new PausedTurn(paused.model(), turn.elapsed().plusMillis(used.durationMillis()));
        tables.approvals().pause(sql, run.id(), written, journal.encode(), paused.questions(), now, expires);
        Recipient askOn = approval.askOn();
        if (askOn == null) {
            return DeliveryState.NONE;
        }
        Question question = new Question(
                run.id(),
                turn.remembered(),
                askOn,
                ApprovalMessage.text(
                        run.turn().provenance().hook(),
                        run.id(),
                        turn.agent().id(),
                        askOn,
                        paused.questions(),
                        expires),
                run.trace());
        return tables.deliveries().addQuestion(sql, question, now).state();
    }

    /** The operators' decisions about the calls of a run's turn. */
    private final class RunApprovals implements ToolApprovals {

        private final ClaimedRun run;
        private final Map<Integer, Decided> decisions;
        private final TurnCancellation turnCancellation;

        RunApprovals(ClaimedRun run, Map<Integer, Decided> decisions, TurnCancellation turnCancellation) {
            this.run = run;
            this.decisions = decisions;
            this.turnCancellation = turnCancellation;
        }

        @Override
        public boolean canWait() {
            return true;
        }

        @Override
        public Optional<Decided> find(int call) {
            return Optional.ofNullable(decisions.get(call));
        }

        @Override
        public List<Decided> pending() {
            return decisions.values().stream().filter(Decided::isPending).toList();
        }

        @Override
        public boolean begin(int call) {
            try {
                return store.writeAndWait(
                        sql -> run.isHeld(sql) && tables.approvals().begin(sql, run.id(), call, clock.instant()));
            } catch (StoreException e) {
                turnCancellation.interrupt("a database that could not be written");
                return false;
            }
        }

        @Override
        public void end(int call, ToolResult result) {
            try {
                store.writeAndWait(sql -> {
                    boolean isHeld = run.isHeld(sql);
                    if (isHeld) {
                        tables.approvals().end(sql, run.id(), call, result);
                    }
                    return isHeld;
                });
            } catch (StoreException e) {
                LOG.log(
                        Level.WARNING,
                        "The result of an approved call of run {0} was not written: {1}",
                        run.id(),
                        Objects.requireNonNullElse(e.getMessage(), ""));
            }
        }
    }
}

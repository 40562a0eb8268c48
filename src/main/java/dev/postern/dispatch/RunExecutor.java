package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.ProviderWait;
import dev.postern.acceptance.RequestItem;
import dev.postern.agent.PromptText;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnRequest;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnRunner;
import dev.postern.approval.PausedTurn;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.channel.DeliveryRepository.Added;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.config.Settings.Agent;
import dev.postern.config.Settings.Agents;
import dev.postern.heartbeat.Acknowledgement;
import dev.postern.heartbeat.ItemPrompt;
import dev.postern.model.AllowedAction.Turn;
import dev.postern.model.DeliveryState;
import dev.postern.model.Provenance;
import dev.postern.model.ReportedEventType;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.model.TurnRecord;
import dev.postern.observe.TraceSpan;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.UnitOfWork;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An executor for the turns of claimed runs. It also writes the results of runs: state, transcript, summary, delivery.
 */
final class RunExecutor {

    /** The time for which a session lock is kept after a turn could not begin; the obstacle may be gone then. */
    private static final Duration PAUSE_WHEN_NOT_BEGUN = Duration.ofSeconds(1);

    /** The time limit of a turn that goes on although its time was used up before it was paused. */
    private static final Duration SHORTEST_PART = Duration.ofSeconds(10);

    private final Store store;
    private final Agents agents;
    private final TurnRunner turnRunner;
    private final ProviderRetrySchedule retrySchedule;
    private final TurnRepositories tables;
    private final BudgetRegistry budgets;
    private final UndeliveredReplyNotice undeliveredReplyNotice;
    private final TurnPauses pauses;
    private final InstantSource clock;
    private final DispatchCounters dispatchCounters;
    private final Consumer<RunId> ended;
    private final Runnable delivering;

    /**
     * @param ended called for each run that has ended
     * @param delivering called when a reply was added to the outbox
     */
    RunExecutor(
            Store store,
            Agents agents,
            TurnRunner turnRunner,
            ProviderRetrySchedule retrySchedule,
            TurnRepositories tables,
            InstantSource clock,
            DispatchCounters dispatchCounters,
            Consumer<RunId> ended,
            Runnable delivering) {
        this.store = store;
        this.agents = agents;
        this.turnRunner = turnRunner;
        this.retrySchedule = retrySchedule;
        this.tables = tables;
        this.budgets = tables.budgets();
        this.undeliveredReplyNotice = new UndeliveredReplyNotice(tables.events());
        this.pauses = new TurnPauses(store, tables, clock);
        this.clock = clock;
        this.dispatchCounters = dispatchCounters;
        this.ended = ended;
        this.delivering = delivering;
    }

    /**
     * The turn of {@code run}, which counts against its budgets. It begins with the first of its models whose budgets have room.
     * If none has, the run waits, or fails where the budget of its own model says so.
     *
     * @return empty if the turn does not begin
     */
    Optional<ClaimedTurn> begin(SqlTransaction sql, ClaimedRun run) throws SQLException {
        Turn turn = run.turn();
        if (run.isPaused() && pauses.isAwaiting(sql, run)) {
            return Optional.empty();
        }
        Optional<PausedTurn> paused = run.isPaused() ? tables.approvals().find(sql, run.id()) : Optional.empty();
        TurnOrigin origin = originOf(run);
        List<String> models =
                new ArrayList<>(List.of(paused.map(PausedTurn::model).orElse(turn.model())));
        models.addAll(paused.isPresent() ? List.of() : fallbacks(turn));
        BudgetDecision.@Nullable Spent first = null;
        Instant until = Instant.MAX;
        for (String model : models) {
            BudgetDecision decision = budgets.begin(sql, origin, model);
            if (!(decision instanceof BudgetDecision.Spent spent)) {
                return Optional.of(
                        new RunTurn(run, models.subList(models.indexOf(model), models.size()), paused.orElse(null)));
            }
            first = first == null ? spent : first;
            until = spent.until().isBefore(until) ? spent.until() : until;
        }
        withhold(sql, run, Objects.requireNonNull(first), until);
        return Optional.empty();
    }

    private TurnOrigin originOf(ClaimedRun run) {
        Turn turn = run.turn();
        return new TurnOrigin(
                turn.provenance().hook(), run.sender(), agentOf(turn).id());
    }

    private void withhold(SqlTransaction sql, ClaimedRun run, BudgetDecision.Spent spent, Instant until)
            throws SQLException {
        BudgetSettings budget = spent.budget();
        if (budget.whenSpent() != WhenSpent.FAIL) {
            if (tables.runs().hold(sql, run, budget.id(), until)) {
                reportHeld(sql, run, "budget", budget.id(), until);
            }
            return;
        }
        String error = "the budget " + budget.id() + " is spent until " + until.truncatedTo(ChronoUnit.SECONDS);
        if (tables.runs().fail(sql, run, error)) {
            postEnded(sql, new EndedRun(run.id(), RunState.FAILED, run.attempts() - 1, run.turn(), error, run.trace()));
            sql.afterCommit(() -> notifyEnded(run.id(), RunState.FAILED));
        }
    }

    /** The wait of a {@code run} that is not to begin now, because its provider is known to be down; else empty. */
    Optional<ProviderWait> waitOf(ClaimedRun run) {
        Turn turn = run.turn();
        return turnRunner.admit(turn.model(), fallbacks(turn)).flatMap(down -> retrySchedule.next(run.retries(), down));
    }

    /** The models to ask while the provider of the turn's model is down: the mapping's, else the agent's. */
    private List<String> fallbacks(Turn turn) {
        return agentOf(turn).fallbacks(turn.operatorInstructions().fallbacks(), turn.model());
    }

    /** Posts the summary of a run that ended without the end of a turn. */
    void postEnded(SqlTransaction sql, EndedRun run) throws SQLException {
        Turn turn = run.turn();
        tables.approvals().close(sql, run.id(), clock.instant());
        deliverFailure(sql, run.id(), turn, run.trace(), run.state(), run.error());
        reportEnd(sql, run.id(), turn, run.trace(), run.state(), run.attempts(), run.error());
        String summary = RunSummary.of(turn.name(), run.id(), run.attempts(), run.state(), run.error());
        post(sql, turn, run.id(), run.trace(), summary);
    }

    /**
     * Adds a delivery of the reason for the missing reply, if its channel reports failures; true when one was added.
     */
    private boolean deliverFailure(
            SqlTransaction sql, RunId run, Turn turn, @Nullable TraceContext trace, RunState state, String error)
            throws SQLException {
        Reply reply = new Reply(run, state, sessionOf(turn), turn.recipient(), error, trace);
        return turn.deliver() && tables.deliveries().addFailure(sql, reply, clock.instant()) != null;
    }

    /** Reports the end of a run to the channels that subscribe to it; {@code error} is null for one that has succeeded. */
    private void reportEnd(
            SqlTransaction sql,
            RunId run,
            Turn turn,
            @Nullable TraceContext trace,
            RunState state,
            int attempts,
            @Nullable String error)
            throws SQLException {
        Map<String, @Nullable Object> more = new LinkedHashMap<>();
        more.put("status", state.wire());
        more.put("attempts", attempts);
        more.put("error", error);
        boolean succeeded = state == RunState.SUCCEEDED;
        ReportedEventType type = succeeded ? ReportedEventType.RUN_SUCCEEDED : ReportedEventType.RUN_FAILED;
        report(sql, type, run, turn, trace, more);
    }

    /** Reports that {@code run} waits until {@code until} for what {@code name} and {@code value} say. */
    private void reportHeld(SqlTransaction sql, ClaimedRun run, String name, String value, Instant until)
            throws SQLException {
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
        if (!tables.eventReporter().isWanted(type)) {
            return;
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("runId", run.value());
        data.put("hook", turn.provenance().hook());
        data.put("agentId", agentOf(turn).id());
        data.put("sessionKey", turn.sessionKey().value());
        data.putAll(more);
        tables.eventReporter().report(sql, type, data, trace, clock.instant());
    }

    /** Counts the end of {@code run} and notifies its waiters, once it is on disk. */
    void notifyEnded(RunId run, RunState state) {
        dispatchCounters.ran(state);
        ended.accept(run);
    }

    /**
     * Posts {@code summary}. A model's reply is untrusted content for the main session, even if the hook is trusted.
     */
    private void post(SqlTransaction sql, Turn turn, RunId run, @Nullable TraceContext trace, String summary)
            throws SQLException {
        Provenance provenance = Provenance.untrusted(turn.provenance().hook());
        tables.events().post(sql, agentOf(turn).id(), summary, provenance, run, trace, turn.wakeMode());
    }

    private Agent agentOf(Turn turn) {
        return agents.resolve(turn.agentId());
    }

    /** The session that holds the memory and the reply route of {@code turn}: that of the agent that takes it. */
    private SessionId sessionOf(Turn turn) {
        return SessionId.of(agentOf(turn).id(), turn.sessionKey());
    }

    private final class RunTurn implements ClaimedTurn {

        private final ClaimedRun run;
        private final List<String> models;
        private final Turn turn;
        private final Agent agent;
        private final SessionId remembered;
        private final @Nullable PausedTurn paused;
        private TurnProgressLog progress;
        private @Nullable TraceContext trace;
        private @Nullable TurnJournal journal;
        private @Nullable PromptText message;
        private @Nullable TurnRecorder log;
        private boolean pending;

        /**
         * @param models the model that is asked first, and its fallbacks
         * @param paused the turn that goes on; null for one that begins
         */
        RunTurn(ClaimedRun run, List<String> models, @Nullable PausedTurn paused) {
            this.run = run;
            this.paused = paused;
            this.models = List.copyOf(models);
            this.turn = run.turn();
            this.agent = agentOf(turn);
            this.remembered = sessionOf(turn);
            this.trace = run.trace();
            this.progress = TurnProgressLog.of(
                    run.id().value(), "hook " + turn.provenance().hook(), agent, models.get(0));
        }

        @Override
        public String id() {
            return run.id().value();
        }

        @Override
        public SessionId session() {
            return run.session();
        }

        @Override
        public Duration timeout() {
            Duration left = turn.timeout().minus(elapsed());
            return left.compareTo(SHORTEST_PART) < 0 ? SHORTEST_PART : left;
        }

        /** The time that the turn took before it was paused. */
        private Duration elapsed() {
            return paused == null ? Duration.ZERO : paused.elapsed();
        }

        @Override
        public TurnResult take(TurnCancellation turnCancellation) {
            try (TraceSpan span = TraceSpan.continuing(trace, "run")) {
                trace = span.context();
                progress = progress.in(trace);
                span.set("postern.run.id", id())
                        .set("postern.run.attempt", (long) run.attempts())
                        .set("postern.hook", turn.provenance().hook())
                        .set("postern.agent.id", agent.id());
                TurnResult outcome = taken(turnCancellation);
                outcome.describe(span);
                return outcome;
            }
        }

        private TurnResult taken(TurnCancellation turnCancellation) {
            ToolPermissions tools = ToolPermissions.of(
                    agent.tools(),
                    turn.operatorInstructions().tools(),
                    turn.operatorInstructions().approve());
            PromptText asked;
            TurnJournal earlier;
            try {
                asked = prompt();
                earlier = pauses.journal(run, paused, tools, turnCancellation);
            } catch (StoreException e) {
                return new TurnResult.NotStarted("a database that could not be read");
            }
            message = asked;
            journal = earlier;
            progress.begins(Level.INFO, run.attempts() > 1 ? ", attempt " + run.attempts() : "");
            TurnRecorder writtenDown = new TurnRecorder();
            log = writtenDown;
            if (!models.get(0).equals(turn.model())) {
                writtenDown.recordFallback(models.get(0));
            }
            try {
                return turnRunner.take(
                        new TurnRequest(
                                id(),
                                agent,
                                remembered,
                                models.get(0),
                                models.subList(1, models.size()),
                                turn.thinking(),
                                asked,
                                tools,
                                earlier,
                                run::isHeld,
                                writtenDown),
                        turnCancellation);
            } finally {
                dispatchCounters.used(writtenDown);
            }
        }

        /** The message, or the texts of all requests that became the run, behind the operator's instructions. */
        private PromptText prompt() throws StoreException {
            @Nullable String instructions = turn.operatorInstructions().instructions();
            List<RequestItem> items = run.items() == 1 ? List.of() : store.read(run::readItems);
            if (items.isEmpty()) {
                return PromptText.of(turn.provenance(), turn.message(), instructions);
            }
            PromptText.Builder text = new PromptText.Builder();
            if (instructions != null) {
                text.addOperatorText(instructions);
            }
            return ItemPrompt.add(text, turn.provenance(), run.items(), items).build();
        }

        @Override
        public TurnCompletion end(TurnResult outcome) {
            if (outcome instanceof TurnResult.Replied replied) {
                return ended(RunState.SUCCEEDED, replied.text(), null);
            }
            if (outcome instanceof TurnResult.Failed failed) {
                return ended(RunState.FAILED, null, failed.sentence());
            }
            if (outcome instanceof TurnResult.ProviderDown down) {
                return providerDown(down);
            }
            if (outcome instanceof TurnResult.Paused waiting) {
                return paused(waiting);
            }
            if (outcome instanceof TurnResult.Cancelled cancelled) {
                return ended(RunState.CANCELLED, null, cancelled.sentence());
            }
            if (outcome instanceof TurnResult.Interrupted interrupted) {
                return interrupted(interrupted.reason());
            }
            if (outcome instanceof TurnResult.NotStarted) {
                return new TurnCompletion(sql -> tables.runs().giveBack(sql, run), () -> {}, PAUSE_WHEN_NOT_BEGUN);
            }
            return ended(
                    RunState.TIMED_OUT,
                    null,
                    "timed out after " + turn.timeout().toSeconds() + " s");
        }

        @Override
        public TurnCompletion giveBack() {
            return new TurnCompletion(sql -> tables.runs().giveBack(sql, run), () -> {});
        }

        /** Tools may have had an effect: if some were called, the attempt counts, so that they are not called forever. */
        private TurnCompletion providerDown(ProviderDown down) {
            boolean attempted = log != null && log.hasCalledTools();
            Optional<ProviderWait> wait = retrySchedule.next(run.retries(), down);
            if (wait.isEmpty()) {
                return ended(RunState.FAILED, null, down.sentence());
            }
            int most = agents.defaults().maxAttempts();
            if (attempted && run.attempts() >= most) {
                return ended(
                        RunState.FAILED,
                        null,
                        down.sentence() + "; tools were called, and the " + most + " attempts are used up");
            }
            @Nullable TurnRecord used = log == null ? null : log.record();
            UnitOfWork<Boolean> unit =
                    sql -> tables.runs().postpone(sql, run, wait.get(), attempted) && spend(sql, false);
            return new TurnCompletion(unit, () -> {
                dispatchCounters.postponed();
                tell(
                        "to be begun again at " + wait.get().until().truncatedTo(ChronoUnit.SECONDS)
                                + ", because its provider is down",
                        used);
            });
        }

        private TurnCompletion paused(TurnResult.Paused waiting) {
            TurnRecord used =
                    Objects.requireNonNull(log, "a turn that waits was taken").record();
            TurnJournal earlier = Objects.requireNonNull(journal, "a turn that waits was taken");
            Duration elapsed = elapsed().plusMillis(used.durationMillis());
            return new TurnCompletion(
                    sql -> {
                        @Nullable
                        DeliveryState asked = pauses.pause(sql, run, agent, remembered, waiting, earlier, elapsed);
                        if (asked == null) {
                            return false;
                        }
                        pending = asked == DeliveryState.PENDING;
                        reportHeld(
                                sql,
                                run,
                                "approval",
                                waiting.questions().stream()
                                        .map(question -> question.server() + "/" + question.tool())
                                        .distinct()
                                        .collect(Collectors.joining(", ")),
                                clock.instant().plus(agent.tools().approval().within()));
                        return spend(sql, false);
                    },
                    () -> {
                        progress.ended(Level.INFO, "paused until an operator decides about a tool call", used);
                        if (pending) {
                            delivering.run();
                        }
                    });
        }

        private TurnCompletion interrupted(String reason) {
            int most = agents.defaults().maxAttempts();
            if (run.attempts() < most) {
                @Nullable TurnRecord used = log == null ? null : log.record();
                return new TurnCompletion(sql -> tables.runs().release(sql, run) && spend(sql, false), () -> {
                    dispatchCounters.interrupted();
                    tell("interrupted by " + reason + ", to be begun again", used);
                });
            }
            return ended(RunState.FAILED, null, "interrupted by " + reason + "; its " + most + " attempts are used up");
        }

        private TurnCompletion ended(RunState state, @Nullable String reply, @Nullable String error) {
            @Nullable
            TurnRecord used =
                    log == null ? null : log.record().withCost(tables.spending().cost(log.uses()));
            String said = reply == null ? String.valueOf(error) : reply;
            String summary = RunSummary.of(turn.name(), run.id(), run.attempts(), state, said);
            return new TurnCompletion(sql -> write(sql, state, reply, error, used, summary), () -> {
                tell(state.wire(), used);
                notifyEnded(run.id(), state);
                if (pending) {
                    delivering.run();
                }
            });
        }

        /** Records what the turn has spent; true always. */
        private boolean spend(SqlTransaction sql, boolean ended) throws SQLException {
            if (log != null) {
                tables.spending().record(sql, originOf(run), log.uses(), ended);
            }
            return true;
        }

        private void tell(String outcome, @Nullable TurnRecord used) {
            if (used != null) {
                progress.ended(Level.INFO, outcome, used);
            }
        }

        private boolean write(
                SqlTransaction sql,
                RunState state,
                @Nullable String reply,
                @Nullable String error,
                @Nullable TurnRecord used,
                String summary)
                throws SQLException {
            if (!tables.runs().finish(sql, run, state, reply, error, used)) {
                return false;
            }
            Instant now = clock.instant();
            if (paused != null) {
                tables.approvals().close(sql, run.id(), now);
            }
            @Nullable String failure = null;
            if (reply != null) {
                PromptText asked = Objects.requireNonNull(message, "a turn that has a reply was taken");
                tables.transcript().append(sql, remembered, id(), asked, reply, now);
                failure = deliver(sql, reply, now);
            } else {
                pending = deliverFailure(sql, run.id(), turn, trace, state, String.valueOf(error));
            }
            spend(sql, true);
            reportEnd(sql, run.id(), turn, trace, state, run.attempts(), error);
            post(sql, turn, run.id(), trace, summary);
            if (failure != null) {
                undeliveredReplyNotice.onUndelivered(sql, agent.id(), run.id().value(), failure);
            }
            return true;
        }

        /**
         * Adds the reply's delivery.
         *
         * @return the notice for the main session when the delivery failed at once, else null
         */
        private @Nullable String deliver(SqlTransaction sql, String text, Instant now) throws SQLException {
            if (!turn.deliver()) {
                return null;
            }
            Reply reply = new Reply(run.id(), RunState.SUCCEEDED, remembered, turn.recipient(), text, trace);
            if (Acknowledgement.is(text)) {
                tables.deliveries().suppress(sql, reply, now);
                return null;
            }
            Added added = tables.deliveries().add(sql, reply, now);
            pending = added.state() == DeliveryState.PENDING;
            return added.failure();
        }
    }
}

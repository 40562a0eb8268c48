package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.SkippedHeartbeat;
import dev.postern.acceptance.WaitingEvent;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnRequest;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnRunner;
import dev.postern.agent.WorkspaceFiles;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.TurnOrigin;
import dev.postern.channel.DeliveryRepository.Added;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.config.Settings.Agent;
import dev.postern.config.Settings.Agents;
import dev.postern.heartbeat.Acknowledgement;
import dev.postern.heartbeat.HeartbeatPrompt;
import dev.postern.heartbeat.HeartbeatRetryRule;
import dev.postern.model.DeliveryState;
import dev.postern.model.IdGenerator;
import dev.postern.model.Recipient;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.model.TurnRecord;
import dev.postern.observe.TraceSpan;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An executor for the turns of claimed heartbeats. After a successful turn its events are marked as taken, together
 * with its transcript and its delivery. A failed heartbeat is retried as {@link HeartbeatRetryRule} says, or when
 * another is requested. A retry of a scheduled heartbeat respects the active hours. The reason of each heartbeat
 * without effect is stored.
 */
final class HeartbeatExecutor {

    private static final Logger LOG = System.getLogger(HeartbeatExecutor.class.getName());
    private static final Duration PAUSE_WHEN_INTERRUPTED = Duration.ofSeconds(1);
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

    private final Store store;
    private final Agents agents;
    private final TurnRunner turnRunner;
    private final TurnRepositories tables;
    private final UndeliveredReplyNotice undeliveredReplyNotice;
    private final InstantSource clock;
    private final IdGenerator idGenerator;
    private final DispatchCounters dispatchCounters;
    private final Runnable delivering;

    /**
     * @param delivering called when a reply was added to the outbox
     */
    HeartbeatExecutor(
            Store store,
            Agents agents,
            TurnRunner turnRunner,
            TurnRepositories tables,
            InstantSource clock,
            IdGenerator idGenerator,
            DispatchCounters dispatchCounters,
            Runnable delivering) {
        this.store = store;
        this.agents = agents;
        this.turnRunner = turnRunner;
        this.tables = tables;
        this.undeliveredReplyNotice = new UndeliveredReplyNotice(tables.events());
        this.clock = clock;
        this.idGenerator = idGenerator;
        this.dispatchCounters = dispatchCounters;
        this.delivering = delivering;
    }

    /**
     * The turn of {@code beat}, which counts against its budgets. Empty if one has no room: then the heartbeat waits, and looks
     * again from time to time, in case the budget was changed. A heartbeat that has nothing to ask counts nowhere, and ends.
     */
    Optional<ClaimedTurn> begin(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        HeartbeatTurn turn = new HeartbeatTurn(beat);
        if (tables.budgets().all().isEmpty()) {
            return Optional.of(turn);
        }
        if (turn.asksNothing(sql)) {
            turn.finishEmpty(sql);
            return Optional.empty();
        }
        BudgetDecision decision =
                tables.budgets().begin(sql, TurnOrigin.heartbeat(turn.agent.id()), turn.agent.model());
        if (decision instanceof BudgetDecision.Spent spent) {
            Instant now = clock.instant();
            tables.events()
                    .releaseHeartbeat(sql, beat, Collections.min(List.of(spent.until(), now.plus(LONGEST_HOLD))));
            turn.missed(sql, now, "held by the budget " + spent.budget().id());
            return Optional.empty();
        }
        return Optional.of(turn);
    }

    private final class HeartbeatTurn implements ClaimedTurn {

        private final ClaimedHeartbeat beat;
        private final Agent agent;
        private final String id = idGenerator.of("beat");
        private final SessionId remembered;
        private TurnProgressLog progress;
        private @Nullable TraceContext trace;
        private TurnRecorder used = new TurnRecorder();
        private @Nullable HeartbeatPrompt prompt;
        private @Nullable Added added;

        HeartbeatTurn(ClaimedHeartbeat beat) {
            this.beat = beat;
            this.agent = agents.resolve(beat.agentId());
            this.remembered = SessionId.of(agent.id(), beat.session().key());
            this.progress = TurnProgressLog.of(id, "a heartbeat", agent, agent.model());
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public SessionId session() {
            return beat.session();
        }

        @Override
        public Duration timeout() {
            return agents.defaults().timeout();
        }

        @Override
        public TurnResult take(TurnCancellation turnCancellation) {
            used = new TurnRecorder();
            try {
                int most = HeartbeatPrompt.maxEventsAfter(beat.failures());
                List<WaitingEvent> waiting = store.read(sql -> tables.events().waiting(sql, beat.agentId(), most));
                Optional<HeartbeatPrompt> asked = promptOf(waiting);
                if (asked.isEmpty()) {
                    return new TurnResult.Replied("");
                }
                prompt = asked.get();
                return taken(asked.get(), causes(asked.get(), waiting), turnCancellation);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "Heartbeat of {0}: HEARTBEAT.md cannot be read: {1}", beat.agentId(), e);
                return new TurnResult.Failed("HEARTBEAT.md cannot be read");
            } catch (StoreException e) {
                return new TurnResult.NotStarted("a database that could not be read");
            }
        }

        private TurnResult taken(HeartbeatPrompt asked, List<TraceContext> causes, TurnCancellation turnCancellation) {
            try (TraceSpan span = TraceSpan.linkedTo(causes, "heartbeat")) {
                trace = span.context();
                progress = progress.in(trace);
                span.set("postern.heartbeat.id", id)
                        .set("postern.agent.id", agent.id())
                        .set("postern.events", (long) events());
                progress.begins(level(), ", events " + events());
                ToolPermissions tools = ToolPermissions.of(agent.tools(), Optional.empty(), List.of());
                TurnResult outcome = turnRunner.take(
                        new TurnRequest(
                                id,
                                agent,
                                remembered,
                                agent.model(),
                                agent.fallbacks(),
                                agent.thinking(),
                                asked.text(),
                                tools,
                                TurnJournal.of(ToolApprovals.UNAVAILABLE),
                                beat::isHeld,
                                used),
                        turnCancellation);
                outcome.describe(span);
                return outcome;
            } finally {
                dispatchCounters.used(used);
            }
        }

        /** The trace contexts of the events that this heartbeat takes. */
        private static List<TraceContext> causes(HeartbeatPrompt asked, List<WaitingEvent> waiting) {
            return waiting.stream()
                    .filter(event -> asked.events().contains(event.id()))
                    .map(WaitingEvent::trace)
                    .filter(Objects::nonNull)
                    .toList();
        }

        @Override
        public TurnCompletion end(TurnResult outcome) {
            if (outcome instanceof TurnResult.Interrupted interrupted) {
                TurnRecord turn = used.record();
                return released(PAUSE_WHEN_INTERRUPTED, "interrupted by " + interrupted.reason(), () -> {
                    progress.ended(level(), "interrupted by " + interrupted.reason() + "; will be run again", turn);
                });
            }
            if (outcome instanceof TurnResult.NotStarted notStarted) {
                LOG.log(Level.DEBUG, "Heartbeat of {0}: not begun because of {1}", beat.agentId(), notStarted.reason());
                return released(PAUSE_WHEN_INTERRUPTED, "not begun because of " + notStarted.reason(), () -> {});
            }
            if (outcome instanceof TurnResult.Failed failed) {
                return failed(failed.sentence(), Duration.ZERO, true);
            }
            if (outcome instanceof TurnResult.ProviderDown down) {
                return failed(down.sentence(), down.pause(), false);
            }
            if (!(outcome instanceof TurnResult.Replied replied)) {
                return failed("timed out after " + timeout().toSeconds() + " s", Duration.ZERO, true);
            }
            HeartbeatPrompt asked = prompt;
            if (asked == null) {
                return empty();
            }
            TurnRecord turn = used.record();
            return new TurnCompletion(sql -> write(sql, asked, replied.text()), () -> {
                dispatchCounters.heartbeatEnded(true);
                answered(turn);
            });
        }

        @Override
        public TurnCompletion giveBack() {
            return new TurnCompletion(sql -> tables.events().releaseHeartbeat(sql, beat, clock.instant()), () -> {});
        }

        private TurnCompletion released(Duration pause, String why, Runnable afterwards) {
            return new TurnCompletion(
                    sql -> {
                        Instant now = clock.instant();
                        return tables.events().releaseHeartbeat(sql, beat, now.plus(pause))
                                && missed(sql, now, why)
                                && spend(sql, false);
                    },
                    afterwards);
        }

        private Optional<HeartbeatPrompt> promptOf(List<WaitingEvent> waiting) throws IOException {
            return HeartbeatPrompt.of(new WorkspaceFiles(agent.workspace()).heartbeat(), waiting);
        }

        /** Whether nothing waits and HEARTBEAT.md says nothing. If that can't be read, the turn will tell. */
        private boolean asksNothing(SqlTransaction sql) throws SQLException {
            try {
                return promptOf(tables.events().waiting(sql, beat.agentId(), 1)).isEmpty();
            } catch (IOException e) {
                return false;
            }
        }

        private TurnCompletion empty() {
            return new TurnCompletion(this::finishEmpty, () -> {});
        }

        private boolean finishEmpty(SqlTransaction sql) throws SQLException {
            Instant now = clock.instant();
            return tables.events().finishHeartbeat(sql, beat, List.of(), now)
                    && missed(sql, now, "nothing waited, and HEARTBEAT.md says nothing");
        }

        private boolean missed(SqlTransaction sql, Instant at, String why) throws SQLException {
            new SkippedHeartbeat(at, why).note(sql, beat);
            return true;
        }

        /** Records what the turn has spent; true always. */
        private boolean spend(SqlTransaction sql, boolean ended) throws SQLException {
            tables.spending().record(sql, TurnOrigin.heartbeat(agent.id()), used.uses(), ended);
            return true;
        }

        /**
         * @param asked the time for which the provider is not to be asked again
         * @param ended false if the turn could not be taken because its provider is down
         */
        private TurnCompletion failed(String why, Duration asked, boolean ended) {
            Duration own = HeartbeatRetryRule.pause(beat.failures());
            Duration pause = own.compareTo(asked) < 0 ? asked : own;
            TurnRecord turn = used.record();
            return new TurnCompletion(
                    sql -> {
                        Instant now = clock.instant();
                        Instant retryAt = beat.askedFor() ? now.plus(pause) : null;
                        return tables.events().failHeartbeat(sql, beat, retryAt, now.plus(HeartbeatRetryRule.SHORTEST))
                                && missed(sql, now, why + alone())
                                && spend(sql, ended);
                    },
                    () -> {
                        dispatchCounters.heartbeatEnded(false);
                        progress.ended(Level.WARNING, why + alone() + "; retry in " + pause.toSeconds() + " s", turn);
                    });
        }

        private boolean write(SqlTransaction sql, HeartbeatPrompt asked, String reply) throws SQLException {
            Instant now = clock.instant();
            if (!tables.events().finishHeartbeat(sql, beat, asked.events(), now)) {
                return false;
            }
            if (!asked.events().isEmpty() || !Acknowledgement.is(reply)) {
                tables.transcript().append(sql, remembered, id, asked.text(), reply, now);
            }
            added = deliver(sql, reply, now);
            return spend(sql, true);
        }

        private @Nullable Added deliver(SqlTransaction sql, String text, Instant now) throws SQLException {
            Optional<Recipient> recipient = agent.heartbeat().recipient();
            if (recipient.isEmpty() || Acknowledgement.is(text)) {
                return null;
            }
            Added reply = tables.deliveries()
                    .add(sql, new Reply(null, RunState.SUCCEEDED, beat.session(), recipient.get(), text, trace), now);
            if (reply.failure() != null) {
                undeliveredReplyNotice.onUndelivered(sql, beat.agentId(), null, reply.failure());
            }
            return reply;
        }

        private void answered(TurnRecord turn) {
            Added reply = added;
            String whereTo = reply == null
                    ? "nobody"
                    : reply.channel() + " (" + reply.state().wire() + ")";
            progress.ended(level(), "answered, reply to " + whereTo, turn);
            if (reply != null && reply.state() == DeliveryState.PENDING) {
                delivering.run();
            }
        }

        /** DEBUG for a heartbeat with standing instructions and no event, which is no news; else INFO. */
        private Level level() {
            return events() == 0 ? Level.DEBUG : Level.INFO;
        }

        /**
         * The id of the only event, as the end of a sentence: if it fails repeatedly, the operator should look at it.
         */
        private String alone() {
            return events() == 1
                    ? ", with event "
                            + Objects.requireNonNull(prompt).events().get(0).value()
                    : "";
        }

        private int events() {
            return prompt == null ? 0 : prompt.events().size();
        }
    }
}

package dev.postern.app;

import dev.postern.acceptance.Intake;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.access.SenderGuard;
import dev.postern.access.SignatureError;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.config.MappingSettings;
import dev.postern.console.RuntimeInfo;
import dev.postern.dispatch.DispatchMetrics;
import dev.postern.dispatch.Dispatcher;
import dev.postern.http.ResponseRecorder;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.SkippedRequests;
import dev.postern.mail.MailMetrics;
import dev.postern.mail.MailSkipReason;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.DeliveryState;
import dev.postern.model.ErrorCode;
import dev.postern.model.NothingReason;
import dev.postern.model.RunState;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.observe.HealthCheck;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.MetricRegistry;
import dev.postern.requests.RequestWriter;
import dev.postern.statistics.CountKind;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The metrics and health checks that operators get, which include what must work for Postern to be ready. */
final class Supervision {

    private static final String SENDER = "sender";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String TOKENS = "postern_tokens_total";
    private static final String TOKENS_HELP = "Tokens that turns on this node have used, as providers count them";
    private static final String LOCKED_OUT = "postern_locked_out_clients";
    private static final String OLDEST_WAITING = "postern_oldest_waiting_seconds";
    private static final List<DeliveryState> ENDED =
            List.of(DeliveryState.DELIVERED, DeliveryState.SUPPRESSED, DeliveryState.FAILED);

    private Supervision() {}

    static HealthChecks health(Store store) {
        return new HealthChecks()
                .addVitalComponent(
                        "commits",
                        () -> store.isAlive()
                                ? new HealthCheck.Up()
                                : new HealthCheck.Down("the thread that commits has ended"))
                .addComponent("database", () -> database(store));
    }

    /** Checks the database. The dispatcher renews its lease every few seconds, so that the latest write is never old. */
    private static HealthCheck database(Store store) {
        try {
            store.read(sql -> sql.first("SELECT 1 AS one", row -> row.number("one")));
        } catch (StoreException e) {
            return new HealthCheck.Down("the database does not answer; the log says more");
        }
        return store.takesWrites()
                ? new HealthCheck.Up()
                : new HealthCheck.Down("the database does not take what is written; the log says more");
    }

    /** The totals since the start that are counted by period. */
    static Map<CountKind, Long> totals(Dispatcher dispatcher, ResponseRecorder responseRecorder) {
        Map<CountKind, Long> totals = new EnumMap<>(CountKind.class);
        dispatcher.metrics().ended().forEach((state, total) -> CountKind.of(state)
                .ifPresent(kind -> totals.put(kind, total)));
        totals.put(CountKind.UNADMITTED, responseRecorder.unadmitted());
        return totals;
    }

    static MetricRegistry metrics(
            ResponseRecorder responseRecorder,
            AuthenticationLockouts lockouts,
            ScriptRegistry scriptRegistry,
            Intake intake,
            Store store,
            Dispatcher dispatcher,
            ProviderBreakerRegistry breakers,
            RequestWriter requestWriter) {
        MetricRegistry metricRegistry = new MetricRegistry()
                .counter("postern_accepted_total", "Actions accepted", "action", "wake", responseRecorder::wakes)
                .counter("postern_accepted_total", "Actions accepted", "action", "agent", responseRecorder::turns)
                .counter(
                        "postern_accepted_total", "Actions accepted", "action", "deliver", responseRecorder::deliveries)
                .gauge(LOCKED_OUT, "Clients locked out now", "of", "hooks", lockouts.hooks()::lockedOutClients)
                .gauge(LOCKED_OUT, "Clients locked out now", "of", "logins", lockouts.logins()::lockedOutClients)
                .counter("postern_script_runs_total", "Calls of transforms", scriptRegistry::runs)
                .counter("postern_script_kills_total", "Calls of transforms that were ended", scriptRegistry::kills)
                .gauge("postern_scripts_switched_off", "Transforms that are switched off now", () -> scriptRegistry
                        .switchedOff()
                        .size())
                .gauge("postern_pending", "Accepted actions that are not done", () -> read(intake::pending))
                .gauge(
                        OLDEST_WAITING,
                        "Age of what has waited longest for its turn",
                        "kind",
                        "run",
                        () -> read(() -> seconds(intake.oldestWaiting())))
                .gauge(
                        OLDEST_WAITING,
                        "Age of what has waited longest for its turn",
                        "kind",
                        "event",
                        () -> read(() -> seconds(intake.oldestWaitingEvent())))
                .gauge("postern_running", "Turns under way", () -> dispatcher
                        .metrics()
                        .running())
                .counter("postern_heartbeats_total", "Heartbeats that a model answered", () -> dispatcher
                        .metrics()
                        .heartbeats())
                .counter("postern_failed_heartbeats_total", "Heartbeats that failed", () -> dispatcher
                        .metrics()
                        .failedHeartbeats())
                .counter("postern_interrupted_runs_total", "Runs broken off and queued again", () -> dispatcher
                        .metrics()
                        .interrupted())
                .counter(
                        "postern_postponed_runs_total",
                        "Turns after which a run waits for its provider",
                        () -> dispatcher.metrics().postponed())
                .gauge(
                        "postern_runs_waiting_for_provider",
                        "Runs that wait for a provider that is down",
                        () -> read(dispatcher::runsWaitingForProvider))
                .gauge(
                        "postern_approvals_undecided",
                        "Tool calls that wait for an operator's approval",
                        () -> read(dispatcher::undecidedApprovals))
                .counter(TOKENS, TOKENS_HELP, "direction", "input", () -> used(dispatcher)
                        .inputTokens())
                .counter(TOKENS, TOKENS_HELP, "direction", "output", () -> used(dispatcher)
                        .outputTokens())
                .gauge(
                        "postern_pending_deliveries",
                        "Deliveries still to be sent",
                        () -> read(dispatcher::deliveriesPending))
                .counter("postern_commits_total", "Transactions on disk", () -> store.metrics()
                        .commits())
                .counter("postern_failed_writes_total", "Writes that the database did not take", () -> store.metrics()
                        .failed())
                .counter(
                        "postern_requests_not_logged_total",
                        "Admitted requests that the request log does not hold",
                        requestWriter::dropped)
                .gauge("postern_commit_batch_size", "Writes in a commit, on average", () -> store.metrics()
                        .meanBatch())
                .gauge(
                        "postern_commit_seconds",
                        "Time of a commit, on average",
                        () -> seconds(store.metrics().meanCommit()))
                .gauge("postern_commit_queue", "Writes that wait for a commit", () -> store.metrics()
                        .queued());
        breakers.all()
                .forEach((provider, breaker) -> metricRegistry.gauge(
                        "postern_provider_down",
                        "1 while this node counts the provider as down",
                        "provider",
                        provider,
                        () -> breaker.outage().isPresent() ? 1 : 0));
        for (ErrorCode code : ErrorCode.values()) {
            metricRegistry.counter(
                    "postern_refused_total",
                    "Requests refused",
                    "code",
                    code.label(),
                    () -> responseRecorder.errors(code));
        }
        for (SignatureError error : SignatureError.values()) {
            metricRegistry.counter(
                    "postern_signature_errors_total",
                    "Requests whose signature was invalid",
                    "reason",
                    error.label(),
                    () -> responseRecorder.signatureErrors(error));
        }
        for (RunState state : RunState.values()) {
            if (state.ended()) {
                metricRegistry.counter("postern_runs_total", "Runs that ended", "state", state.wire(), () -> dispatcher
                        .metrics()
                        .ended()
                        .getOrDefault(state, 0L));
            }
        }
        for (Outcome outcome : Outcome.values()) {
            metricRegistry.counter(
                    "postern_tool_calls_total",
                    "Tool calls of turns on this node",
                    "status",
                    outcome.wire(),
                    () -> used(dispatcher).toolCalls().getOrDefault(outcome, 0L));
        }
        for (DeliveryState state : ENDED) {
            metricRegistry.counter(
                    "postern_deliveries_total",
                    "Deliveries that ended",
                    "state",
                    state.wire(),
                    () -> dispatcher.deliveriesEnded(state));
        }
        return metricRegistry;
    }

    /** Adds the counts of {@code senders}, the ids of those with tokens of their own, to {@code metricRegistry}. */
    static void senders(Collection<String> senders, SenderGuard senderGuard, MetricRegistry metricRegistry) {
        for (String id : senders) {
            metricRegistry
                    .counter(
                            "postern_sender_requests_total",
                            "Requests that the sender's own token admitted",
                            SENDER,
                            id,
                            () -> senderGuard.counts(id).requests())
                    .counter(
                            "postern_sender_not_allowed_total",
                            "Requests for something outside the sender's scope",
                            SENDER,
                            id,
                            () -> senderGuard.counts(id).notAllowed())
                    .counter(
                            "postern_sender_rate_limited_total",
                            "Requests past the sender's rate",
                            SENDER,
                            id,
                            () -> senderGuard.counts(id).rateLimited());
        }
    }

    /** Adds the counts of requests whose events a Postern caused to {@code metricRegistry}. */
    static void skipped(SkippedRequests skipped, MetricRegistry metricRegistry) {
        for (NothingReason reason :
                List.of(NothingReason.OWN_ACCOUNT, NothingReason.OWN_DELIVERY, NothingReason.OTHER_POSTERN)) {
            metricRegistry.counter(
                    "postern_skipped_requests_total",
                    "Requests that asked for nothing because a Postern caused their events",
                    "reason",
                    reason.wire(),
                    () -> skipped.count(reason));
        }
    }

    /** Adds the counts of those of {@code mappings} whose requests join each other to {@code metricRegistry}. */
    static void coalescing(Collection<MappingSettings> mappings, Ingress ingress, MetricRegistry metricRegistry) {
        for (MappingSettings mapping : mappings) {
            if (mapping.load().coalesce() != null) {
                metricRegistry.counter(
                        "postern_coalesced_requests_total",
                        "Requests that joined earlier ones of their group",
                        "mapping",
                        mapping.id(),
                        () -> ingress.joined(mapping.id()));
            }
        }
    }

    /** The providers that are down now, for the console. */
    static List<RuntimeInfo.Outage> outages(ProviderBreakerRegistry breakers) {
        List<RuntimeInfo.Outage> outages = new ArrayList<>();
        breakers.all().forEach((provider, breaker) -> breaker.outage()
                .ifPresent(outage -> outages.add(new RuntimeInfo.Outage(provider, outage.since(), outage.reason()))));
        return outages;
    }

    /** Adds the mail watch to {@code health} and {@code metricRegistry}. */
    static void mail(MailMetrics mail, HealthChecks health, MetricRegistry metricRegistry) {
        health.addComponent("mail", mail::check);
        metricRegistry
                .counter("postern_mails_handled_total", "Mails whose hook was accepted", mail::handled)
                .counter("postern_mails_repeated_total", "Mails that were known already", mail::repeated)
                .counter("postern_mail_connections_total", "Connections to the mail server", mail::connections)
                .gauge(
                        "postern_mail_watching",
                        "1 while this node is connected to the mailbox",
                        () -> mail.isWatching() ? 1 : 0)
                .gauge("postern_last_mail_timestamp_seconds", "When the last mail was handled", () -> mail.last()
                        .map(at -> at.toEpochMilli() / 1e3)
                        .orElse(Double.NaN));
        for (MailSkipReason skip : MailSkipReason.values()) {
            metricRegistry.counter(
                    "postern_mails_skipped_total",
                    "Mails that asked for nothing",
                    "reason",
                    skip.label(),
                    () -> mail.skipped(skip));
        }
    }

    /** The status of {@code mail} for the console. */
    static RuntimeInfo.Mail mail(MailMetrics mail) {
        return new RuntimeInfo.Mail(
                mail.status(),
                mail.isWatching(),
                mail.connections(),
                mail.handled(),
                mail.repeated(),
                mail.last().orElse(null),
                Stream.of(MailSkipReason.values())
                        .filter(skip -> mail.skipped(skip) > 0)
                        .map(skip -> new RuntimeInfo.Skipped(skip.words(), mail.skipped(skip)))
                        .toList(),
                mail.lastSkip().map(MailSkipReason::words).orElse(null));
    }

    private static DispatchMetrics.Used used(Dispatcher dispatcher) {
        return dispatcher.metrics().used();
    }

    /** A read of the database for a metric. */
    interface DatabaseRead {
        double value() throws StoreException;
    }

    /** Reads a metric from the database; NaN while the database does not answer, as Prometheus writes unknown values. */
    static double read(DatabaseRead figure) {
        try {
            return figure.value();
        } catch (StoreException e) {
            return Double.NaN;
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}

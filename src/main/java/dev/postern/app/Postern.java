package dev.postern.app;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.RunRepository;
import dev.postern.acceptance.SourceCursors;
import dev.postern.agent.BackendRegistry;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.chat.ChatBackendFactory;
import dev.postern.agent.tool.ToolServerRegistry;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingQueries;
import dev.postern.budget.SpendingRecorder;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.EventReporter;
import dev.postern.channel.Outbox;
import dev.postern.channel.vendor.ChannelFactory;
import dev.postern.channel.vendor.SentMailTable;
import dev.postern.config.HookSettings;
import dev.postern.config.MappingSettings;
import dev.postern.config.Settings;
import dev.postern.console.Console;
import dev.postern.console.RunningInstance;
import dev.postern.console.RuntimeInfo;
import dev.postern.dispatch.BudgetWarningNotice;
import dev.postern.dispatch.Dispatcher;
import dev.postern.dispatch.DispatcherDependencies;
import dev.postern.dispatch.ProviderOutageNotice;
import dev.postern.http.HooksResource;
import dev.postern.http.RestApplication;
import dev.postern.http.ResultResponses;
import dev.postern.http.RunEventServlet;
import dev.postern.http.RunEventStreams;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.RequestPreview;
import dev.postern.ingress.SkippedRequests;
import dev.postern.mail.MailWatcher;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.IdGenerator;
import dev.postern.net.HttpConnections;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.JmxRegistration;
import dev.postern.observe.MetricRegistry;
import dev.postern.policy.Policy;
import dev.postern.requests.PayloadCipher;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.PayloadSealer;
import dev.postern.requests.RequestQueries;
import dev.postern.requests.RequestReplay;
import dev.postern.requests.RequestTable;
import dev.postern.requests.RequestWriter;
import dev.postern.requests.SenderRequestQueries;
import dev.postern.statistics.CountQueries;
import dev.postern.statistics.CountRecorder;
import dev.postern.store.ExpiredRows;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import jakarta.servlet.Servlet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The composition root: the services that need the {@link CoreServices} and an open database, in the order in which they are
 * made:
 *
 * <ol>
 *   <li>the intake, which stores submissions, and the waiters for runs
 *   <li>the executors of turns, of HTTP clients and of deliveries
 *   <li>the connections to external services, the tool servers, the backends and the channels, which connect when first used
 *   <li>the dispatcher, which claims runs, heartbeats and deliveries
 *   <li>the ingress and the mail watch
 *   <li>the resource of the hooks, and the streams of the events of runs
 *   <li>the health checks, the mapping trials and the console
 *   <li>the metrics
 * </ol>
 *
 * <p>They are closed in reverse, when the container takes no more requests. The mail watch ends between two mails. The
 * dispatcher waits up to 30 s for running turns and leaves the rest in the database. Last, the database completes its queued
 * writes and releases the home.
 */
final class Postern implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final int MAX_WAITING_SENDERS = 10_000;

    /** The most requests of one credential in a second that are logged though they were not accepted. */
    private static final int LOGGED_PER_SECOND = 50;

    private static final int MAX_WAITING_ENTRIES = 500;

    /** The time between two writes of counts, which an abrupt end loses at most. */
    private static final Duration COUNTS_PAUSE = Duration.ofSeconds(5);

    private static final Duration RATES_PAUSE = Duration.ofSeconds(1);

    /** The threads in addition to those of turns: for the mail watch and for database work. */
    private static final int MORE_THREADS = 5;

    private final CloseableStack closeableStack;
    private final String database;
    private final HealthChecks health;
    private final MetricRegistry metricRegistry;
    private final Servlet hooks;
    private final Console console;

    private Postern(
            CloseableStack closeableStack,
            CoreServices ground,
            Store store,
            RunningInstance runningInstance,
            ContainerResources container)
            throws StoreException, StartException {
        this.closeableStack = closeableStack;
        closeableStack.with(store);
        this.database = store.location() + source(ground.settings(), container);
        Settings settings = ground.settings();
        HookSettings hooks = settings.hooks();
        InstantSource time = ground.time();
        IdGenerator idGenerator = ground.idGenerator();
        PosternThreads threads = ground.threads();
        ScheduledThreadPoolExecutor clock = ground.clock();

        InstantSource shared = ground.sharedClock();
        ground.sharedClock().follow(store.clock());
        PendingActionCounter pending = PendingActionCounter.of(store, System::nanoTime);
        RunEndWaiters watch = new RunEndWaiters(MAX_WAITING_SENDERS, System::nanoTime);

        ExecutorService executor = container.executor().orElseGet(() -> {
            ThreadPoolExecutor own = threads.workers(settings.agents().maxConcurrent() + MORE_THREADS);
            closeableStack.with(() -> PosternThreads.end(own));
            return own;
        });
        ThreadPoolExecutor http = threads.queueing("http", settings.agents().maxConcurrent());
        closeableStack.with(() -> PosternThreads.end(http));
        ThreadPoolExecutor delivering = threads.queueing(
                "delivery", Outbox.AT_ONCE * settings.channels().size() + 1);
        closeableStack.with(() -> PosternThreads.end(delivering));
        HttpConnections connections = closeableStack.with(new HttpConnections(http));
        Path work = settings.home().resolve("work");
        ToolServerRegistry tools =
                closeableStack.with(new ToolServerRegistry(settings.mcp(), work, "postern-" + ground.context()));
        MailboxLogin mailboxLogin = MailboxLogin.of(hooks.mailbox(), connections, time);
        ChannelRegistry channelRegistry = ChannelFactory.of(
                settings.channels(), mailboxLogin.ofChannels(), connections, store, time, runningInstance.version());
        EventReporter eventReporter = new EventReporter(channelRegistry, idGenerator);
        ProviderBreakerRegistry breakers = new ProviderBreakerRegistry(
                settings.providers(),
                settings.agents().defaults().retryFor(),
                new ProviderOutageNotice(store, eventReporter),
                time,
                System::nanoTime);
        ChatBackendFactory chat = new ChatBackendFactory(connections, tools, breakers, time);
        CountRecorder countRecorder = new CountRecorder(store, idGenerator.of("cnt"), hooks.paths(), shared);
        closeableStack.with(countRecorder);
        EventRepository eventRepository = new EventRepository(shared, idGenerator, pending);
        BudgetWarningNotice budgetWarnings =
                new BudgetWarningNotice(eventRepository, settings.agents(), eventReporter, shared);
        BudgetRegistry budgets = new BudgetRegistry(settings.budgets().values(), shared, budgetWarnings);
        SpendingRecorder spending = new SpendingRecorder(idGenerator.of("spd"), settings, shared, budgets);
        DispatcherDependencies dispatcherDependencies = new DispatcherDependencies(
                store,
                /* runs= */ new RunRepository(shared, pending),
                /* events= */ eventRepository,
                /* backends= */ BackendRegistry.of(settings.providers(), chat::of, work, store.location()),
                /* channels= */ channelRegistry,
                delivering,
                watch,
                spending,
                budgets,
                pending,
                eventReporter,
                /* expiredRows= */ expired(settings, budgets),
                runningInstance.version());
        Dispatcher dispatcher =
                new Dispatcher(clock, settings, dispatcherDependencies, executor, shared, System::nanoTime);
        closeableStack.with(() -> dispatcher.stop(DRAIN));
        RequestTable requestTable =
                new RequestTable(dispatcher.node(), settings.requests().payloadsMaxBytes(), System::nanoTime);
        requestTable.onStored(countRecorder);
        requestTable.setListener(new MappingFailureNotice(eventReporter, System::nanoTime));
        countRecorder.watch(() -> Supervision.totals(dispatcher, ground.responseRecorder()));
        closeableStack.with(new RepeatedTask(clock, COUNTS_PAUSE, countRecorder::write));
        @Nullable PayloadCipher payloadCipher = PayloadKeyFile.cipher(settings);
        RequestWriter requestWriter = new RequestWriter(
                store,
                requestTable,
                PayloadSealer.of(settings, payloadCipher),
                LOGGED_PER_SECOND,
                MAX_WAITING_ENTRIES,
                System::nanoTime);
        ground.requests().setStore(requestWriter);
        Intake intake = new Intake(
                store,
                shared,
                idGenerator,
                pending,
                pendingLimits(settings),
                hooks.idempotencyTtl(),
                SpentBudgetRule.of(budgets, settings.agents(), shared),
                requestTable,
                dispatcher.hookDeliveries());
        intake.onAccepted(dispatcher::notifyWork);
        intake.onGroupOpened(dispatcher::notifyGroupDue);
        SenderRateSynchronizer rates = new SenderRateSynchronizer(
                ground.senderGuard(),
                new SenderRequestQueries(store),
                settings.senders().values(),
                dispatcher.node(),
                time);
        rates.begin();
        if (rates.isNeeded() && store.dialect().shared()) {
            closeableStack.with(new RepeatedTask(clock, RATES_PAUSE, () -> rates.takeFromOthersOn(executor)));
        }
        dispatcher.start();
        closeableStack.with(new RepeatedTask(
                clock, ScriptRegistry.LOOKS_PAUSE, () -> ground.scripts().reloadChangedOn(executor)));

        DeliveryLookup deliveryLookup = DeliveryLookup.in(store);
        RequestPreview preview = new RequestPreview(
                ground.mappings(), new Policy(settings, idGenerator, channelRegistry::refusal), deliveryLookup, time);
        SkippedRequests skipped = new SkippedRequests(time);
        Ingress ingress = new Ingress(preview, intake, watch, requestWriter, skipped);
        Optional<MailWatcher> mail = Optional.ofNullable(hooks.watchedMailbox())
                .map(mailbox -> new MailWatcher(
                        /* watch= */ mailbox,
                        /* session= */ container.mail().orElse(null),
                        dispatcher.node(),
                        ingress,
                        /* sourceCursors= */ new SourceCursors(store, shared),
                        mailboxLogin.tokens(),
                        /* answers= */ MailAnswers.of(settings.channels(), channelRegistry),
                        /* threads= */ executor,
                        clock,
                        time));
        mail.ifPresent(watcher -> {
            closeableStack.with(watcher::stop);
            watcher.start();
        });
        HooksResource resource = new HooksResource(
                ingress,
                new ResultResponses(ground.contextPath() + settings.hooks().path(), ground.responseRecorder()),
                ground.responseRecorder(),
                ground.senderGuard(),
                shared);
        RunEventStreams streams = closeableStack.with(new RunEventStreams(ingress));
        closeableStack.with(new RepeatedTask(clock, RunEventStreams.INTERVAL, () -> streams.sweepOn(executor)));
        this.hooks = new RunEventServlet(
                RestApplication.servlet(RestApplication.withJson(resource)),
                ingress,
                streams,
                ground.responseRecorder());

        this.health = Supervision.health(store);
        RequestQueries requestQueries = new RequestQueries(store);
        PayloadQueries payloadQueries =
                new PayloadQueries(store, payloadCipher, settings.requests().payloadsFor(), shared);
        payloadQueries.otherKey().ifPresent(key -> System.getLogger(Postern.class.getName())
                .log(
                        System.Logger.Level.WARNING,
                        "Kept payloads are encrypted with a key ({0}) that is not the one in secrets/payload-key. They cannot"
                                + " be read or replayed here until that key is restored.",
                        key));
        MappingTrialRunner trials = closeableStack.with(new MappingTrialRunner(settings, deliveryLookup));
        this.console = new Console(new Console.Services(
                ground.login(),
                ground.lockouts(),
                ground.senderGuard(),
                health,
                /* counts= */ new CountQueries(countRecorder),
                /* spending= */ new SpendingQueries(store, shared),
                budgets,
                ground.requests(),
                requestQueries,
                payloadQueries,
                /* requestReplay= */ new RequestReplay(
                        ingress,
                        trials::explain,
                        requestQueries,
                        payloadQueries,
                        idGenerator,
                        shared,
                        System::nanoTime),
                intake,
                dispatcher,
                store,
                trials,
                /* backtests= */ new ConsoleBacktestRunner(settings, deliveryLookup, requestQueries, payloadQueries),
                runningInstance,
                /* runtimeInfo= */ runtimeInfo(ground, store, container, breakers, skipped, mail)));
        this.metricRegistry = closeableStack.with(Supervision.metrics(
                ground.responseRecorder(),
                ground.lockouts(),
                ground.scripts(),
                intake,
                store,
                dispatcher,
                breakers,
                requestWriter));
        SpendingSupervision.spending(spending.counters(), metricRegistry);
        SpendingSupervision.budgets(budgets, budgetWarnings, store, dispatcher, metricRegistry);
        Supervision.skipped(skipped, metricRegistry);
        Supervision.coalescing(settings.hooks().mappings(), ingress, metricRegistry);
        Supervision.senders(settings.senders().keySet(), ground.senderGuard(), metricRegistry);
        mail.map(MailWatcher::metrics).ifPresent(watched -> Supervision.mail(watched, health, metricRegistry));
        closeableStack.with(new JmxRegistration(metricRegistry, ground.contextPath()));
    }

    /**
     * Makes and starts all services.
     *
     * @param ground the core services, which the caller keeps and closes later
     * @param store the database, which is closed with this, and also if this fails
     * @param runningInstance the version is sent to external services with Postern's name
     * @param container the resources that the server has bound
     * @throws StoreException if the database stops answering; nothing is left open then
     * @throws StartException if the operator has to mend something first; nothing is left open then
     */
    static Postern start(
            CoreServices ground, Store store, RunningInstance runningInstance, ContainerResources container)
            throws StoreException, StartException {
        CloseableStack closeableStack = new CloseableStack();
        boolean started = false;
        try {
            Postern postern = new Postern(closeableStack, ground, store, runningInstance, container);
            started = true;
            return postern;
        } finally {
            if (!started) {
                closeableStack.close();
            }
        }
    }

    private static ExpiredRows expired(Settings settings, BudgetRegistry budgets) {
        ExpiredRows requests = RequestTable.expired(
                settings.requests().keep(), settings.requests().payloadsFor());
        ExpiredRows counts = CountRecorder.expired();
        ExpiredRows mails = SentMailTable.expired();
        ExpiredRows spending = SpendingRecorder.expired();
        return (sql, now, most) -> {
            boolean more = requests.deleteBatch(sql, now, most);
            more |= counts.deleteBatch(sql, now, most);
            more |= mails.deleteBatch(sql, now, most);
            budgets.deleteExpired(sql);
            return spending.deleteBatch(sql, now, most) || more;
        };
    }

    private static PendingLimits pendingLimits(Settings settings) {
        Map<String, Integer> ofSenders = new HashMap<>();
        settings.senders().forEach((id, sender) -> {
            if (sender.maxPending() != null) {
                ofSenders.put(id, sender.maxPending());
            }
        });
        Map<String, Integer> ofMappings = new HashMap<>();
        for (MappingSettings mapping : settings.hooks().mappings()) {
            if (mapping.load().maxPending() != null) {
                ofMappings.put(mapping.id(), mapping.load().maxPending());
            }
        }
        return new PendingLimits(settings.hooks().maxPending(), ofSenders, ofMappings);
    }

    private static RuntimeInfo runtimeInfo(
            CoreServices ground,
            Store store,
            ContainerResources container,
            ProviderBreakerRegistry breakers,
            SkippedRequests skipped,
            Optional<MailWatcher> mail) {
        String origin = container.database().isPresent()
                ? "the server's DataSource"
                : ground.settings().database().url() == null ? "in the home" : "database.url";
        return new RuntimeInfo(
                store.dialect().title() + " (" + origin + ")",
                container.executor().isPresent() ? "the server's threads" : "Postern's own threads",
                ground.scripts()::switchedOff,
                () -> Supervision.outages(breakers),
                skipped::others,
                mail.<Supplier<RuntimeInfo.Mail>>map(watcher -> () -> Supervision.mail(watcher.metrics()))
                        .orElse(null));
    }

    /** The origin of a database that is not the home's own, in brackets; else empty. */
    private static String source(Settings settings, ContainerResources container) {
        if (container.database().isPresent()) {
            return " (the server's DataSource)";
        }
        return settings.database().url() == null ? "" : " (database.url)";
    }

    /** The database's location, for the log. */
    String database() {
        return database;
    }

    HealthChecks health() {
        return health;
    }

    MetricRegistry metrics() {
        return metricRegistry;
    }

    Console console() {
        return console;
    }

    /** The servlet of the hooks, which is not initialised. */
    Servlet hooks() {
        return hooks;
    }

    @Override
    public void close() {
        closeableStack.close();
    }
}

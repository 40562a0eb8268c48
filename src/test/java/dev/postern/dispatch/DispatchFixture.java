package dev.postern.dispatch;

import static org.awaitility.Awaitility.await;

import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.CoalescingRequest;
import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.HeartbeatRepository;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.RunRepository;
import dev.postern.acceptance.Submission;
import dev.postern.agent.Backend;
import dev.postern.agent.BackendRegistry;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingRecorder;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.EventReporter;
import dev.postern.config.AgentSettings;
import dev.postern.config.ConfigurationFixture;
import dev.postern.config.Settings;
import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.requests.RequestTable;
import dev.postern.store.SqlDialect;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A scenario with a dispatcher on a real database, and an agent {@code main} that a test can script. */
final class DispatchFixture implements AutoCloseable {

    static final Provenance OUTSIDE = Provenance.untrusted("agent");

    final SettableNanoClock time = new SettableNanoClock();
    final ScriptedBackend backend = new ScriptedBackend();
    final Path workspace;
    Store store;
    Intake intake;
    PendingActionCounter pending;
    RunRepository runRepository;
    EventRepository eventRepository;
    HeartbeatRepository heartbeatRepository;
    RunEndWaiters runEndWaiters;
    Dispatcher dispatcher;
    ExecutorService threads = Executors.newCachedThreadPool();

    /** The tasks for the clock thread that there was no memory for, while {@link #noMemory}. */
    final AtomicInteger unscheduled = new AtomicInteger();

    volatile boolean noMemory;

    private final ScheduledExecutorService clock = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (noMemory) {
                unscheduled.incrementAndGet();
                throw new OutOfMemoryError("of a test");
            }
            return super.schedule(task, delay, unit);
        }
    };
    private final TestDatabases.Opener database;
    private final Path home;
    private final Map<String, Backend> backends = new HashMap<>();
    private final List<Dispatcher> dispatchers = new ArrayList<>();
    private ChannelRegistry channelRegistry = new ChannelRegistry(Map.of());
    private Recipient recipient = Recipient.last();
    private BackendRegistry otherBackends;
    private int maxConcurrent = 8;
    private int maxAttempts = 2;
    private boolean sharedTime;
    private final Duration lease = Duration.ofSeconds(5); // real time
    private Duration firstCleanup = Duration.ofHours(1);
    private String heartbeat = "every: 0";
    private String defaults = "retryFor: 6h";
    private String budgets = "";
    private String provider = "kind: offline";

    DispatchFixture(Path home, TestDatabases.Opener database) {
        this.home = home;
        this.database = database;
        this.workspace = home.resolve("agents/main");
        backends.put("test", backend);
    }

    DispatchFixture maxConcurrent(int most) {
        maxConcurrent = most;
        return this;
    }

    DispatchFixture maxAttempts(int most) {
        maxAttempts = most;
        return this;
    }

    /** Uses the store's clock, which is real, instead of {@link #time}, which is this machine's. */
    DispatchFixture sharedTime() {
        sharedTime = true;
        return this;
    }

    /** Sets {@code agents.defaults.heartbeat}, as the inside of a map; there are no periodic ones otherwise. */
    DispatchFixture heartbeat(String settings) {
        heartbeat = settings;
        return this;
    }

    /** Sets more of {@code agents.defaults}, as the inside of a map. */
    DispatchFixture defaults(String settings) {
        defaults = settings;
        return this;
    }

    /** Sets {@code budgets}, as entries of a YAML map. */
    DispatchFixture budgets(String settings) {
        this.budgets = settings;
        return this;
    }

    /** Sets {@code providers.test.prices}, as entries of a YAML map. */
    DispatchFixture prices(String settings) {
        provider = "kind: ollama, prices: {" + settings + "}";
        return this;
    }

    /** Sets the earliest time of the expiredDataCleanup; real time. */
    DispatchFixture firstCleanup(Duration after) {
        firstCleanup = after;
        return this;
    }

    DispatchFixture provider(String id, Backend provider) {
        backends.put(id, provider);
        return this;
    }

    /** Replaces the scripted backend. */
    DispatchFixture backends(BackendRegistry others) {
        otherBackends = others;
        return this;
    }

    DispatchFixture channels(ChannelRegistry here) {
        channelRegistry = here;
        return this;
    }

    DispatchFixture threads(ExecutorService lent) {
        threads.shutdown();
        threads = lent;
        return this;
    }

    /** Opens the database, without a dispatcher. */
    DispatchFixture open() throws StoreException {
        store = database.open(time);
        pending = PendingActionCounter.of(store, time::nanos);
        IdGenerator idGenerator = new IdGenerator(time);
        runRepository = new RunRepository(clock(), pending);
        eventRepository = new EventRepository(clock(), idGenerator, pending);
        heartbeatRepository = new HeartbeatRepository(clock(), pending);
        intake = new Intake(
                store,
                clock(),
                idGenerator,
                pending,
                PendingLimits.of(100_000),
                Duration.ofDays(1),
                AcceptanceRule.NONE,
                new RequestTable("node_1", 1L << 29, System::nanoTime),
                (sql, entries) -> dispatcher.hookDeliveries().run(sql, entries));
        runEndWaiters = new RunEndWaiters(100, time::nanos);
        return this;
    }

    /** Opens the database and starts a dispatcher. */
    DispatchFixture start() throws StoreException {
        open();
        dispatcher = dispatcher();
        intake.onAccepted(dispatcher::notifyWork);
        intake.onGroupOpened(dispatcher::notifyGroupDue);
        dispatcher.start();
        return this;
    }

    Dispatcher dispatcher() {
        IdGenerator idGenerator = new IdGenerator(time);
        EventReporter eventReporter = new EventReporter(channelRegistry, idGenerator);
        BackendRegistry all = otherBackends == null ? new BackendRegistry(backends) : otherBackends;
        BudgetRegistry budgets = new BudgetRegistry(
                settings().budgets().values(),
                clock(),
                new BudgetWarningNotice(eventRepository, settings().agents(), eventReporter, clock()));
        DispatcherDependencies dispatcherDependencies = new DispatcherDependencies(
                store,
                /* runs= */ runRepository,
                /* events= */ eventRepository,
                /* backends= */ all,
                /* channels= */ channelRegistry,
                /* delivering= */ threads,
                /* watch= */ runEndWaiters,
                /* spending= */ new SpendingRecorder(idGenerator.of("spd"), settings(), clock(), budgets),
                budgets,
                pending,
                eventReporter,
                /* expiredRows= */ (sql, now, most) -> false,
                /* version= */ "1.0");
        Dispatcher made =
                new Dispatcher(clock, settings(), dispatcherDependencies, threads, clock(), nanos(), quickIntervals());
        dispatchers.add(made);
        return made;
    }

    /** Takes the database away from a dispatcher, which continues, and starts the next one, which recovers its runs. */
    DispatchFixture crashAndRestart() throws StoreException {
        store.close();
        start();
        if (store.dialect() == SqlDialect.POSTGRESQL) {
            await("the end of the lease")
                    .until(() -> texts("SELECT id AS text FROM node").size() == 1);
        }
        return this;
    }

    /** Blocks the clock thread, as in a frozen process, until {@code thaw} is counted down. */
    void freeze(CountDownLatch thaw) throws InterruptedException {
        CountDownLatch frozen = new CountDownLatch(1);
        clock.execute(() -> {
            frozen.countDown();
            try {
                thaw.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        frozen.await();
    }

    /** Sends the replies of runs to {@code channel} from now on. */
    DispatchFixture to(String channel) {
        recipient = new Recipient(channel, null);
        return this;
    }

    RunId run(String session, String message) {
        return run(session, message, Duration.ofMinutes(10), WakeMode.NEXT_HEARTBEAT);
    }

    RunId run(String session, String message, Duration timeout, WakeMode mode) {
        return run(new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey(session),
                message,
                /* name= */ "GitHub",
                /* wakeMode= */ mode,
                /* deliver= */ true,
                recipient,
                /* model= */ "test/model",
                /* thinking= */ null,
                timeout,
                /* provenance= */ OUTSIDE,
                /* operatorInstructions= */ OperatorInstructions.NONE));
    }

    RunId run(AllowedAction.Turn turn) {
        return ((Receipt.Run) accept(turn)).id();
    }

    /** Accepts a request of the session {@code hook:storm}, which joins the group that collects, or begins one. */
    RunId collecting(String text, CoalescingRule rule, OperatorInstructions instructions) {
        AllowedAction.Turn turn = new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:storm"),
                /* message= */ text,
                /* name= */ "Storm",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ false,
                /* recipient= */ new Recipient(Recipient.INBOX, null),
                /* model= */ "test/model",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMinutes(10),
                /* provenance= */ Provenance.untrusted("storm"),
                /* operatorInstructions= */ instructions);
        return ((Receipt.Run) accept(turn, new CoalescingRequest("run", rule))).id();
    }

    void wake(String text, WakeMode mode) {
        accept(new AllowedAction.Wake("main", text, mode, Provenance.untrusted("wake")));
    }

    private Receipt accept(AllowedAction action) {
        HookResult acceptance = intake.accept(new Submission(List.of(action), null, 2, "0".repeat(64), null, null));
        return ((HookResult.Accepted) acceptance).receipts().get(0);
    }

    Receipt accept(AllowedAction action, CoalescingRequest group) {
        HookResult acceptance =
                intake.accept(new Submission(List.of(action), null, 2, "0".repeat(64), null, null).within(group));
        return ((HookResult.Accepted) acceptance).receipts().get(0);
    }

    RunView view(RunId run) {
        return intake.run(run).found().orElseThrow();
    }

    RunView ended(RunId run) {
        return await("the end of a run").pollInterval(Duration.ofMillis(5)).until(() -> view(run), view -> view.state()
                .ended());
    }

    /** The texts of the main session's events, in order. */
    List<String> eventTexts(boolean waiting) throws StoreException {
        String which = waiting ? "taken_at IS NULL" : "taken_at IS NOT NULL";
        return texts("SELECT text FROM event WHERE session_key = 'main:main' AND " + which + " ORDER BY seq");
    }

    /** The replies in the inbox, in order. */
    List<String> inbox() throws StoreException {
        return texts("SELECT text FROM delivery WHERE channel = 'inbox' AND state = 'delivered'"
                + " ORDER BY created_at, id");
    }

    /** The transcript of {@code session}, without the boundary around untrusted content. */
    List<String> transcript(String session) throws StoreException {
        return texts("SELECT text FROM turn WHERE session_key = '" + session + "' ORDER BY seq").stream()
                .map(DispatchFixture::withoutBoundary)
                .toList();
    }

    static String withoutBoundary(String text) {
        return text.replaceFirst("(?s).*<<<EXTERNAL_UNTRUSTED_CONTENT.*?\n---\n(.*)\n<<<END_EXTERNAL.*", "$1");
    }

    List<String> texts(String query) throws StoreException {
        return store.read(sql -> sql.query(query, row -> row.text("text")));
    }

    private InstantSource clock() {
        return sharedTime ? store.clock() : time;
    }

    private LongSupplier nanos() {
        return sharedTime ? System::nanoTime : time::nanos;
    }

    private DispatchIntervals quickIntervals() {
        return new DispatchIntervals(
                Duration.ofMillis(20),
                Duration.ofMillis(10),
                Duration.ofMillis(1),
                Duration.ofMillis(100),
                lease,
                lease.plusMillis(100),
                firstCleanup,
                Duration.ofHours(1));
    }

    private Settings settings() {
        String yaml =
                """
                agents:
                  defaults: {model: test/model, maxAttempts: %d, heartbeat: {%s}, %s}
                providers: {test: {%s}, backup: {kind: offline}}
                budgets: {%s}
                """;
        Settings read = ConfigurationFixture.yaml(
                        home, yaml.formatted(maxAttempts, heartbeat, defaults, provider, budgets))
                .settings();
        AgentSettings agents = read.agents();
        return new Settings(
                read.home(),
                read.hooks(),
                read.senders(),
                /* agents= */
                // No worker at all is not a valid setting; it keeps runs queued for a test to inspect.
                new AgentSettings(agents.defaults(), maxConcurrent, agents.list()),
                read.providers(),
                read.mcp(),
                read.channels(),
                read.budgets(),
                read.deliveries(),
                read.database(),
                read.retention(),
                read.requests(),
                read.server(),
                read.console(),
                read.metrics());
    }

    @Override
    public void close() {
        for (Dispatcher each : dispatchers) {
            each.stop(Duration.ZERO);
        }
        store.close();
        threads.shutdownNow();
        clock.shutdownNow();
    }
}

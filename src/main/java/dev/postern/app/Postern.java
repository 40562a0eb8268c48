package dev.postern.app;

import dev.postern.acceptance.Bookmarks;
import dev.postern.acceptance.Events;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingCount;
import dev.postern.acceptance.RunWatch;
import dev.postern.acceptance.Runs;
import dev.postern.access.FailureThrottle;
import dev.postern.access.Gate;
import dev.postern.access.RefusalLog;
import dev.postern.agent.Backends;
import dev.postern.agent.chat.ChatBackends;
import dev.postern.agent.tool.ToolServers;
import dev.postern.channel.Channels;
import dev.postern.channel.Outbox;
import dev.postern.channel.vendor.Vendors;
import dev.postern.config.Hooks;
import dev.postern.config.MailWatch;
import dev.postern.config.Settings;
import dev.postern.dispatch.Dispatcher;
import dev.postern.dispatch.Rooms;
import dev.postern.http.Answered;
import dev.postern.http.BodyBounds;
import dev.postern.http.HookApplication;
import dev.postern.http.HookFilter;
import dev.postern.http.HooksResource;
import dev.postern.http.Replies;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.Preview;
import dev.postern.mail.Watcher;
import dev.postern.mapping.Mappings;
import dev.postern.mapping.script.Scripts;
import dev.postern.model.Ids;
import dev.postern.net.Connections;
import dev.postern.observe.Figures;
import dev.postern.observe.Health;
import dev.postern.observe.JmxView;
import dev.postern.policy.Policy;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The composition root: every room, made top to bottom and closed in reverse.
 *
 * <p>Opened in this order: the clock thread; the mappings with their scripts; the database, which locks the home; the
 * executor; the connections to services outside and the tool servers, both made when they are needed; the dispatcher; the
 * mail watch; the figures. Closed the other way round, when the container lets no request in any more: the mail watch ends
 * between two mails, the dispatcher lets running turns end and leaves the rest in the database, the database finishes what
 * is queued and lets go of the home, the clock ends.
 */
final class Postern implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final int MAX_WAITING_SENDERS = 10_000;
    /** Threads beside the turns': the mail watch, and looking after the database. */
    private static final int MORE_THREADS = 5;

    private final Closing closing;
    private final Health health;
    private final Figures figures;
    private final HookFilter hookFilter;
    private final HookApplication hookApplication;

    private Postern(
            Closing closing, Settings settings, String contextPath, String version, ContainerResources container)
            throws StoreException, StartFailure {
        this.closing = closing;
        Hooks hooks = settings.hooks();
        String context =
                contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '-');
        InstantSource time = InstantSource.system();
        Ids ids = new Ids(time);
        Threads threads = new Threads(context);

        ScheduledThreadPoolExecutor clock = threads.clock();
        closing.with(() -> Threads.end(clock));

        Scripts scripts = closing.with(new Scripts(hooks.transformsRoot(), "postern-" + context, time));
        Mappings mappings = MappedHooks.compile(hooks, scripts);

        Store store = closing.with(open(settings, container, context, time));
        PendingCount pending = PendingCount.of(store, System::nanoTime);
        Intake intake = new Intake(store, time, ids, pending, hooks.maxPending(), hooks.idempotencyTtl());
        RunWatch watch = new RunWatch(MAX_WAITING_SENDERS, System::nanoTime);

        ExecutorService executor = container.executor().orElseGet(() -> {
            ThreadPoolExecutor own = threads.workers(settings.agents().maxConcurrent() + MORE_THREADS);
            closing.with(() -> Threads.end(own));
            return own;
        });
        ThreadPoolExecutor http = threads.queueing("http", settings.agents().maxConcurrent());
        closing.with(() -> Threads.end(http));
        ThreadPoolExecutor delivering = threads.queueing(
                "delivery", Outbox.AT_ONCE * settings.channels().size() + 1);
        closing.with(() -> Threads.end(delivering));
        Connections connections = closing.with(new Connections(http));
        Path work = settings.home().resolve("work");
        ToolServers tools = closing.with(new ToolServers(settings.mcp(), work, "postern-" + context));
        ChatBackends chat = new ChatBackends(connections, tools, time);
        Channels channels = Vendors.of(settings.channels(), connections, time, version);
        Rooms rooms = new Rooms(
                store,
                new Runs(time, pending),
                new Events(time, ids, pending),
                Backends.of(settings.providers(), chat::of, work),
                channels,
                delivering,
                watch);
        Dispatcher dispatcher = new Dispatcher(clock, settings, rooms, executor, time, System::nanoTime);
        closing.with(() -> dispatcher.stop(DRAIN));
        intake.onAccepted(dispatcher::wake);
        dispatcher.start();

        Gate gate = new Gate(hooks.tokens(), hooks.tokenHeaders(), throttle(hooks.throttle()));
        RefusalLog refusals = new RefusalLog(gate);
        var unused = clock.scheduleWithFixedDelay(refusals::everyMinute, 1, 1, TimeUnit.MINUTES);
        Answered answered = new Answered();
        Ingress ingress =
                new Ingress(new Preview(mappings, new Policy(settings, ids, channels::refusal), time), intake, watch);
        Optional<Watcher> mail = Optional.ofNullable(hooks.gmail())
                .map(mailbox -> new Watcher(
                        mailbox,
                        container.mail().orElse(null),
                        dispatcher.node(),
                        ingress,
                        new Bookmarks(store, time),
                        connections,
                        executor,
                        clock,
                        time));
        mail.ifPresent(watcher -> {
            closing.with(watcher::stop);
            watcher.start();
        });
        BodyBounds bounds = new BodyBounds(
                hooks.maxBodyBytes(), Map.of(MailWatch.HOOK, hooks.maxBodyBytes(MailWatch.HOOK)), hooks.bodyTimeout());
        this.hookFilter = new HookFilter(
                hooks.path(),
                gate,
                MappedHooks.signatures(hooks, time),
                hooks.withheldHeaders(),
                bounds,
                clock,
                answered);
        this.hookApplication =
                new HookApplication(new HooksResource(ingress, new Replies(contextPath + hooks.path(), answered)));

        this.health = Supervision.health(store);
        this.figures = closing.with(Supervision.figures(answered, gate, scripts, intake, store, dispatcher));
        mail.map(Watcher::figures).ifPresent(watched -> Supervision.mail(watched, health, figures));
        closing.with(new JmxView(figures, contextPath));
    }

    /**
     * Opens every room.
     *
     * @param contextPath the web application's, empty for the root
     * @param version what services outside are told beside our name
     * @throws StartFailure in words for the operator, when a mapping can't be compiled or the database not be opened;
     *     nothing is left open then
     */
    static Postern start(Settings settings, String contextPath, String version, ContainerResources container)
            throws StartFailure {
        Closing closing = new Closing();
        boolean started = false;
        try {
            Postern postern = new Postern(closing, settings, contextPath, version, container);
            started = true;
            return postern;
        } catch (StoreException e) {
            throw new StartFailure(e);
        } finally {
            if (!started) {
                closing.close();
            }
        }
    }

    Health health() {
        return health;
    }

    Figures figures() {
        return figures;
    }

    HookFilter hookFilter() {
        return hookFilter;
    }

    HookApplication hookApplication() {
        return hookApplication;
    }

    @Override
    public void close() {
        closing.close();
    }

    private static Store open(Settings settings, ContainerResources container, String context, InstantSource time)
            throws StoreException {
        Settings.Database database = settings.database();
        Path home = settings.home();
        if (container.database().isPresent()) {
            return Store.open(container.database().get(), home, context, time);
        }
        return database.url() == null
                ? Store.open(home, context, time)
                : Store.open(database.url(), database.username(), database.password(), home, context, time);
    }

    private static FailureThrottle throttle(Hooks.Throttle throttle) {
        return new FailureThrottle(throttle.failures(), throttle.window(), throttle.lockout(), System::nanoTime);
    }
}

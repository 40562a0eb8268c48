package dev.postern.app;

import dev.postern.access.AuthenticationFailures;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.FailureThrottle;
import dev.postern.access.HookAuthenticator;
import dev.postern.access.PasswordAuthenticator;
import dev.postern.access.RejectedRequestLog;
import dev.postern.access.SenderGuard;
import dev.postern.config.HookSettings;
import dev.postern.config.MailboxSettings;
import dev.postern.config.Settings;
import dev.postern.http.BodyBudget;
import dev.postern.http.BodyLimits;
import dev.postern.http.BodyReader;
import dev.postern.http.HookFilter;
import dev.postern.http.ResponseRecorder;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.IdGenerator;
import dev.postern.net.BackgroundFetcher;
import dev.postern.net.HttpConnections;
import dev.postern.observe.RequestLog;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * The services that need no database, in the order in which they are made:
 *
 * <ol>
 *   <li>the clock, a thread for everything that waits for a time
 *   <li>the scripts and the mappings
 *   <li>the authentication lock-outs, the authenticator of hooks and the login of users
 *   <li>the log of recent requests and the recorder of responses
 *   <li>the body reader and the filter of hooks
 * </ol>
 *
 * <p>They are closed in reverse. They work while the database is away: an error in a mapping is reported, and unauthorized
 * requests are rejected. The last step of closing makes the JDK release the classes of our records.
 */
final class CoreServices implements AutoCloseable {

    /** The number of recent requests that the log keeps, and of rejected ones the most that it takes in a second. */
    private static final int MAX_RECENT_REQUESTS = 2_000;

    private static final int REFUSALS_PER_SECOND = 10;

    private static final System.Logger LOG = System.getLogger(CoreServices.class.getName());

    private final CloseableStack closeableStack;
    private final Settings settings;
    private final String contextPath;
    private final InstantSource time;
    private final SharedClock sharedClock;
    private final IdGenerator idGenerator;
    private final PosternThreads threads;
    private final ScheduledThreadPoolExecutor clock;
    private final ScriptRegistry scriptRegistry;
    private final HookRegistry hookRegistry;
    private final SenderGuard senderGuard;
    private final AuthenticationLockouts lockouts;
    private final ContainerAuthenticator login;
    private final RequestLog requests;
    private final ResponseRecorder responseRecorder;
    private final BodyReader bodyReader;
    private final HookFilter hookFilter;

    private CoreServices(CloseableStack closeableStack, Settings settings, String contextPath) throws StartException {
        this.closeableStack = closeableStack;
        closeableStack.with(RecordMethodCleanup::forgetOurs);
        this.settings = settings;
        this.contextPath = contextPath;
        this.time = InstantSource.system();
        this.sharedClock = new SharedClock(time);
        this.threads = new PosternThreads(context(contextPath));

        this.clock = threads.clock();
        closeableStack.with(() -> PosternThreads.end(clock));

        this.idGenerator = new IdGenerator(sharedClock);
        HookSettings hooks = settings.hooks();
        this.scriptRegistry =
                closeableStack.with(new ScriptRegistry(hooks.transformsRoot(), "postern-" + context(), time));
        this.hookRegistry = CompiledMappingFactory.compile(hooks, scriptRegistry);
        FixedRecipientCheck.require(settings);

        this.lockouts = new AuthenticationLockouts(failures(hooks.throttle()), failures(hooks.throttle()));
        HookAuthenticator hookAuthenticator = new HookAuthenticator(
                hooks.tokens(), settings.senders().values(), hooks.tokenHeaders(), lockouts.hooks(), time);
        this.senderGuard = new SenderGuard(settings.senders().values(), System::nanoTime);
        this.login = new ContainerAuthenticator(new PasswordAuthenticator(lockouts.logins()));
        RejectedRequestLog refusals = new RejectedRequestLog(lockouts);
        closeableStack.with(new RepeatedTask(clock, Duration.ofMinutes(1), refusals::logSummary));
        this.requests = new RequestLog(MAX_RECENT_REQUESTS, REFUSALS_PER_SECOND, System::nanoTime);
        this.responseRecorder = new ResponseRecorder(requests, sharedClock);
        ThreadPoolExecutor http = threads.queueing("certificates", 1);
        closeableStack.with(() -> PosternThreads.end(http));
        BackgroundFetcher fetcher =
                new BackgroundFetcher(closeableStack.with(new HttpConnections(http)), System::nanoTime);
        HookSettings.Bodies limits = hooks.bodies();
        Map<String, BodyLimits.More> more = limits.maxMailBytes() > limits.maxBytes()
                ? Map.of(MailboxSettings.HOOK, new BodyLimits.More(limits.maxMailBytes(), "hooks.gmail.maxBytes"))
                : Map.of();
        BodyLimits bounds =
                new BodyLimits(limits.maxBytes(), more, CompiledMappingFactory.gzipHooks(hooks), limits.timeout());
        this.bodyReader = new BodyReader(budget(bounds), clock, responseRecorder);
        this.hookFilter = new HookFilter(
                hooks.path(),
                hookAuthenticator,
                senderGuard,
                CompiledMappingFactory.signatures(hooks, time, fetcher),
                hooks.withheldHeaders(),
                bounds,
                bodyReader,
                responseRecorder,
                idGenerator);
    }

    /**
     * Makes all core services.
     *
     * @param contextPath the web application's path; empty for the root
     * @throws StartException in words for the operator, if a mapping can't be compiled; nothing is left open then
     */
    static CoreServices create(Settings settings, String contextPath) throws StartException {
        CloseableStack closeableStack = new CloseableStack();
        boolean laid = false;
        try {
            CoreServices coreServices = new CoreServices(closeableStack, settings, contextPath);
            laid = true;
            return coreServices;
        } finally {
            if (!laid) {
                closeableStack.close();
            }
        }
    }

    Settings settings() {
        return settings;
    }

    String contextPath() {
        return contextPath;
    }

    /** The web application's name in the names of threads. */
    String context() {
        return context(contextPath);
    }

    /** This machine's clock. */
    InstantSource time() {
        return time;
    }

    /** The clock of all times that nodes compare. */
    SharedClock sharedClock() {
        return sharedClock;
    }

    IdGenerator idGenerator() {
        return idGenerator;
    }

    PosternThreads threads() {
        return threads;
    }

    ScheduledThreadPoolExecutor clock() {
        return clock;
    }

    SenderGuard senderGuard() {
        return senderGuard;
    }

    ScriptRegistry scripts() {
        return scriptRegistry;
    }

    HookRegistry mappings() {
        return hookRegistry;
    }

    AuthenticationLockouts lockouts() {
        return lockouts;
    }

    ContainerAuthenticator login() {
        return login;
    }

    ResponseRecorder responseRecorder() {
        return responseRecorder;
    }

    RequestLog requests() {
        return requests;
    }

    BodyReader bodies() {
        return bodyReader;
    }

    HookFilter hookFilter() {
        return hookFilter;
    }

    @Override
    public void close() {
        closeableStack.close();
    }

    private static String context(String contextPath) {
        return contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '-');
    }

    private static BodyBudget budget(BodyLimits bounds) {
        BodyBudget budget = BodyBudget.ofHeap();
        if (bounds.largest() > budget.largest()) {
            LOG.log(
                    Level.WARNING,
                    "A body of {0} bytes is allowed, but the heap can hold {1} bytes; larger ones are answered 503",
                    bounds.largest(),
                    budget.largest());
        }
        return budget;
    }

    private static AuthenticationFailures failures(HookSettings.Throttle throttle) {
        return new AuthenticationFailures(
                new FailureThrottle(throttle.failures(), throttle.window(), throttle.lockout(), System::nanoTime));
    }

    /**
     * A cleanup of the JDK's record methods. The JDK makes {@code equals}, {@code hashCode} and {@code toString} of a record
     * when they are first called, from shared method handles. In Java 17 each handle keeps the type that it was last adapted
     * to. That is a record's class, which keeps the class loader of a web app that is gone. The next type to be adapted
     * replaces it.
     */
    static final class RecordMethodCleanup {

        private RecordMethodCleanup() {}

        /** Makes the JDK keep a class of its own instead of ours. Has to be called after the last use of our records. */
        static void forgetOurs() throws Exception {
            Lookup lookup = MethodHandles.publicLookup();
            MethodHandle component = lookup.findVirtual(String.class, "strip", MethodType.methodType(String.class));
            make(lookup, "equals", MethodType.methodType(boolean.class, String.class, Object.class), component);
            make(lookup, "hashCode", MethodType.methodType(int.class, String.class), component);
            make(lookup, "toString", MethodType.methodType(String.class, String.class), component);
        }

        /** Makes a method for its side effect, and drops it. */
        private static void make(Lookup lookup, String method, MethodType type, MethodHandle component)
                throws Exception {
            try {
                var unused = ObjectMethods.bootstrap(lookup, method, type, String.class, "component", component);
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

package dev.postern.app;

import dev.postern.config.Settings;
import dev.postern.console.RunningInstance;
import dev.postern.observe.StartFailureReport;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The starter of a {@link Postern}. An attempt opens the database and makes all services:
 *
 * <ol>
 *   <li>the first attempt runs at once, on the caller's thread
 *   <li>while the database is away, another Postern uses the home, or Java has no memory or thread for it, a thread of its
 *       own retries after {@link StoreUnavailableException#retryAfter}
 *   <li>any other error ends the start
 * </ol>
 */
final class PosternStarter {

    private static final System.Logger LOG = System.getLogger(PosternStarter.class.getName());

    private final CoreServices coreServices;
    private final RunningInstance runningInstance;
    private final ContainerResources container;
    private final StartListener listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread waiting;
    private volatile Duration pause = Duration.ZERO;
    private volatile @Nullable Postern postern;

    /**
     * @param ground the core services, which the caller keeps and closes after this
     * @param startListener is called with each state, by the thread that calls {@link #begin} and later by the one that retries
     */
    PosternStarter(
            CoreServices ground,
            RunningInstance runningInstance,
            ContainerResources container,
            StartListener startListener) {
        this.coreServices = ground;
        this.runningInstance = runningInstance;
        this.container = container;
        this.listener = startListener;
    }

    /** A listener for the states of a start. */
    interface StartListener {

        /** Handles an attempt that failed for now; returns true to retry. Called after each such attempt. */
        boolean shouldRetry(StoreUnavailableException why);

        /** Handles a start that failed, and needs the operator to fix something. */
        void failed(StartFailureReport report);

        /** Handles a start that succeeded. {@code postern} is closed by the starter. */
        void started(Postern postern);
    }

    /** Tries once on this thread and, if it has to wait, continues on another. */
    void begin() {
        if (!attempt()) {
            waiting = coreServices.threads().newThread("start", this::keepTrying);
            waiting.start();
        }
    }

    private void keepTrying() {
        try {
            while (!ended.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                if (attempt()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "Start aborted");
        }
    }

    /** Tries to start; returns true if no other attempt is needed or useful. */
    private boolean attempt() {
        try {
            Postern started = start();
            postern = started;
            listener.started(started);
            return true;
        } catch (StoreUnavailableException passing) {
            return !shouldRetry(passing);
        } catch (StoreException unfit) {
            listener.failed(
                    new StartFailureReport(List.of(String.valueOf(unfit.getMessage())), "its database can't be used"));
        } catch (StartException unfit) {
            listener.failed(unfit.report());
        } catch (RuntimeException | Error e) { // a DataSource may throw anything; the message may contain a password
            if (e instanceof VirtualMachineError && postern == null) { // there may be memory and threads again later
                return !shouldRetry(
                        StoreUnavailableException.because(new StoreException("the attempt failed: " + e, e)));
            }
            listener.failed(StartException.unforeseen(e).report());
        }
        return true;
    }

    private boolean shouldRetry(StoreUnavailableException passing) {
        pause = passing.retryAfter();
        return listener.shouldRetry(passing);
    }

    private Postern start() throws StoreException, StartException {
        Store store = open();
        try {
            store.logOutages(false); // an error that ends the attempt is reported to the listener
            Postern started = Postern.start(coreServices, store, runningInstance, container);
            store.logOutages(true);
            return started;
        } catch (StoreException away) { // it was there a moment ago
            throw StoreUnavailableException.because(away);
        }
    }

    private Store open() throws StoreException {
        Settings.Database database = coreServices.settings().database();
        Path home = coreServices.settings().home();
        if (container.database().isPresent()) {
            return Store.open(container.database().get(), home, coreServices.context(), coreServices.time());
        }
        return database.url() == null
                ? Store.open(home, coreServices.context(), coreServices.time())
                : Store.open(
                        database.url(),
                        database.username(),
                        database.password(),
                        home,
                        coreServices.context(),
                        coreServices.time());
    }

    /** Aborts the start, or closes the Postern that it has started. */
    void end() throws InterruptedException {
        ended.countDown();
        if (waiting != null) {
            waiting.interrupt();
            PosternThreads.await(List.of(waiting));
        }
        Postern started = postern;
        if (started != null) {
            postern = null;
            started.close();
        }
    }
}

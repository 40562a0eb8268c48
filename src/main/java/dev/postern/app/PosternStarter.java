package dev.postern.app;

import dev.postern.config.Settings;
import dev.postern.console.RunningInstance;
import dev.postern.observe.StartReport;
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
 * Starts a {@link Postern}: at once, or, where the database is away or another Postern has the home, as soon as that is over.
 * Meanwhile a thread of its own tries every second.
 */
final class PosternStarter {

    private static final System.Logger LOG = System.getLogger(PosternStarter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final CoreServices ground;
    private final RunningInstance runningInstance;
    private final ContainerResources container;
    private final Course course;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread waiting;
    private volatile @Nullable Postern postern;

    /**
     * @param ground stays the caller's, and is to be closed after this
     * @param course is told of what comes, by the thread that calls {@link #begin} and later by the one that waits
     */
    PosternStarter(CoreServices ground, RunningInstance runningInstance, ContainerResources container, Course course) {
        this.ground = ground;
        this.runningInstance = runningInstance;
        this.container = container;
        this.course = course;
    }

    /** What is told of a start as it goes on. */
    interface Course {

        /** It can't be done now. True to try again: asked after each attempt. */
        boolean mayWait(StoreException why);

        /** It can't be done before something is mended. */
        void failed(StartReport report);

        /** {@code postern} runs; it stays the start's to close. */
        void runs(Postern postern);
    }

    /** Tries once on this thread, and, where it has to wait, goes on trying on another. */
    void begin() {
        if (!attempt()) {
            waiting = ground.threads().make("start", this::keepTrying);
            waiting.start();
        }
    }

    private void keepTrying() {
        try {
            while (!ended.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                if (attempt()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "The start was given up");
        }
    }

    /** True when there is no use in another attempt. */
    private boolean attempt() {
        try {
            Postern started = start();
            postern = started;
            course.runs(started);
            return true;
        } catch (StoreUnavailableException passing) {
            return !course.mayWait(passing);
        } catch (StoreException unfit) {
            course.failed(new StartReport(List.of(String.valueOf(unfit.getMessage())), "its database can't be used"));
        } catch (RuntimeException e) { // a DataSource may throw anything; its text may hold a password
            course.failed(StartException.unforeseen(e).report());
        }
        return true;
    }

    private Postern start() throws StoreException {
        Store store = open();
        try {
            store.tellFaults(false); // of one that ends the attempt the course is told
            Postern started = Postern.start(ground, store, runningInstance, container);
            store.tellFaults(true);
            return started;
        } catch (StoreException away) { // it was there a moment ago
            throw StoreUnavailableException.because(away);
        }
    }

    private Store open() throws StoreException {
        Settings.Database database = ground.settings().database();
        Path home = ground.settings().home();
        if (container.database().isPresent()) {
            return Store.open(container.database().get(), home, ground.context(), ground.time());
        }
        return database.url() == null
                ? Store.open(home, ground.context(), ground.time())
                : Store.open(
                        database.url(),
                        database.username(),
                        database.password(),
                        home,
                        ground.context(),
                        ground.time());
    }

    /** Gives the start up, or ends the Postern that came of it. */
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

package dev.postern.mail;

import dev.postern.acceptance.SourceCursors;
import dev.postern.acceptance.SourceCursors.Reader;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.ingress.Ingress;
import dev.postern.mail.FolderReadProgress.Enough;
import dev.postern.mail.FolderReadProgress.Later;
import dev.postern.mail.FolderReadProgress.Lost;
import dev.postern.model.DurationFormatter;
import dev.postern.net.Backoff;
import dev.postern.net.ClosableSocketFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A watcher that submits each new mail of one mailbox to its hook, once. It creates no thread: while it watches it keeps
 * one of the caller's pool, and between two attempts none.
 *
 * <p>An attempt begins with the stored cursor, which one node at a time may use, and ends with the connection. After a
 * failed attempt another node may use it. Only the database knows which mails were read, so an attempt may end at any point.
 */
public final class MailWatcher {

    private static final Logger LOG = System.getLogger(MailWatcher.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration NO_THREAD = Duration.ofSeconds(1);

    private final MailboxSettings watch;
    private final ImapLogin imapLogin;
    private final MailSubmitter mailSubmitter;
    private final FolderReader folderReader;
    private final MailMetrics metrics;
    private final Executor threads;
    private final ScheduledExecutorService clock;
    private final MailIntervals mailIntervals;
    private final WakeSignal wakeSignal = new WakeSignal();
    private final ClosableSocketFactory closableSocketFactory = new ClosableSocketFactory();
    /** Held by the current attempt. */
    private final ReentrantLock attemptLock = new ReentrantLock();

    /** Number of attempts that failed since the last useful connection; guarded by {@link #attemptLock}. */
    private int failures;

    private volatile boolean closing;

    /**
     * @param session mail session of the application server; null for none
     * @param node this cluster node's name in the database
     * @param tokens the tokens of the mailbox; null if its login is another one
     * @param answers whether there is a channel that takes answers to a recipient ({@code address/ids/subject})
     * @param threads pool of the thread that watches; the caller closes it
     * @param clock scheduler with one thread, which must not be blocked; the caller closes it
     */
    public MailWatcher(
            MailboxSettings watch,
            @Nullable MailSession session,
            String node,
            Ingress ingress,
            SourceCursors sourceCursors,
            @Nullable MailAccessTokens tokens,
            Predicate<String> answers,
            Executor threads,
            ScheduledExecutorService clock,
            InstantSource time) {
        this(watch, session, node, ingress, sourceCursors, tokens, answers, threads, clock, time, MailIntervals.NORMAL);
    }

    MailWatcher(
            MailboxSettings watch,
            @Nullable MailSession session,
            String node,
            Ingress ingress,
            SourceCursors sourceCursors,
            @Nullable MailAccessTokens tokens,
            Predicate<String> answers,
            Executor threads,
            ScheduledExecutorService clock,
            InstantSource time,
            MailIntervals mailIntervals) {
        ImapServerSettings server = ImapServerSettings.of(watch, session);
        this.watch = watch;
        this.imapLogin = new ImapLogin(server, tokens, mailIntervals.silence());
        this.mailSubmitter = new MailSubmitter(ingress, sourceCursors, watch, server, node, time);
        this.metrics = new MailMetrics(time);
        this.folderReader = new FolderReader(
                watch,
                mailSubmitter,
                metrics,
                time,
                () -> closing,
                mailIntervals.poll(),
                mailIntervals.mails(),
                answers);
        this.threads = threads;
        this.clock = clock;
        this.mailIntervals = mailIntervals;
        ingress.setPayloadListener(new GmailPushListener(watch.account(), wakeSignal::signal));
    }

    /** Starts watching. */
    public void start() {
        attemptAfter(Duration.ZERO);
    }

    /** The metrics and the state of the watcher. */
    public MailMetrics metrics() {
        return metrics;
    }

    /** Ends watching; the mail that is being read is still accepted, or left for the next start. */
    public void stop() {
        closing = true;
        wakeSignal.signal();
        if (!hasEnded()) {
            closableSocketFactory.shutDown();
            if (!hasEnded()) {
                LOG.log(Level.WARNING, "The mail watcher did not stop in time");
            }
        }
    }

    /** Waits for the end of the current attempt; false if it does not end in time. */
    private boolean hasEnded() {
        try {
            boolean ended = attemptLock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (ended) {
                attemptLock.unlock();
            }
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void attemptAfter(Duration pause) {
        if (closing) {
            return;
        }
        try {
            var unused = clock.schedule(this::submitAttempt, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.log(Level.DEBUG, "The scheduler has shut down");
        }
    }

    private void submitAttempt() {
        try {
            threads.execute(this::attempt);
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread available for the mail watcher; retrying");
            attemptAfter(NO_THREAD);
        } catch (RuntimeException | Error e) {
            boolean news = metrics.away(MailException.Kind.LOST);
            LOG.log(news ? Level.ERROR : Level.DEBUG, "The mail watcher got no thread; retrying", e);
            attemptAfter(NO_THREAD);
        }
    }

    /** Runs one attempt, and schedules the next one whatever happens. */
    private void attempt() {
        Duration pause = mailIntervals.retry().longest();
        attemptLock.lock();
        try {
            pause = watchInOwnClassLoader();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "The mail watcher could not end its attempt", e);
        } finally {
            attemptLock.unlock();
            attemptAfter(pause);
        }
    }

    private Duration watchInOwnClassLoader() {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(MailWatcher.class.getClassLoader()); // Jakarta Mail finds its parts by it
            return watchMailbox();
        } catch (RuntimeException | Error e) {
            metrics.away(MailException.Kind.LOST);
            LOG.log(Level.ERROR, "The mail watcher failed", e);
            mailSubmitter.releaseReader();
            return mailIntervals.retry().longest();
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    /** Watches until an error or the end, and returns the pause before the next attempt. */
    private Duration watchMailbox() {
        if (closing) {
            return mailIntervals.look();
        }
        Reader reader = mailSubmitter.claimReader();
        if (reader instanceof Reader.Self self) {
            return watchMailbox(self);
        }
        if (reader instanceof Reader.Other) {
            metrics.standingBy();
        } else {
            metrics.pausing();
        }
        return mailIntervals.look();
    }

    private Duration watchMailbox(Reader.Self self) {
        long since = System.nanoTime();
        long handled = metrics.handled();
        try (MailConnection connection = imapLogin.open(watch.label(), writes(), closableSocketFactory)) {
            if (!folderReader.begin(connection.folder(), self)) {
                metrics.pausing();
                return mailIntervals.look();
            }
            metrics.watching(connection.supportsIdle());
            LOG.log(
                    Level.INFO,
                    connection.supportsIdle()
                            ? "Watching folder {0} at {1}; the server announces new mail (IDLE)"
                            : "Watching folder {0} at {1}; the server has no IDLE, polling for new mail",
                    watch.label(),
                    imapLogin.where());
            return watchOver(connection);
        } catch (MailException fault) {
            mailSubmitter.releaseReader();
            boolean opened = fault.kind() == MailException.Kind.LOST || fault.kind() == MailException.Kind.DATABASE;
            boolean steady = System.nanoTime() - since >= mailIntervals.steady().toNanos();
            if (opened && (steady || metrics.handled() > handled)) {
                failures = 0;
            }
            failures++;
            Duration pause = (fault.kind() == MailException.Kind.LOGIN ? mailIntervals.login() : mailIntervals.retry())
                    .after(failures);
            if (!closing) {
                boolean news = metrics.away(fault.kind());
                LOG.log(
                        news ? Level.WARNING : Level.DEBUG,
                        "The mailbox is not watched: {0}; retrying in {1}",
                        fault.sentence(),
                        DurationFormatter.of(pause));
            }
            return pause;
        }
    }

    private boolean writes() {
        return !(watch.afterwards() instanceof Afterwards.Leave);
    }

    private Duration watchOver(MailConnection connection) throws MailException {
        while (!closing) {
            FolderReadProgress progress = folderReader.readOn(connection.folder());
            if (progress instanceof Lost || mailSubmitter.claimReader() instanceof Reader.Other) {
                break;
            }
            if (progress instanceof Enough) {
                return Duration.ZERO;
            }
            if (progress instanceof Later later) {
                await(later.pause());
            } else if (connection.supportsIdle()) {
                idle(connection);
            } else {
                await(mailIntervals.poll());
            }
        }
        metrics.pausing();
        return mailIntervals.look();
    }

    /** Waits for mail by IDLE. If the server ends that by itself, waits until a poll would be due. */
    private void idle(MailConnection connection) throws MailException {
        long start = System.nanoTime();
        if (connection.idle(wakeSignal)) {
            await(mailIntervals.poll().minusNanos(System.nanoTime() - start));
        }
    }

    private void await(Duration most) throws MailException {
        try {
            wakeSignal.await(most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailException(MailException.Kind.LOST, "the thread that watches was interrupted", e);
        }
    }

    /**
     * The intervals of the mail watcher, and its batch size.
     *
     * @param silence longest time that a server may say nothing while a response is due or during IDLE (RFC 2177 allows
     *     29 minutes); a dead connection is detected within twice this time
     * @param poll interval between two polls of a server without IDLE, or of one that ends it by itself or announces in vain
     * @param look interval between two checks whether the cluster node that watches is gone
     * @param retry pauses after a connection was lost or could not be opened, or the database stored nothing
     * @param login pauses after a login was refused; long, because servers lock out clients that try too often
     * @param steady lifetime of a connection after which the pauses start again at the shortest
     * @param mails number of mails to read before the folder is reopened
     */
    record MailIntervals(
            Duration silence, Duration poll, Duration look, Backoff retry, Backoff login, Duration steady, int mails) {

        static final MailIntervals NORMAL = new MailIntervals(
                Duration.ofSeconds(45),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1)),
                new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(15)),
                Duration.ofSeconds(15),
                10_000);
    }
}

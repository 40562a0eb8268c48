package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.DeliveryLookup;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.SourceCursors;
import dev.postern.config.ConfigurationFixture;
import dev.postern.config.MailboxSettings;
import dev.postern.config.Settings;
import dev.postern.ingress.Ingress;
import dev.postern.ingress.RequestPreview;
import dev.postern.ingress.RequestRecorder;
import dev.postern.ingress.SkippedRequests;
import dev.postern.mail.MailWatcher.MailIntervals;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import dev.postern.net.Backoff;
import dev.postern.net.HttpConnections;
import dev.postern.policy.Policy;
import dev.postern.requests.RequestTable;
import dev.postern.store.SqlDialect;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A node that watches a mailbox and accepts its mails, on a real database. */
final class MailWatchFixture implements AutoCloseable {

    static final String PRESET = "  presets: [gmail]\n";

    final String node;
    final Store store;
    final Ingress ingress;
    final MailWatcher watcher;
    final Queue<RequestLogEntry> logged = new ConcurrentLinkedQueue<>();
    /** How far the clock of the scripts is ahead. */
    volatile Duration scriptsAhead = Duration.ZERO;

    final ExecutorService threads = Executors.newCachedThreadPool();
    /** Runs the attempts of the watcher. */
    volatile Executor executor = threads;

    private final ScriptRegistry scriptRegistry;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private MailWatchFixture(
            Path home,
            TestDatabases.Opener database,
            String node,
            int port,
            String hooks,
            String gmail,
            MailIntervals mailIntervals)
            throws StoreException {
        Settings settings = settings(home, port, hooks, gmail);
        InstantSource time = InstantSource.system();
        IdGenerator idGenerator = new IdGenerator(time);
        this.node = node;
        store = database.open(time);
        scriptRegistry = new ScriptRegistry(settings.hooks().transformsRoot(), "postern-test", () -> time.instant()
                .plus(scriptsAhead));
        HookRegistry hookRegistry = HookRegistry.compile(
                        settings.hooks().mappings(), settings.hooks().withheldHeaders(), scriptRegistry)
                .mappings();
        Intake intake = new Intake(
                store,
                time,
                idGenerator,
                PendingActionCounter.of(store, System::nanoTime),
                PendingLimits.of(settings.hooks().maxPending()),
                settings.hooks().idempotencyTtl(),
                AcceptanceRule.NONE,
                new RequestTable("node_1", 1L << 29, System::nanoTime),
                (sql, none) -> List.of());
        ingress = new Ingress(
                new RequestPreview(
                        hookRegistry,
                        new Policy(settings, idGenerator, (channel, to) -> null),
                        DeliveryLookup.in(store),
                        time),
                intake,
                new RunEndWaiters(10, System::nanoTime),
                recorder(),
                new SkippedRequests(time));
        MailboxSettings watch = Objects.requireNonNull(settings.hooks().watchedMailbox());
        watcher = new MailWatcher(
                watch,
                /* session= */ null,
                node,
                ingress,
                /* sourceCursors= */ new SourceCursors(store, time),
                /* tokens= */ MailAccessTokens.of(
                        watch.server().login(),
                        RefreshToken.of(watch.server().login()),
                        new HttpConnections(threads),
                        time),
                /* answers= */ to -> false,
                /* threads= */ attempt -> executor.execute(attempt),
                clock,
                time,
                mailIntervals);
        if (store.dialect() == SqlDialect.SQLITE) {
            store.writeAndWait(sql -> sql.update("DELETE FROM node"));
        }
        store.writeAndWait(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 0, 0)", node));
    }

    private static Settings settings(Path home, int port, String hooks, String gmail) {
        String yaml = "hooks:\n  enabled: true\n  token: a-token-that-is-long-enough-01\n" + hooks
                + "  gmail:\n    account: " + GreenMailServer.ACCOUNT + "\n    password: " + GreenMailServer.PASSWORD
                + "\n    host: 127.0.0.1\n    security: none\n    port: " + port + "\n" + gmail;
        return ConfigurationFixture.yaml(home, yaml).settings();
    }

    /** The settings of the mailbox behind {@code port}. */
    static MailboxSettings mailbox(Path home, int port) {
        return Objects.requireNonNull(settings(home, port, PRESET, "").hooks().watchedMailbox());
    }

    private RequestRecorder recorder() {
        return new RequestRecorder() {
            @Override
            public @Nullable SealedPayload payload(HookRequest request, String mapping) {
                return null;
            }

            @Override
            public void record(HookRequest request, RequestOrigin origin, String mapping, HookResult result) {
                logged.add(origin.logged(
                                request.hook(), mapping, request.receivedAt(), result, request.body().length, null)
                        .entry());
            }
        };
    }

    private static final MailIntervals QUICK = polling(Duration.ofMillis(100));

    /** Short intervals, beside {@code poll} between two polls. */
    static MailIntervals polling(Duration poll) {
        return new MailIntervals(
                Duration.ofSeconds(3),
                poll,
                Duration.ofMillis(50),
                new Backoff(Duration.ofMillis(20), Duration.ofMillis(100)),
                new Backoff(Duration.ofMillis(20), Duration.ofMillis(100)),
                Duration.ofSeconds(1),
                20);
    }

    /** A node that watches the mailbox behind {@code port}. */
    static MailWatchFixture at(Path home, int port) throws StoreException {
        return at(home, port, PRESET, "");
    }

    /**
     * A node as in {@link #at(Path, int)}, with the given settings.
     *
     * @param hooks lines below hooks
     * @param gmail lines below hooks.gmail
     */
    static MailWatchFixture at(Path home, int port, String hooks, String gmail) throws StoreException {
        return at(home, port, hooks, gmail, QUICK);
    }

    static MailWatchFixture at(Path home, int port, String hooks, String gmail, MailIntervals mailIntervals)
            throws StoreException {
        String node = "node-" + System.nanoTime();
        return new MailWatchFixture(home, TestDatabases.sqlite(home), node, port, hooks, gmail, mailIntervals);
    }

    static MailWatchFixture on(
            TestDatabases.Opener database, Path home, String node, int port, String hooks, String gmail)
            throws StoreException {
        return new MailWatchFixture(home, database, node, port, hooks, gmail, QUICK);
    }

    /** Starts the watcher, and waits until it watches. */
    MailWatchFixture watch() {
        watcher.start();
        soon().until(() -> watcher.metrics().isWatching());
        return this;
    }

    /** The subjects of the accepted mails in their order, as soon as there are {@code count} of them. */
    List<String> accepted(int count) {
        return soon().until(this::accepted, subjects -> subjects.size() >= count);
    }

    /** Waits until this node has counted exactly {@code count} handled mails; it counts a mail after accepting it. */
    void hasHandled(long count) {
        soon().until(() -> watcher.metrics().handled() >= count);
        assertThat(watcher.metrics().handled()).isEqualTo(count);
    }

    List<String> accepted() throws StoreException {
        return store
                .read(sql -> sql.query("SELECT message FROM run ORDER BY accepted_at, id", row -> row.text("message")))
                .stream()
                .map(message -> message.replaceAll("(?s).*Subject: ([^\n]*).*", "$1"))
                .toList();
    }

    @Override
    public void close() {
        watcher.stop();
        threads.shutdownNow();
        clock.shutdownNow();
        scriptRegistry.close();
        store.close();
    }
}

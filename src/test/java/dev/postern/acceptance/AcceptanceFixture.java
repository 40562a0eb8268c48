package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.AllowedAction;
import dev.postern.model.EventId;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import dev.postern.requests.RequestTable;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import dev.postern.store.UnitOfWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A scene with an open database and the entry points of acceptance, and short methods for what tests do with them. */
final class AcceptanceFixture implements AutoCloseable {

    static final int MAX_PENDING = 10;
    static final Duration TTL = Duration.ofHours(24);
    static final String AGENT = "main";

    final SettableClock clock = new SettableClock();
    final Store store;
    final PendingActionCounter pending;
    final Intake intake;
    final RunRepository runRepository;
    final EventRepository eventRepository;
    final HeartbeatRepository heartbeatRepository;

    AcceptanceFixture(TestDatabases.Opener database) throws StoreException {
        this(database, MAX_PENDING);
    }

    AcceptanceFixture(TestDatabases.Opener database, int maxPending) throws StoreException {
        this(database, PendingLimits.of(maxPending));
    }

    AcceptanceFixture(TestDatabases.Opener database, PendingLimits limits) throws StoreException {
        IdGenerator idGenerator = new IdGenerator(clock);
        store = database.open(clock);
        pending = PendingActionCounter.of(store, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
        intake = new Intake(
                store,
                clock,
                idGenerator,
                pending,
                limits,
                TTL,
                AcceptanceRule.NONE,
                new RequestTable("node_1", 1L << 29, System::nanoTime),
                (sql, none) -> List.of());
        runRepository = new RunRepository(clock, pending);
        eventRepository = new EventRepository(clock, idGenerator, pending);
        heartbeatRepository = new HeartbeatRepository(clock, pending);
    }

    @Override
    public void close() {
        store.close();
    }

    <T> T write(UnitOfWork<T> unit) throws StoreException {
        return store.writeAndWait(unit);
    }

    Instant now() {
        return clock.instant();
    }

    /** Accepts {@code actions}, which must succeed, and returns the receipts. */
    List<Receipt> accept(AllowedAction... actions) {
        HookResult acceptance = intake.accept(submission(actions));
        assertThat(acceptance).isInstanceOf(HookResult.Accepted.class);
        return ((HookResult.Accepted) acceptance).receipts();
    }

    /** The results of {@code submissions}, which arrive in this order and are accepted in one commit. */
    List<HookResult> acceptInOneBatch(List<Submission> submissions) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Integer> holder = store.write(sql -> {
            begun.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 1;
        });
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            begun.await(); // later submissions are not in its batch
            List<CompletableFuture<HookResult>> answers = new ArrayList<>();
            for (Submission submission : submissions) {
                answers.add(CompletableFuture.supplyAsync(() -> intake.accept(submission), callers));
                while (store.metrics().queued() < answers.size()) {
                    Thread.onSpinWait();
                }
            }
            gate.countDown();
            assertThat(holder.join()).isEqualTo(1);
            return answers.stream().map(CompletableFuture::join).toList();
        } finally {
            gate.countDown();
            callers.shutdown();
        }
    }

    /** Queues one turn in the session {@code key}. */
    RunId queue(String key) {
        return ((Receipt.Run) accept(turn(key)).get(0)).id();
    }

    /** Queues one event. */
    EventId wake(String text, WakeMode mode) {
        return ((Receipt.Event) accept(wakeOf(text, mode)).get(0)).id();
    }

    /** Releases the session locks of dead nodes; their heartbeats are due again at once. */
    RecoveryResult recover(int maxAttempts) throws StoreException {
        return write(sql -> runRepository.recover(
                sql, maxAttempts, (each, beat) -> heartbeatRepository.release(each, beat, now())));
    }

    /** Makes {@code node} count as alive. */
    void enter(String node) throws StoreException {
        write(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 0, 0)", node));
    }

    List<ClaimedRun> claim(String node, int max) throws StoreException {
        return write(sql -> runRepository.claim(sql, node, max));
    }

    /** Claims the one run that must be ready. */
    ClaimedRun claimOne() throws StoreException {
        List<ClaimedRun> claimed = claim("node", 1);
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    /** The number of runs that could be claimed now; claims them and gives them back. */
    int runsReady() throws StoreException {
        return write(sql -> {
            List<ClaimedRun> claimed = runRepository.claim(sql, "looker", 1_000);
            for (ClaimedRun run : claimed) {
                runRepository.giveBack(sql, run);
            }
            return claimed.size();
        });
    }

    List<WaitingEvent> waiting() throws StoreException {
        return store.read(sql -> eventRepository.waiting(sql, AGENT, 100));
    }

    HeartbeatState heartbeatState() throws StoreException {
        return store.read(sql -> heartbeatRepository.state(sql, AGENT));
    }

    static Submission submission(AllowedAction... actions) {
        return new Submission(List.of(actions), null, 17, new byte[] {1, 2}, null, null);
    }

    static Submission keyed(String key, int content, AllowedAction... actions) {
        return new Submission(
                List.of(actions),
                new IdempotencyKey(key, new byte[] {(byte) content}),
                17,
                new byte[] {1, 2},
                null,
                null);
    }

    static AllowedAction.Turn turn(String key) {
        return turn(new SessionKey(key), "do it");
    }

    static AllowedAction.Turn turn(SessionKey key, String message) {
        return turn(AGENT, key, message);
    }

    static AllowedAction.Turn turnOf(String agent, String key) {
        return turn(agent, new SessionKey(key), "do it");
    }

    private static AllowedAction.Turn turn(String agent, SessionKey key, String message) {
        return new AllowedAction.Turn(
                /* agentId= */ agent,
                /* sessionKey= */ key,
                message,
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ true,
                /* recipient= */ new Recipient("slack", "C1"),
                /* model= */ "offline/echo",
                /* thinking= */ "low",
                /* timeout= */ Duration.ofSeconds(90),
                /* provenance= */ new Provenance("agent", true),
                /* operatorInstructions= */ new OperatorInstructions(
                        "be brief",
                        Optional.of(List.of("search", "read")),
                        List.of("lab/deploy", "read"),
                        Optional.of(List.of("backup/large", "offline/echo")),
                        TurnPriority.HIGH,
                        null));
    }

    static AllowedAction.Wake wakeOf(String text, WakeMode mode) {
        return new AllowedAction.Wake(AGENT, text, mode, Provenance.untrusted("wake"));
    }
}

package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.model.AllowedAction;
import dev.postern.model.DeliveryState;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the intake for requests, on every database. */
abstract class IntakeContract {

    @TempDir
    Path home;

    TestDatabases.Opener database;
    AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        database = database(home);
        fixture = new AcceptanceFixture(database);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void isUnavailableWhenTheDatabaseIsGone() {
        fixture.store.close();

        assertThat(fixture.intake.accept(AcceptanceFixture.submission(AcceptanceFixture.turn("hook:a"))))
                .asInstanceOf(type(HookResult.Unavailable.class))
                .satisfies(unavailable -> assertThat(unavailable.retryAfter()).isPositive());
        assertThat(fixture.intake.run(new RunId("run_1"))).isEqualTo(new RunLookup.Unavailable());
        assertThat(fixture.pending.value()).isZero();
    }

    @Test
    void isUnavailableAndKeepsNothingWhenAStatementFails() throws Exception {
        fixture.write(sql -> sql.update("ALTER TABLE event RENAME TO event_gone"));

        assertThat(fixture.intake.accept(AcceptanceFixture.keyed(
                        "k", 1, AcceptanceFixture.turn("hook:a"), AcceptanceFixture.wakeOf("look", WakeMode.NOW))))
                .isInstanceOf(HookResult.Unavailable.class);
        fixture.write(sql -> sql.update("ALTER TABLE event_gone RENAME TO event"));
        assertThat(fixture.intake.pending()).isZero();
        assertThat(count("run")).isZero();
        assertThat(count("session")).isZero();
        assertThat(count("idempotency")).isZero();
        assertThat(replayed(fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")))))
                .isFalse();
    }

    @Test
    void refusesTheKeyOfOtherContent() throws Exception {
        fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")));

        assertThat(fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:a"))))
                .isEqualTo(new HookResult.IdempotencyConflict());
        assertThat(count("run")).isEqualTo(1);
        assertThat(fixture.intake.pending()).isEqualTo(1);
    }

    @Test
    void refusesAFanOutThatWouldPassTheBoundAndWritesNothing() throws Exception {
        IntStream.range(0, AcceptanceFixture.MAX_PENDING - 2).forEach(i -> fixture.queue("hook:" + i));

        HookResult refused = fixture.intake.accept(AcceptanceFixture.keyed(
                "k",
                1,
                AcceptanceFixture.turn("a"),
                AcceptanceFixture.turn("b"),
                AcceptanceFixture.wakeOf("c", WakeMode.NOW)));

        assertThat(refused)
                .asInstanceOf(type(HookResult.Overloaded.class))
                .satisfies(overloaded -> assertThat(overloaded.retryAfter()).isPositive());
        assertThat(fixture.intake.accept(AcceptanceFixture.submission(
                        AcceptanceFixture.turn("a"), AcceptanceFixture.turn("b"), AcceptanceFixture.turn("c"))))
                .isInstanceOf(HookResult.Overloaded.class);
        assertThat(count("idempotency")).isZero();
        assertThat(count("run")).isEqualTo(AcceptanceFixture.MAX_PENDING - 2);
        assertThat(count("event")).isZero();
        assertThat(fixture.intake.pending()).isEqualTo(AcceptanceFixture.MAX_PENDING - 2);
    }

    @Test
    void fillsUpToTheBoundAndNotBeyond() throws Exception {
        IntStream.range(0, AcceptanceFixture.MAX_PENDING - 1).forEach(i -> fixture.queue("hook:" + i));

        assertThat(fixture.intake.accept(AcceptanceFixture.keyed("last", 1, AcceptanceFixture.turn("hook:last"))))
                .isInstanceOf(HookResult.Accepted.class);
        assertThat(fixture.intake.pending()).isEqualTo(AcceptanceFixture.MAX_PENDING);
        assertThat(fixture.intake.accept(AcceptanceFixture.keyed("over", 1, AcceptanceFixture.turn("hook:over"))))
                .isInstanceOf(HookResult.Overloaded.class);
        assertThat(fixture.intake.accept(AcceptanceFixture.submission(AcceptanceFixture.turn("hook:over"))))
                .isInstanceOf(HookResult.Overloaded.class);
    }

    @Test
    void answersARepeatEvenWhenThereIsNoRoom() {
        HookResult first = fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")));
        IntStream.range(0, AcceptanceFixture.MAX_PENDING - 1).forEach(i -> fixture.queue("hook:" + i));

        HookResult again = fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")));

        assertThat(replayed(again)).isTrue();
        assertThat(receipts(again)).isEqualTo(receipts(first));
        assertThat(fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:a"))))
                .isEqualTo(new HookResult.IdempotencyConflict());
    }

    @Test
    void refusesAnExpiredKeyWithoutRoomAndLeavesItAsItWas() {
        fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")));
        IntStream.range(0, AcceptanceFixture.MAX_PENDING - 1).forEach(i -> fixture.queue("hook:" + i));
        fixture.clock.advance(AcceptanceFixture.TTL);

        assertThat(fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:a"))))
                .isInstanceOf(HookResult.Overloaded.class);
        fixture.clock.advance(Duration.ofMillis(-1));
        assertThat(replayed(fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")))))
                .isTrue();
    }

    @Test
    void neverPassesTheBoundUnderManyThreads() throws Exception {
        List<HookResult> answers = together(
                16,
                i -> fixture.intake.accept(AcceptanceFixture.submission(
                        AcceptanceFixture.turn("a" + i), AcceptanceFixture.turn("b" + i))));

        assertThat(answers)
                .filteredOn(HookResult.Accepted.class::isInstance)
                .hasSize(AcceptanceFixture.MAX_PENDING / 2);
        assertThat(answers)
                .filteredOn(HookResult.Overloaded.class::isInstance)
                .hasSize(16 - AcceptanceFixture.MAX_PENDING / 2);
        assertThat(fixture.intake.pending()).isEqualTo(AcceptanceFixture.MAX_PENDING);
        assertThat(count("run")).isEqualTo(AcceptanceFixture.MAX_PENDING);
    }

    @Test
    void acceptsTheSameKeyFromManyThreadsOnce() throws Exception {
        List<HookResult> answers = together(
                16, i -> fixture.intake.accept(AcceptanceFixture.keyed("same", 1, AcceptanceFixture.turn("hook:a"))));

        assertThat(answers).allSatisfy(answer -> assertThat(receipts(answer)).isEqualTo(receipts(answers.get(0))));
        assertThat(answers).filteredOn(IntakeContract::replayed).hasSize(15);
        assertThat(count("run")).isEqualTo(1);
        assertThat(fixture.intake.pending()).isEqualTo(1);
    }

    @Test
    void acceptsTheSameKeyOnceAndOtherKeysEachInOneBatch() throws Exception {
        List<HookResult> answers = fixture.acceptInOneBatch(Stream.of("b", "a", "b", "c")
                .map(key -> AcceptanceFixture.keyed(key, 1, AcceptanceFixture.turn("hook:a")))
                .toList());

        assertThat(answers).filteredOn(IntakeContract::replayed).hasSize(1);
        assertThat(receipts(answers.get(0))).isEqualTo(receipts(answers.get(2)));
        assertThat(count("run")).isEqualTo(3);
    }

    @Test
    void keepsTheOrderOfArrivalWithinOneBatchWhateverTheKeys() throws Exception {
        List<HookResult> answers = fixture.acceptInOneBatch(List.of(
                AcceptanceFixture.submission(AcceptanceFixture.turn("hook:a")),
                AcceptanceFixture.keyed("c", 1, AcceptanceFixture.turn("hook:a")),
                AcceptanceFixture.keyed("a", 1, AcceptanceFixture.wakeOf("first", WakeMode.NEXT_HEARTBEAT)),
                AcceptanceFixture.keyed("b", 1, AcceptanceFixture.turn("hook:a")),
                AcceptanceFixture.submission(AcceptanceFixture.wakeOf("second", WakeMode.NEXT_HEARTBEAT)),
                AcceptanceFixture.keyed("0", 1, AcceptanceFixture.wakeOf("third", WakeMode.NEXT_HEARTBEAT))));

        List<RunId> runs = fixture.store.read(sql -> sql.query(
                "SELECT id FROM run WHERE session_key = 'hook:a' ORDER BY seq", row -> new RunId(row.text("id"))));
        assertThat(runs)
                .containsExactlyElementsOf(Stream.of(0, 1, 3)
                        .map(i -> ((Receipt.Run) receipts(answers.get(i)).get(0)).id())
                        .toList());
        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("first", "second", "third");
    }

    @Test
    void answersARepeatWithTheFirstReceiptsAlsoAfterARestart() throws Exception {
        Submission submission = AcceptanceFixture.keyed(
                "k",
                1,
                AcceptanceFixture.turn("hook:a b"),
                AcceptanceFixture.wakeOf("look", WakeMode.NEXT_HEARTBEAT),
                AcceptanceFixture.turn("hook:c"));
        HookResult first = fixture.intake.accept(submission);
        fixture.close();
        fixture = new AcceptanceFixture(database);
        AtomicInteger heard = new AtomicInteger();
        fixture.intake.onAccepted(heard::incrementAndGet);

        HookResult again = fixture.intake.accept(submission);

        assertThat(first).asInstanceOf(type(HookResult.Accepted.class)).satisfies(accepted -> {
            assertThat(accepted.replayed()).isFalse();
            assertThat(accepted.receipts()).hasSize(3);
        });
        assertThat(again).isEqualTo(new HookResult.Accepted(receipts(first), true));
        assertThat(heard).hasValue(0);
        assertThat(fixture.intake.pending()).isEqualTo(3);
    }

    @Test
    void forgetsAKeyExactlyWhenItsTimeIsOver() throws Exception {
        HookResult first = fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")));
        fixture.clock.advance(AcceptanceFixture.TTL.minusMillis(1));
        assertThat(replayed(fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a")))))
                .isTrue();
        fixture.clock.advance(Duration.ofMillis(1));

        HookResult second = fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:a")));

        assertThat(replayed(second)).isFalse();
        assertThat(receipts(second)).isNotEqualTo(receipts(first));
        assertThat(count("idempotency")).isEqualTo(1);
        HookResult third = fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:a")));
        assertThat(replayed(third)).isTrue();
        assertThat(receipts(third)).isEqualTo(receipts(second));
    }

    @Test
    void takesAKeyThatNoDatabaseKeepsAsItIs() {
        Submission odd = AcceptanceFixture.keyed("nul\0 lone\uD83D", 1, AcceptanceFixture.turn("hook:a"));

        assertThat(replayed(fixture.intake.accept(odd))).isFalse();
        assertThat(replayed(fixture.intake.accept(odd))).isTrue();
    }

    @Test
    void givesTheSessionKeyBackAsItIsStored() throws Exception {
        Receipt.Run receipt = (Receipt.Run)
                fixture.accept(AcceptanceFixture.turn("hook:lone\uD83D")).get(0);

        assertThat(receipt.sessionKey()).isEqualTo(new SessionKey("hook:lone\uFFFD"));
        assertThat(fixture.intake.run(receipt.id()).found().orElseThrow().sessionKey())
                .isEqualTo(receipt.sessionKey());
    }

    @Test
    void keepsTextThatNoDatabaseKeepsInARepairedForm() throws Exception {
        fixture.accept(
                AcceptanceFixture.turn(new SessionKey("hook:a"), "nul\0 lone\uDE00"),
                AcceptanceFixture.wakeOf("\0", WakeMode.NOW));

        assertThat(fixture.claimOne().turn().message()).isEqualTo("nul\uFFFD lone\uFFFD");
        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("\uFFFD");
    }

    @Test
    void knowsNothingOfARunThatIsNotThere() throws Exception {
        assertThat(fixture.intake.run(new RunId("run_none")).found()).isEmpty();
    }

    @Test
    void givesARunAnotherRevisionWhenItChanges() throws Exception {
        RunId id = fixture.queue("hook:a");
        List<RunId> asked = List.of(new RunId("run_none"), id);
        String queued = fixture.intake.revisions(asked).orElseThrow().get(id);

        assertThat(fixture.intake.revisions(asked).orElseThrow()).containsOnly(Map.entry(id, queued));
        ClaimedRun run = fixture.claimOne();
        String running = fixture.intake.revisions(asked).orElseThrow().get(id);
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.FAILED, null, "it broke", null));

        assertThat(running).isNotEqualTo(queued);
        assertThat(fixture.intake.revisions(asked).orElseThrow().get(id)).isNotIn(queued, running);
    }

    @Test
    void showsAQueuedRun() throws Exception {
        RunId id = fixture.queue("hook:a");

        assertThat(fixture.intake.run(id).found())
                .contains(new RunView(
                        id,
                        /* state= */ RunState.QUEUED,
                        /* agentId= */ "main",
                        /* sessionKey= */ new SessionKey("hook:a"),
                        /* sender= */ null,
                        /* model= */ "offline/echo",
                        /* askedModel= */ null,
                        /* attempts= */ 0,
                        /* acceptedAt= */ fixture.now(),
                        /* startedAt= */ null,
                        /* finishedAt= */ null,
                        /* reply= */ null,
                        /* error= */ null,
                        /* retryAt= */ null,
                        /* retryReason= */ null,
                        /* waits= */ 0,
                        /* heldBy= */ null,
                        /* collectingUntil= */ null,
                        /* items= */ 1,
                        /* traceId= */ null,
                        /* turn= */ null,
                        /* delivery= */ DeliveryState.NONE,
                        /* deliveries= */ List.of()));
    }

    @Test
    void showsAnEndedRunWithItsTimesAndItsReply() throws Exception {
        RunId id = fixture.queue("hook:a");
        Instant accepted = fixture.now();
        fixture.clock.advance(Duration.ofSeconds(1));
        ClaimedRun run = fixture.claimOne();
        fixture.clock.advance(Duration.ofSeconds(2));
        TurnRecord turn = new TurnRecord(
                1_900,
                1_200L,
                null,
                "length",
                "backup/large",
                List.of(new ToolCall("files", "read", 10, 2_000, 30, Outcome.TIMED_OUT)),
                List.of("It was noted."),
                "no such model",
                new BigDecimal("0.25"));
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.FAILED, "half", "it broke", turn));

        assertThat(fixture.intake.run(id).found())
                .contains(new RunView(
                        id,
                        /* state= */ RunState.FAILED,
                        /* agentId= */ "main",
                        /* sessionKey= */ new SessionKey("hook:a"),
                        /* sender= */ null,
                        /* model= */ "backup/large",
                        /* askedModel= */ "offline/echo",
                        /* attempts= */ 1,
                        /* acceptedAt= */ accepted,
                        /* startedAt= */ accepted.plusSeconds(1),
                        /* finishedAt= */ accepted.plusSeconds(3),
                        /* reply= */ "half",
                        /* error= */ "it broke",
                        /* retryAt= */ null,
                        /* retryReason= */ null,
                        /* waits= */ 0,
                        /* heldBy= */ null,
                        /* collectingUntil= */ null,
                        /* items= */ 1,
                        /* traceId= */ null,
                        turn,
                        /* delivery= */ DeliveryState.NONE,
                        /* deliveries= */ List.of()));
    }

    @Test
    void showsWhatBecameOfTheReply() throws Exception {
        RunId id = fixture.queue("hook:a");
        deliver(id, "d1", "suppressed", null);
        assertThat(delivery(id)).isEqualTo(DeliveryState.SUPPRESSED);
        deliver(id, "d2", "delivered", null);
        assertThat(delivery(id)).isEqualTo(DeliveryState.DELIVERED);
        deliver(id, "d3", "failed", "no such channel");
        assertThat(delivery(id)).isEqualTo(DeliveryState.FAILED);
        deliver(id, "d4", "pending", null);
        assertThat(delivery(id)).isEqualTo(DeliveryState.PENDING);
        deliver(fixture.queue("hook:b"), "d5", "failed", null);
        part("d4", 1, 1L, "ts1");
        part("d4", 2, 1L, null);
        part("d4", 3, null, null);

        assertThat(fixture.intake.run(id).found().orElseThrow().deliveries())
                .containsExactly(
                        new RunView.Delivery("slack", "C1", DeliveryState.SUPPRESSED, 2, 0, 0, List.of(), null),
                        new RunView.Delivery("slack", "C1", DeliveryState.DELIVERED, 2, 0, 0, List.of(), null),
                        new RunView.Delivery(
                                "slack", "C1", DeliveryState.FAILED, 2, 0, 0, List.of(), "no such channel"),
                        new RunView.Delivery("slack", "C1", DeliveryState.PENDING, 2, 3, 2, List.of("ts1"), null));
    }

    @Test
    void handsEveryFieldOfATurnToItsRun() throws Exception {
        AllowedAction.Turn full = AcceptanceFixture.turn("hook:a");
        AllowedAction.Turn bare = new AllowedAction.Turn(
                /* agentId= */ "other",
                /* sessionKey= */ new SessionKey("hook:b"),
                /* message= */ "m",
                /* name= */ "n",
                /* wakeMode= */ WakeMode.NOW,
                /* deliver= */ false,
                /* recipient= */ Recipient.last(),
                /* model= */ "p/m",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMillis(1),
                /* provenance= */ Provenance.untrusted("github/push"),
                /* operatorInstructions= */ new OperatorInstructions(
                        null, Optional.of(List.of()), List.of(), Optional.of(List.of()), TurnPriority.LOW, "generic"));
        fixture.accept(full, bare);

        assertThat(fixture.claim("node", 5)).extracting(ClaimedRun::turn).containsExactlyInAnyOrder(full, bare);
    }

    @Test
    void notifiesListenersAfterEachCommitOfSomethingNew() {
        AtomicInteger heard = new AtomicInteger();
        fixture.intake.onAccepted(heard::incrementAndGet);
        fixture.queue("hook:a");
        assertThat(heard).hasValue(1);
        fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:b")));
        assertThat(heard).hasValue(2);
        fixture.intake.accept(AcceptanceFixture.keyed("k", 2, AcceptanceFixture.turn("hook:b")));
        fixture.intake.accept(AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:b")));

        assertThat(heard).hasValue(2);
    }

    @Test
    void countsWhatIsPendingOverARestart() throws Exception {
        fixture.queue("hook:a");
        fixture.queue("hook:a");
        fixture.wake("look", WakeMode.NOW);
        ClaimedRun run = fixture.claimOne();
        assertThat(fixture.intake.pending()).isEqualTo(3);
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.CANCELLED, null, null, null));
        fixture.write(sql ->
                fixture.eventRepository.post(sql, "main", "summary", run.turn().provenance(), run.id(), WakeMode.NOW));
        assertThat(fixture.intake.pending()).isEqualTo(2);
        fixture.close();
        fixture = new AcceptanceFixture(database);

        assertThat(fixture.intake.pending()).isEqualTo(2);
    }

    @Test
    void takesTheCountBackWhenATransactionIsUndone() throws Exception {
        fixture.queue("hook:a");

        assertThatThrownBy(() -> fixture.<Integer>write(sql -> {
                    fixture.runRepository.finish(
                            sql, fixture.runRepository.claim(sql, "node", 1).get(0), RunState.FAILED, null, null, null);
                    return sql.update("UPDATE nowhere SET x = 1");
                }))
                .isInstanceOf(StoreException.class);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.runsReady()).isEqualTo(1);
    }

    @Test
    void tellsHowLongTheOldestRunHasWaited() throws Exception {
        assertThat(fixture.intake.oldestWaiting()).isZero();
        fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofSeconds(3));
        fixture.queue("hook:b");
        fixture.clock.advance(Duration.ofSeconds(4));

        assertThat(fixture.intake.oldestWaiting()).isEqualTo(Duration.ofSeconds(7));
        assertThat(fixture.claimOne().session().value()).isEqualTo("hook:a");
        assertThat(fixture.intake.oldestWaiting()).isEqualTo(Duration.ofSeconds(4));
        fixture.clock.advance(Duration.ofSeconds(-9));
        assertThat(fixture.intake.oldestWaiting()).isZero();
    }

    @Test
    void refusesASubmissionOfNothing() {
        assertThatThrownBy(AcceptanceFixture::submission).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IdempotencyKey("", new byte[] {0})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IdempotencyKey("x".repeat(256), new byte[] {0}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new IdempotencyKey("x".repeat(255), new byte[] {0x0f, (byte) 0xf0}).contentSha256())
                .isEqualTo("0ff0");
    }

    private void part(String delivery, int number, @Nullable Long sentAt, @Nullable String messageId) throws Exception {
        fixture.write(sql -> sql.update(
                "INSERT INTO delivery_part (delivery_id, number, text, sent_at, message_id) VALUES (?, ?, 'a', ?, ?)",
                delivery,
                number,
                sentAt,
                messageId));
    }

    private void deliver(RunId run, String id, String state, String reason) throws Exception {
        fixture.write(sql -> sql.update(
                """
                INSERT INTO delivery (id, run_id, agent_id, channel, recipient, text, state, attempts, reason, created_at)
                VALUES (?, ?, 'main', 'slack', 'C1', 'hi', ?, 2, ?, 1)""",
                id,
                run.value(),
                state,
                reason));
    }

    private DeliveryState delivery(RunId id) throws Exception {
        return fixture.intake.run(id).found().orElseThrow().delivery();
    }

    private long count(String table) throws Exception {
        return fixture.store.read(sql -> sql.first("SELECT count(*) AS n FROM " + table, row -> row.number("n"))
                .orElseThrow());
    }

    private static boolean replayed(HookResult acceptance) {
        return ((HookResult.Accepted) acceptance).replayed();
    }

    private static List<Receipt> receipts(HookResult acceptance) {
        return ((HookResult.Accepted) acceptance).receipts();
    }

    private static <T> List<T> together(int threads, IntFunction<T> work) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        CyclicBarrier start = new CyclicBarrier(threads);
        List<T> results = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<?>[] all = IntStream.range(0, threads)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> {
                            try {
                                start.await();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                            results.add(work.apply(i));
                        },
                        callers))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(all).join();
        callers.shutdown();
        return results;
    }
}

package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorResult;
import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of groups of requests that become one run or event, on every database. */
abstract class CoalescingContract {

    private static final CoalescingRule ALL =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 100);
    private static final CoalescingRule LATEST =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), true, 100);
    private static final CoalescingRule PAIRS =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 2);
    private static final String SESSION = "hook:storm";

    @TempDir
    Path home;

    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void repeatedIdempotencyKeyJoinsNothing() throws StoreException {
        Submission opening = keyed("a", "one");
        Submission joining = keyed("b", "two");
        HookResult.Accepted opened = accepted(opening);
        HookResult.Accepted joined = accepted(joining);

        assertThat(accepted(opening)).isEqualTo(opened.again());
        assertThat(accepted(joining)).isEqualTo(joined.again());
        assertThat(joined.coalesced()).isEqualTo(2);
        assertThat(texts(closedRun())).containsExactly("one", "two");
    }

    @Test
    void repeatInTheCommitOfItsFirstNamesTheGroupsRun() throws Exception {
        HookResult.Accepted opened = accepted(keyed("a", "one"));

        List<HookResult> answers = fixture.acceptInOneBatch(
                List.of(keyed("c", "three"), keyed("b", "two"), keyed("b", "two"), keyed("c", "three")));

        assertThat(answers).allSatisfy(answer -> assertThat(((HookResult.Accepted) answer).receipts())
                .isEqualTo(opened.receipts()));
        assertThat(answers)
                .extracting(
                        answer -> ((HookResult.Accepted) answer).coalesced(),
                        answer -> ((HookResult.Accepted) answer).replayed())
                .containsExactly(tuple(2, false), tuple(3, false), tuple(3, true), tuple(2, true));
        assertThat(texts(closedRun())).containsExactly("one", "three", "two");
    }

    @Test
    void newlySignedRepeatInOneCommitNamesTheGroupsRun() throws Exception {
        HookResult.Accepted opened = accepted(keyed("a", "one"));
        Submission first = signed("b", "signed first", "two");
        Submission again = signed("b", "signed again", "two");

        List<HookResult> answers = fixture.acceptInOneBatch(List.of(first, again));

        assertThat(answers.get(1)).isEqualTo(((HookResult.Accepted) answers.get(0)).again());
        assertThat(accepted(signed("other", "signed again", "two")).receipts()).isEqualTo(opened.receipts());
        assertThat(view(((Receipt.Run) opened.receipts().get(0)).id()).items()).isEqualTo(2);
    }

    @Test
    void joiningWithOtherContentUnderOneKeyIsAConflict() {
        RunId run = ((Receipt.Run) accepted(keyed("a", "one")).receipts().get(0)).id();

        assertThat(fixture.intake.accept(
                        AcceptanceFixture.keyed("a", 9, turn("other")).within(new CoalescingRequest("g", ALL))))
                .isInstanceOf(HookResult.IdempotencyConflict.class);
        assertThat(view(run).items()).isEqualTo(1);
    }

    @Test
    void repeatedKeyAloneLeavesNoGroupBehind() throws StoreException {
        Submission opening = keyed("a", "one");
        accepted(opening);
        closedRun();

        accepted(opening);

        assertThat(rows("request_group")).isZero();
    }

    @Test
    void requestAfterTheQuietWindowOpensAnotherGroup() {
        RunId first = run(turn("one"), ALL);
        fixture.clock.advance(Duration.ofSeconds(30));

        assertThat(run(turn("two"), ALL)).isNotEqualTo(first);
    }

    @Test
    void requestAfterMaxWaitOpensAnotherGroup() {
        RunId first = run(turn("0"), ALL);
        for (int i = 1; i <= 10; i++) {
            fixture.clock.advance(Duration.ofSeconds(29));
            assertThat(run(turn("" + i), ALL)).isEqualTo(first);
        }
        fixture.clock.advance(Duration.ofSeconds(10));

        assertThat(run(turn("late"), ALL)).isNotEqualTo(first);
    }

    @Test
    void runIsNotClaimedWhileItCollects() throws StoreException {
        run(turn("one"), ALL);
        run(turn("two"), ALL);

        assertThat(fixture.runsReady()).isZero();
        assertThat(fixture.store.read(RunRepository::oldestQueued)).isEmpty();
        assertThat(due().closed()).isZero();
        fixture.clock.advance(Duration.ofSeconds(30));
        assertThat(due().closed()).isEqualTo(1);
        assertThat(fixture.runsReady()).isEqualTo(1);
    }

    @Test
    void fullGroupClosesInTheAcceptingCommit() throws StoreException {
        RunId first = run(turn("one"), PAIRS);
        run(turn("two"), PAIRS);

        ClaimedRun claimed = fixture.claimOne();
        assertThat(claimed.id()).isEqualTo(first);
        assertThat(texts(claimed)).containsExactly("one", "two");
        assertThat(rows("request_group")).isZero();
    }

    @Test
    void textBeyondTheMostCharactersOpensAnotherGroup() throws StoreException {
        String half = "x".repeat(100_000);
        RunId first = run(turn(half), ALL);
        assertThat(run(turn(half), ALL)).isEqualTo(first);

        assertThat(run(turn("more"), ALL)).isNotEqualTo(first);
        assertThat(texts(fixture.claimOne())).containsExactly(half, half);
    }

    @Test
    void textsOfOneEventFitIntoOneHeartbeat() throws StoreException {
        String half = "x".repeat(10_001);
        accepted(wake(half), ALL);
        accepted(wake(half), ALL);

        assertThat(fixture.waiting()).hasSize(1);
    }

    @Test
    void groupTakesItsPlaceInItsSessionWhenItCloses() throws StoreException {
        RunId collecting = run(turn("one"), ALL);
        RunId alone = fixture.queue(SESSION);
        fixture.clock.advance(Duration.ofSeconds(30));
        due();
        RunId behind = fixture.queue(SESSION);

        assertThat(List.of(endNext(), endNext(), endNext())).containsExactly(alone, collecting, behind);
    }

    @Test
    void closedRunWaitsSinceItsClose() throws StoreException {
        run(turn("one"), ALL);
        fixture.clock.advance(Duration.ofSeconds(30));
        Instant closed = fixture.now();
        due();
        ClaimedRun claimed = fixture.claimOne();
        fixture.write(sql -> fixture.runRepository.giveBack(sql, claimed));

        assertThat(fixture.store.read(RunRepository::oldestQueued)).contains(closed);
    }

    @Test
    void loneRequestIsAnOrdinaryRun() throws StoreException {
        HookResult.Accepted alone = accepted(turn("one"), ALL);

        ClaimedRun claimed = closedRun();
        assertThat(alone.coalesced()).isZero();
        assertThat(claimed.items()).isEqualTo(1);
        assertThat(texts(claimed)).isEmpty();
        assertThat(claimed.turn().message()).isEqualTo("one");
        assertThat(rows("request_item")).isZero();
    }

    @Test
    void onlyTheLastTextIsKept() throws StoreException {
        IntStream.rangeClosed(1, 5).forEach(i -> run(turn("text " + i), LATEST));

        ClaimedRun claimed = closedRun();
        assertThat(claimed.items()).isEqualTo(5);
        assertThat(items(claimed))
                .extracting(RequestItem::number, RequestItem::text)
                .singleElement()
                .isEqualTo(tuple(5, "text 5"));
        assertThat(rows("request_item")).isEqualTo(1);
    }

    @Test
    void theLastTextIsTheLastToArriveInOneCommitToo() throws Exception {
        accepted(AcceptanceFixture.keyed("z", 1, turn("unknown")).within(new CoalescingRequest("g", LATEST)));

        var unused = fixture.acceptInOneBatch(List.of(
                AcceptanceFixture.keyed("b", 1, turn("down")).within(new CoalescingRequest("g", LATEST)),
                AcceptanceFixture.keyed("a", 1, turn("up")).within(new CoalescingRequest("g", LATEST))));

        assertThat(items(closedRun())).extracting(RequestItem::text).containsExactly("up");
    }

    @Test
    void olderProgramReadsAllTextsAsOne() throws StoreException {
        run(turn("one"), ALL);
        run(turn("two"), ALL);

        assertThat(closedRun().turn().message()).containsSubsequence("[1 of 2, ", "one", "[2 of 2, ", "two");
    }

    @Test
    void groupCountsAsOnePendingAction() {
        for (int i = 0; i < 3 * AcceptanceFixture.MAX_PENDING; i++) {
            accepted(turn("" + i), ALL);
        }
        assertThat(fixture.pending.value()).isEqualTo(1);
        IntStream.range(1, AcceptanceFixture.MAX_PENDING).forEach(i -> fixture.queue("hook:" + i));

        accepted(turn("joins where there is no room"), ALL);
        assertThat(fixture.intake.accept(AcceptanceFixture.submission(turn("alone"))))
                .isInstanceOf(HookResult.Overloaded.class);
    }

    @Test
    void cancelledRunIsCancelledWholeAndOpensAnotherGroup() throws StoreException {
        RunId first = run(turn("one"), ALL);
        run(turn("two"), ALL);

        CancellationResult cancelled = fixture.write(sql -> fixture.runRepository.cancel(sql, first));

        assertThat(cancelled.result()).isInstanceOf(OperatorResult.Done.class);
        assertThat(fixture.pending.value()).isZero();
        assertThat(view(first).state()).isEqualTo(RunState.CANCELLED);
        assertThat(view(first).items()).isEqualTo(2);
        assertThat(view(first).collectingUntil()).isNull();
        assertThat(run(turn("three"), ALL)).isNotEqualTo(first);
        assertThat(fixture.runsReady()).isZero();
    }

    @Test
    void rerunRepeatsAllItems() throws StoreException {
        RunId first = run(turn("one"), ALL);
        run(turn("two"), ALL);
        assertThat(fixture.intake.rerun(first, "1")).isInstanceOf(OperatorResult.Conflict.class);
        end(closedRun());

        assertThat(fixture.intake.rerun(first, "1")).isInstanceOf(OperatorResult.Done.class);

        ClaimedRun again = fixture.claimOne();
        assertThat(again.id()).isNotEqualTo(first);
        assertThat(again.items()).isEqualTo(2);
        assertThat(texts(again)).containsExactly("one", "two");
    }

    @Test
    void interruptedRunKeepsItsItems() throws StoreException {
        run(turn("one"), ALL);
        run(turn("two"), ALL);
        ClaimedRun first = closedRun();

        fixture.write(sql -> fixture.runRepository.release(sql, first, null));

        assertThat(texts(fixture.claimOne())).containsExactly("one", "two");
    }

    @Test
    void viewShowsHowLongAndWhatTheRunCollects() throws StoreException {
        RunId run = run(turn("one"), ALL);
        fixture.clock.advance(Duration.ofSeconds(10));
        run(turn("two"), ALL);

        RunView collecting = view(run);
        assertThat(collecting.state()).isEqualTo(RunState.QUEUED);
        assertThat(collecting.items()).isEqualTo(2);
        assertThat(collecting.collectingUntil()).isEqualTo(fixture.now().plusSeconds(30));
        assertThat(collecting.sessionKey()).isEqualTo(new SessionKey(SESSION));
        end(closedRun());
        assertThat(view(run).items()).isEqualTo(2);
        assertThat(view(run).collectingUntil()).isNull();
    }

    @Test
    void eventWaitsForNoHeartbeatWhileItCollects() throws StoreException {
        HookResult.Accepted first = accepted(wake("one"), ALL);
        HookResult.Accepted second = accepted(wake("two"), ALL);

        assertThat(second.receipts()).isEqualTo(first.receipts());
        assertThat(second.coalesced()).isEqualTo(2);
        assertThat(fixture.waiting()).isEmpty();
        assertThat(fixture.heartbeatState().askedFor()).isNull();
        assertThat(fixture.store.read(EventRepository::oldestWaiting)).isEmpty();
        fixture.clock.advance(Duration.ofSeconds(30));
        due();

        WaitingEvent event = fixture.waiting().get(0);
        assertThat(event.requests()).isEqualTo(2);
        assertThat(event.items()).extracting(RequestItem::text).containsExactly("one", "two");
        assertThat(fixture.heartbeatState().askedFor()).isEqualTo(fixture.now().plus(HeartbeatRepository.SOON));
    }

    @Test
    void listenerIsToldWhenTheFirstGroupIsDue() {
        List<Instant> due = new ArrayList<>();
        fixture.intake.onGroupOpened(due::add);
        Instant opened = fixture.now();

        run(turn("one"), ALL);
        run(turn("two"), ALL);
        run(turn("three"), ALL);

        assertThat(due).containsExactly(opened.plusSeconds(30));
    }

    @Test
    void closeTellsWhenTheNextGroupIsDue() throws StoreException {
        assertThat(due().nextDue()).isEmpty();
        accepted(AcceptanceFixture.submission(turn("one")).within(new CoalescingRequest("a", ALL)));
        fixture.clock.advance(Duration.ofSeconds(10));
        accepted(AcceptanceFixture.submission(turn("two")).within(new CoalescingRequest("b", ALL)));
        fixture.clock.advance(Duration.ofSeconds(20));

        GroupClosing.Result closed = due();

        assertThat(closed.closed()).isEqualTo(1);
        assertThat(closed.nextDue()).contains(fixture.now().plusSeconds(10));
    }

    @Test
    void itemsAreDeletedAfterTheirRun() throws StoreException {
        for (String group : List.of("first", "kept", "last")) {
            run(turn("one of " + group), ALL);
            run(turn("two of " + group), ALL);
            end(closedRun());
        }
        fixture.write(sql -> sql.update("DELETE FROM run WHERE message NOT LIKE '%kept%'"));
        fixture.clock.advance(Duration.ofDays(1));
        RequestItemCleanup cleanup = new RequestItemCleanup();

        assertThat(isMoreAfter(cleanup, fixture.now(), 3)).isTrue();
        assertThat(rows("request_item")).isEqualTo(4);
        assertThat(isMoreAfter(cleanup, fixture.now(), 3)).isTrue();
        assertThat(rows("request_item")).isEqualTo(2);
        assertThat(isMoreAfter(cleanup, fixture.now(), 3)).isFalse();

        fixture.write(sql -> sql.update("DELETE FROM run"));
        assertThat(isMoreAfter(cleanup, fixture.now().minus(Duration.ofDays(2)), 3))
                .isFalse();
        assertThat(rows("request_item")).isEqualTo(2);
        assertThat(isMoreAfter(cleanup, fixture.now(), 3)).isFalse();
        assertThat(rows("request_item")).isZero();
    }

    @Test
    void batchThatIsRolledBackIsGoneThroughAgain() throws StoreException {
        for (String text : List.of("one", "two", "three")) {
            run(turn(text), ALL);
        }
        fixture.write(sql -> sql.update("DELETE FROM run"));
        fixture.clock.advance(Duration.ofDays(1));
        RequestItemCleanup cleanup = new RequestItemCleanup();

        assertThatThrownBy(() -> fixture.write(sql -> {
                    cleanup.deleteBatch(sql, fixture.now(), 2);
                    throw new IllegalStateException("rolled back");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(isMoreAfter(cleanup, fixture.now(), 2)).isTrue();

        assertThat(rows("request_item")).isEqualTo(1);
    }

    @Test
    void itemsOfManyThreadsAreInOneRunEachAndOnce() throws Exception {
        CoalescingRule rule = new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 40);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<HookResult.Accepted>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Submission submission = AcceptanceFixture.keyed("key " + i, i, turn("text " + i))
                        .within(new CoalescingRequest("group " + i % 5, rule));
                answers.add(threads.submit(() -> accepted(submission)));
            }
            Set<String> answered = new HashSet<>();
            for (Future<HookResult.Accepted> answer : answers) {
                answered.add(answer.get().receipts().get(0).name());
            }
            fixture.clock.advance(Duration.ofSeconds(30));
            due();
            List<String> done = new ArrayList<>();
            while (fixture.pending.value() > 0) {
                ClaimedRun claimed = fixture.claimOne();
                assertThat(answered).contains(claimed.id().value());
                assertThat(claimed.items()).isBetween(20, 40);
                done.addAll(claimed.items() == 1 ? List.of(claimed.turn().message()) : texts(claimed));
                end(claimed);
            }
            assertThat(done)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 300).mapToObj(i -> "text " + i).toList());
        } finally {
            threads.shutdownNow();
        }
    }

    private static AllowedAction.Turn turn(String text) {
        return AcceptanceFixture.turn(new SessionKey(SESSION), text);
    }

    private static AllowedAction.Wake wake(String text) {
        return AcceptanceFixture.wakeOf(text, WakeMode.NOW);
    }

    private static Submission keyed(String key, String text) {
        return AcceptanceFixture.keyed(key, 1, turn(text)).within(new CoalescingRequest("g", ALL));
    }

    private static Submission signed(String key, String signedSha256, String text) {
        IdempotencyKey idempotency = new IdempotencyKey(key, "01", true, signedSha256);
        return new Submission(List.of(turn(text)), idempotency, 17, new byte[] {1, 2}, null, null)
                .within(new CoalescingRequest("g", ALL));
    }

    private HookResult.Accepted accepted(AllowedAction action, CoalescingRule rule) {
        String group = "g" + rule.maxItems() + rule.latestOnly();
        return accepted(AcceptanceFixture.submission(action).within(new CoalescingRequest(group, rule)));
    }

    private HookResult.Accepted accepted(Submission submission) {
        HookResult result = fixture.intake.accept(submission);
        assertThat(result).isInstanceOf(HookResult.Accepted.class);
        return (HookResult.Accepted) result;
    }

    private RunId run(AllowedAction action, CoalescingRule rule) {
        return ((Receipt.Run) accepted(action, rule).receipts().get(0)).id();
    }

    private GroupClosing.Result due() throws StoreException {
        return fixture.write(sql -> fixture.runRepository.closeGroups(sql, 100));
    }

    /** Closes the one open group and claims its run. */
    private ClaimedRun closedRun() throws StoreException {
        fixture.clock.advance(Duration.ofSeconds(30));
        due();
        return fixture.claimOne();
    }

    private List<RequestItem> items(ClaimedRun run) throws StoreException {
        return fixture.store.read(run::readItems);
    }

    private List<String> texts(ClaimedRun run) throws StoreException {
        return items(run).stream().map(RequestItem::text).toList();
    }

    private void end(ClaimedRun run) throws StoreException {
        boolean held =
                fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null));
        assertThat(held).isTrue();
    }

    private boolean isMoreAfter(RequestItemCleanup cleanup, Instant before, int max) throws StoreException {
        return fixture.write(sql -> cleanup.deleteBatch(sql, before, max));
    }

    private RunId endNext() throws StoreException {
        ClaimedRun run = fixture.claimOne();
        end(run);
        return run.id();
    }

    private RunView view(RunId id) {
        RunLookup found = fixture.intake.run(id);
        assertThat(found).isInstanceOf(RunLookup.Found.class);
        return ((RunLookup.Found) found).run();
    }

    private long rows(String table) throws StoreException {
        return fixture.store.read(sql -> sql.first("SELECT COUNT(*) AS n FROM " + table, row -> row.number("n"))
                .orElseThrow());
    }
}

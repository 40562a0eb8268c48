package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.OperatorResult;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RunState;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the turn queues, by which hooks take turns, on every database. */
abstract class TurnQueuesContract {

    @TempDir
    Path home;

    private AcceptanceFixture fixture;
    private int sessions;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), 200_000);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void hookThatFloodsLeavesTheOthersEveryOtherTurn() throws StoreException {
        queue("flood", TurnPriority.NORMAL, 50);
        queue("rare", TurnPriority.NORMAL, 3);

        assertThat(turns(8)).containsExactly("flood", "rare", "flood", "rare", "flood", "rare", "flood", "flood");
    }

    @Test
    void floodOf10000RunsLeavesOtherHookTheNextTurnButOne() throws StoreException {
        for (int i = 0; i < 10; i++) {
            AllowedAction[] flood = new AllowedAction[1_000];
            Arrays.setAll(flood, any -> turn("hook:" + sessions++, "flood", TurnPriority.HIGH));
            assertThat(fixture.intake.accept(AcceptanceFixture.submission(flood)))
                    .isInstanceOf(HookResult.Accepted.class);
        }
        turns(3);

        queue("rare", TurnPriority.NORMAL, 1);

        assertThat(turns(2)).contains("rare");
    }

    @Test
    void furtherPathsOfOneMappingGetNoFurtherTurns() throws StoreException {
        for (int i = 0; i < 40; i++) {
            queue("path/" + i, TurnPriority.NORMAL, 1, "generic");
        }
        queue("rare", TurnPriority.NORMAL, 3);

        List<String> turns = turns(6);

        assertThat(Collections.frequency(turns, "rare")).isEqualTo(3);
        assertThat(turns).contains("path/0", "path/1", "path/2");
    }

    @Test
    void mappingAndHookOfOneNameTakeTurns() throws StoreException {
        queue("any", TurnPriority.NORMAL, 10, "generic");
        queue("generic", TurnPriority.NORMAL, 2);

        assertThat(turns(4)).containsExactly("any", "generic", "any", "generic");
    }

    @Test
    void sessionFollowsItsNextRunIntoTheQueueOfItsMapping() throws StoreException {
        queue("first", TurnPriority.NORMAL, 1);
        sessions--;
        queue("second", TurnPriority.NORMAL, 1, "generic");
        queue("third", TurnPriority.NORMAL, 1, "generic");
        queue("fourth", TurnPriority.NORMAL, 1, "generic");
        queue("rare", TurnPriority.NORMAL, 1);

        assertThat(turns(5)).containsExactly("first", "second", "rare", "third", "fourth");
    }

    @Test
    void rerunWaitsInTheQueueOfItsMapping() throws StoreException {
        queue("path/0", TurnPriority.NORMAL, 1, "generic");
        ClaimedRun run = fixture.claimOne();
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null));
        queue("path/1", TurnPriority.NORMAL, 2, "generic");
        queue("rare", TurnPriority.NORMAL, 2);

        assertThat(fixture.intake.rerun(run.id(), "1")).isInstanceOf(OperatorResult.Done.class);

        assertThat(turns(5)).containsExactly("rare", "path/1", "rare", "path/1", "path/0");
    }

    @Test
    void hookThatWasEmptyWaitsForOneTurnAtMost() throws StoreException {
        queue("flood", TurnPriority.NORMAL, 50);
        turns(20);

        queue("rare", TurnPriority.NORMAL, 1);

        assertThat(turns(2)).contains("rare");
    }

    @Test
    void hookThatWasEmptyHasSavedNoTurns() throws StoreException {
        queue("late", TurnPriority.NORMAL, 1);
        queue("flood", TurnPriority.NORMAL, 50);
        turns(30);

        queue("late", TurnPriority.NORMAL, 10);

        assertThat(Collections.frequency(turns(8), "late")).isBetween(4, 5);
    }

    @Test
    void prioritiesShareTurnsWithoutStarvingAny() throws StoreException {
        queue("low", TurnPriority.LOW, 30);
        queue("normal", TurnPriority.NORMAL, 30);
        queue("high", TurnPriority.HIGH, 30);

        List<String> turns = turns(28);

        assertThat(Collections.frequency(turns, "high")).isEqualTo(16);
        assertThat(Collections.frequency(turns, "normal")).isEqualTo(8);
        assertThat(Collections.frequency(turns, "low")).isEqualTo(4);
        assertThat(turns.get(0)).isEqualTo("high");
    }

    @Test
    void oneClaimOfManySharesThemAmongTheHooks() throws StoreException {
        queue("flood", TurnPriority.NORMAL, 50);
        queue("one", TurnPriority.NORMAL, 1);
        queue("two", TurnPriority.NORMAL, 2);

        List<String> hooks = hooks(fixture.claim("node", 8));

        assertThat(Collections.frequency(hooks, "one")).isEqualTo(1);
        assertThat(Collections.frequency(hooks, "two")).isEqualTo(2);
        assertThat(Collections.frequency(hooks, "flood")).isEqualTo(5);
    }

    @Test
    void sessionFollowsItsNextRunIntoAnotherQueue() throws StoreException {
        fixture.intake.accept(AcceptanceFixture.submission(turn("hook:shared", "first", TurnPriority.NORMAL)));
        fixture.intake.accept(AcceptanceFixture.submission(turn("hook:shared", "second", TurnPriority.HIGH)));
        queue("other", TurnPriority.NORMAL, 3);

        assertThat(turns(3)).containsExactly("first", "second", "other");
    }

    @Test
    void sessionWithoutQueueFromEarlierProgramIsClaimed() throws StoreException {
        queue("a", TurnPriority.NORMAL, 1);
        queue("b", TurnPriority.NORMAL, 1);
        fixture.write(sql -> sql.update("UPDATE session SET turn_queue = ''"));

        assertThat(turns(2)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void oldestQueuedRunIsTheOldestOfAllQueues() throws StoreException {
        queue("z", TurnPriority.LOW, 1);
        long first = fixture.clock.millis();
        fixture.clock.advance(Duration.ofSeconds(5));
        queue("a", TurnPriority.HIGH, 1);

        assertThat(fixture.store.read(RunRepository::oldestQueued))
                .hasValueSatisfying(oldest -> assertThat(oldest.toEpochMilli()).isEqualTo(first));
    }

    private void queue(String hook, TurnPriority priority, int runs) {
        queue(hook, priority, runs, null);
    }

    /** @param mapping the mapping whose queue the runs wait in; null for that of the hook */
    private void queue(String hook, TurnPriority priority, int runs, @Nullable String mapping) {
        for (int i = 0; i < runs; i++) {
            fixture.clock.advance(Duration.ofMillis(1));
            fixture.accept(turn("hook:" + sessions++, hook, priority, mapping));
        }
    }

    /** The hooks of the next {@code count} turns of a single worker, each of which ends before the next is claimed. */
    private List<String> turns(int count) throws StoreException {
        List<String> hooks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ClaimedRun run = fixture.claimOne();
            hooks.add(run.turn().provenance().hook());
            fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null));
        }
        return hooks;
    }

    private static List<String> hooks(List<ClaimedRun> claimed) {
        return claimed.stream().map(run -> run.turn().provenance().hook()).toList();
    }

    private static AllowedAction.Turn turn(String session, String hook, TurnPriority priority) {
        return turn(session, hook, priority, null);
    }

    private static AllowedAction.Turn turn(
            String session, String hook, TurnPriority priority, @Nullable String mapping) {
        return new AllowedAction.Turn(
                /* agentId= */ AcceptanceFixture.AGENT,
                /* sessionKey= */ new SessionKey(session),
                /* message= */ "do it",
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ false,
                /* recipient= */ Recipient.last(),
                /* model= */ "offline/echo",
                /* thinking= */ null,
                /* timeout= */ Duration.ofSeconds(90),
                /* provenance= */ Provenance.untrusted(hook),
                /* operatorInstructions= */ new OperatorInstructions(
                        null, Optional.empty(), List.of(), Optional.empty(), priority, mapping));
    }
}

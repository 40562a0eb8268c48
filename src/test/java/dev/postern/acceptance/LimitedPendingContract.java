package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.RequestOrigin;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.WakeMode;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of senders and mappings with a limit of pending actions, on every database. */
abstract class LimitedPendingContract {

    private static final HookResult FULL = new HookResult.Overloaded(Duration.ofSeconds(10), "senders.ci.maxPending");

    private static final HookResult MAPPING_FULL =
            new HookResult.Overloaded(Duration.ofSeconds(10), "maxPending of the mapping alerts");

    @TempDir
    Path home;

    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), new PendingLimits(1_000, Map.of("ci", 3), Map.of("alerts", 3)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void refusesWhatGoesBeyondTheSendersRoom() {
        assertThat(accept("ci", null, turn(), turn(), turn(), turn())).isEqualTo(FULL);
        assertThat(accept("ci", null, turn(), wake())).isInstanceOf(HookResult.Accepted.class);
        assertThat(accept("ci", null, turn(), turn())).isEqualTo(FULL);
        assertThat(accept("ci", null, wake())).isInstanceOf(HookResult.Accepted.class);

        assertThat(accept("ci", null, wake())).isEqualTo(FULL);
        assertThat(fixture.pending.value()).isEqualTo(3);
    }

    @Test
    void leavesTheRoomOfOthersAlone() {
        accept("ci", null, turn(), turn(), turn());

        for (int i = 0; i < 5; i++) {
            assertThat(accept("other", null, turn())).isInstanceOf(HookResult.Accepted.class);
            assertThat(accept(null, null, turn())).isInstanceOf(HookResult.Accepted.class);
        }
        assertThat(accept("ci", null, turn())).isEqualTo(FULL);
    }

    @Test
    void answersRepetitionThoughThereIsNoRoom() {
        HookResult first = accept("ci", "key", turn(), turn(), turn());

        HookResult again = accept("ci", "key", turn(), turn(), turn());

        assertThat(((HookResult.Accepted) again).replayed()).isTrue();
        assertThat(((HookResult.Accepted) again).receipts()).isEqualTo(((HookResult.Accepted) first).receipts());
        assertThat(accept("ci", "new", turn())).isEqualTo(FULL);
    }

    @Test
    void hasRoomAgainWhenRunEnds() throws Exception {
        accept("ci", null, turn(), turn(), wake());
        assertThat(accept("ci", null, turn())).isEqualTo(FULL);
        ClaimedRun run = fixture.claimOne();
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null));

        assertThat(accept("ci", null, turn())).isInstanceOf(HookResult.Accepted.class);
        assertThat(accept("ci", null, turn())).isEqualTo(FULL);
    }

    @Test
    void storesTheSenderWithItsRun() {
        HookResult.Accepted accepted = (HookResult.Accepted) accept("ci", null, turn());
        RunId id = ((Receipt.Run) accepted.receipts().get(0)).id();

        assertThat(fixture.intake.run(id).found().orElseThrow().sender()).isEqualTo("ci");
    }

    @Test
    void refusesWhatGoesBeyondTheMappingsRoom() throws Exception {
        assertThat(acceptBy("alerts", turn(), wake())).isInstanceOf(HookResult.Accepted.class);
        assertThat(acceptBy("alerts", turn(), turn())).isEqualTo(MAPPING_FULL);
        assertThat(acceptBy("alerts", turn())).isInstanceOf(HookResult.Accepted.class);

        assertThat(acceptBy("alerts", wake())).isEqualTo(MAPPING_FULL);
        assertThat(acceptBy("other", turn(), turn(), turn(), turn())).isInstanceOf(HookResult.Accepted.class);
        assertThat(accept(null, null, turn())).isInstanceOf(HookResult.Accepted.class);
        ClaimedRun run = fixture.claimOne();
        fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null));
        assertThat(acceptBy("alerts", wake())).isInstanceOf(HookResult.Accepted.class);
        assertThat(acceptBy("alerts", wake())).isEqualTo(MAPPING_FULL);
    }

    private static AllowedAction turn() {
        return AcceptanceFixture.turn("hook:a");
    }

    private static AllowedAction wake() {
        return AcceptanceFixture.wakeOf("it rains", WakeMode.NEXT_HEARTBEAT);
    }

    private HookResult acceptBy(String mapping, AllowedAction... actions) {
        RequestOrigin origin = new RequestOrigin("req_" + mapping + fixture.pending.value(), "10.0.0.1", "token", 0);
        return fixture.intake.accept(new Submission(
                List.of(actions),
                null,
                17,
                "00",
                null,
                new SubmissionSource(origin, mapping, mapping, fixture.clock.instant(), null, null)));
    }

    private HookResult accept(@Nullable String sender, @Nullable String key, AllowedAction... actions) {
        return fixture.intake.accept(new Submission(
                List.of(actions),
                key == null ? null : new IdempotencyKey(key, new byte[] {1}),
                17,
                "00",
                null,
                null,
                sender));
    }
}

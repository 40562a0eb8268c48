package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
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

/** The contract of senders that may have only so many pending actions, on every database. */
abstract class SenderPendingContract {

    private static final HookResult FULL = new HookResult.Overloaded(Duration.ofSeconds(10), "senders.ci.maxPending");

    @TempDir
    Path home;

    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), 1_000, Map.of("ci", 3));
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

    private static AllowedAction turn() {
        return AcceptanceFixture.turn("hook:a");
    }

    private static AllowedAction wake() {
        return AcceptanceFixture.wakeOf("it rains", WakeMode.NEXT_HEARTBEAT);
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

package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.model.CoalescingRule;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockSetbackCorrectionTest {

    private static final Duration HOUR_BACK = Duration.ofHours(-1);

    @TempDir
    Path home;

    private DispatchFixture fixture;

    @BeforeEach
    void begin() {
        fixture = new DispatchFixture(home, TestDatabases.sqlite(home));
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void groupClosesAfterItsWindow() throws StoreException {
        fixture.start();
        RunId run = collecting("hello");

        fixture.time.jump(HOUR_BACK);
        awaitTexts("SELECT id AS text FROM request_group WHERE due_at <= " + inSeconds(30));
        fixture.time.advance(Duration.ofSeconds(30));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void requestedHeartbeatBegins() throws StoreException {
        fixture.start();
        fixture.wake("hello", WakeMode.NOW);

        fixture.time.jump(HOUR_BACK);
        awaitTexts("SELECT key AS text FROM session WHERE beat_at <= " + inSeconds(1));
        fixture.time.advance(Duration.ofSeconds(1));

        await("a heartbeat")
                .untilAsserted(() -> assertThat(fixture.eventTexts(false)).containsExactly("hello"));
    }

    @Test
    void heldRunBeginsWhenTheWindowHasRoom() throws StoreException {
        fixture.budgets("few: {runs: 1, per: 10s}").start();
        fixture.ended(fixture.run("hook:1", "one"));
        RunId held = fixture.run("hook:1", "two");
        await("the hold").until(() -> fixture.view(held).heldBy() != null);

        fixture.time.jump(HOUR_BACK);
        awaitTexts("SELECT id AS text FROM run WHERE retry_at <= " + inSeconds(11));
        fixture.time.advance(Duration.ofSeconds(11));

        assertThat(fixture.ended(held).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.texts("SELECT budget AS text FROM budget_use WHERE at > " + inSeconds(1)))
                .isEmpty();
    }

    @Test
    void clockSetAheadMovesNothing() throws StoreException {
        fixture.start();
        collecting("hello");
        List<String> before = fixture.texts("SELECT due_at AS text FROM request_group");

        fixture.time.jump(Duration.ofSeconds(20));
        fixture.time.advance(Duration.ofSeconds(5));
        long claims = fixture.dispatcher.metrics().claims();
        await("some looks").until(() -> fixture.dispatcher.metrics().claims() > claims + 2);

        assertThat(fixture.texts("SELECT due_at AS text FROM request_group")).isEqualTo(before);
    }

    private RunId collecting(String text) {
        CoalescingRule rule = new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 100);
        return fixture.collecting(text, rule, OperatorInstructions.NONE);
    }

    private long inSeconds(long seconds) {
        return fixture.time.instant().plusSeconds(seconds).toEpochMilli();
    }

    private void awaitTexts(String query) {
        await(query).until(() -> !fixture.texts(query).isEmpty());
    }
}

package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of turns that count against budgets, on every database. */
abstract class BudgetedTurnContract {

    private static final Duration HOUR = Duration.ofHours(1);

    private DispatchFixture fixture;

    /** A scenario on an empty database. */
    abstract DispatchFixture scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        fixture = scenario();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void failsRunWhereTheBudgetSaysSo() throws StoreException {
        fixture.budgets("few: {runs: 1, per: 1h, whenSpent: fail}").start();
        fixture.ended(fixture.run("hook:1", "hello"));

        RunView second = fixture.ended(fixture.run("hook:2", "hello"));

        assertThat(second.state()).isEqualTo(RunState.FAILED);
        assertThat(second.error()).startsWith("the budget few is spent until ");
        assertThat(second.attempts()).isZero();
        assertThat(second.startedAt()).isNull();
    }

    @Test
    void holdsRunsInTheirOrderUntilTheWindowHasRoom() throws StoreException {
        fixture.budgets("few: {runs: 1, per: 1h}").start();
        RunId first = fixture.run("hook:1", "one");
        fixture.ended(first);

        RunId second = fixture.run("hook:1", "two");
        RunId third = fixture.run("hook:1", "three");
        await("the hold").until(() -> fixture.view(second).heldBy() != null);

        assertThat(fixture.view(second).heldBy()).isEqualTo("few");
        assertThat(fixture.view(second).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.view(second).attempts()).isZero();
        assertThat(fixture.view(third).heldBy()).isNull();
        fixture.time.advance(HOUR);
        assertThat(fixture.ended(second).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.view(second).heldBy()).isNull();
        await("the hold").until(() -> fixture.view(third).heldBy() != null);
        fixture.time.advance(HOUR);
        assertThat(fixture.ended(third).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void countsTheTokensOfTurnsThatWereTaken() throws StoreException {
        fixture.provider("test", using(new TurnResult.Failed("no")))
                .budgets("tokens: {inputTokens: 20, per: 1h}")
                .start();
        fixture.ended(fixture.run("hook:1", "one"));
        fixture.ended(fixture.run("hook:2", "two"));

        RunId third = fixture.run("hook:3", "three");

        await("the hold").until(() -> "tokens".equals(fixture.view(third).heldBy()));
    }

    @Test
    void asksTheFallbackWhoseBudgetHasRoom() throws StoreException {
        fixture.provider("backup", using(new TurnResult.Replied("here")))
                .defaults("fallbacks: [backup/model]")
                .budgets("first: {for: {model: test/model}, runs: 1, per: 1h}")
                .start();
        fixture.ended(fixture.run("hook:1", "one"));

        RunView second = fixture.ended(fixture.run("hook:2", "two"));

        assertThat(second.model()).isEqualTo("backup/model");
        assertThat(second.reply()).isEqualTo("here");
    }

    @Test
    void asksNoFallbackWhoseBudgetIsSpent() throws StoreException {
        fixture.provider("test", (prompt, turnCancellation) -> new TurnResult.ProviderDown("away", Duration.ZERO))
                .provider("backup", using(new TurnResult.Replied("here")))
                .defaults("fallbacks: [backup/model]")
                .budgets("dear: {for: {provider: backup}, runs: 1, per: 1h}")
                .start();
        assertThat(fixture.ended(fixture.run("hook:1", "one")).reply()).isEqualTo("here");

        RunId second = fixture.run("hook:2", "two");

        await("the wait").until(() -> fixture.view(second).retryReason() != null);
        assertThat(fixture.view(second).attempts()).isZero();
        fixture.time.advance(HOUR);
        assertThat(fixture.ended(second).reply()).isEqualTo("here");
    }

    @Test
    void countsNoFallbackWhoseProviderIsKnownToBeDown() throws StoreException {
        fixture.provider("test", (prompt, turnCancellation) -> new TurnResult.ProviderDown("away", Duration.ZERO))
                .provider("backup", new KnownToBeDown())
                .defaults("fallbacks: [backup/model]")
                .budgets("dear: {for: {provider: backup}, runs: 1, per: 1h}")
                .start();

        RunId run = fixture.run("hook:1", "one");

        await("the wait").until(() -> fixture.view(run).retryReason() != null);
        assertThat(fixture.texts("SELECT budget AS text FROM budget_use")).isEmpty();
    }

    @Test
    void countsNoHeartbeatWhoseProviderIsKnownToBeDown() throws StoreException {
        fixture.provider("test", new KnownToBeDown())
                .budgets("few: {runs: 1, per: 1h}")
                .start();

        fixture.wake("something", WakeMode.NOW);
        fixture.time.advance(Duration.ofSeconds(1));

        await("the denial").until(() -> fixture.dispatcher.metrics().failedHeartbeats() == 1);
        assertThat(fixture.texts("SELECT budget AS text FROM budget_use")).isEmpty();
        assertThat(fixture.texts("SELECT missed_why AS text FROM session WHERE missed_why IS NOT NULL"))
                .singleElement()
                .asString()
                .startsWith("away, with event evt_");
        assertThat(fixture.eventTexts(true)).contains("something");
    }

    @Test
    void countsTurnOnceWhereTheBudgetIsForItsFallbackToo() throws StoreException {
        fixture.provider("test", (prompt, turnCancellation) -> new TurnResult.ProviderDown("away", Duration.ZERO))
                .provider("backup", using(new TurnResult.Replied("here")))
                .defaults("fallbacks: [backup/model]")
                .budgets("all: {runs: 2, per: 1h}")
                .start();
        fixture.ended(fixture.run("hook:1", "one"));

        assertThat(fixture.ended(fixture.run("hook:2", "two")).reply()).isEqualTo("here");
    }

    @Test
    void leavesTurnsAloneThatTheBudgetIsNotFor() throws StoreException {
        fixture.budgets("other: {for: {provider: backup}, runs: 1, per: 1h}").start();

        fixture.ended(fixture.run("hook:1", "one"));
        RunView second = fixture.ended(fixture.run("hook:2", "two"));

        assertThat(second.state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.texts("SELECT budget AS text FROM budget_use")).isEmpty();
    }

    @Test
    void holdsHeartbeats() throws StoreException {
        fixture.budgets("few: {runs: 1, per: 1h}").start();
        fixture.ended(fixture.run("hook:1", "one"));

        fixture.wake("something", WakeMode.NOW);
        fixture.time.advance(Duration.ofSeconds(1));

        await("the hold")
                .until(() -> fixture.texts("SELECT missed_why AS text FROM session WHERE missed_why IS NOT NULL")
                        .contains("held by the budget few"));
        assertThat(fixture.eventTexts(true)).contains("something");
        fixture.time.advance(HOUR);
        await("the heartbeat").until(() -> !fixture.eventTexts(true).contains("something"));
    }

    @Test
    void beginsAScheduledHeartbeatThatItHeldWithinActiveHoursAlone() throws StoreException {
        fixture.time.set("2026-11-22T05:20:00Z");
        fixture.heartbeat("every: 30m, activeHours: {start: '22:00', end: '06:00', timezone: UTC}")
                .budgets("few: {runs: 1, per: 1h}")
                .start();
        fixture.ended(fixture.run("hook:1", "one"));
        fixture.wake("something", WakeMode.NEXT_HEARTBEAT);
        fixture.time.set("2026-11-22T05:50:01Z");
        await("the hold")
                .until(() -> fixture.texts("SELECT missed_why AS text FROM session WHERE missed_why IS NOT NULL")
                        .contains("held by the budget few"));

        fixture.time.set("2026-11-22T06:30:00Z");
        long before = fixture.dispatcher.metrics().claims();
        await("some claims").until(() -> fixture.dispatcher.metrics().claims() > before + 2);

        assertThat(fixture.eventTexts(true)).contains("something");
        fixture.time.set("2026-11-22T22:00:01Z");
        await("the heartbeat").until(() -> !fixture.eventTexts(true).contains("something"));
    }

    @Test
    void countsNoHeartbeatForWhichNothingWaits() throws StoreException {
        fixture.heartbeat("every: 30m").budgets("few: {runs: 1, per: 1d}").start();
        fixture.time.advance(Duration.ofMinutes(30));
        await("the empty heartbeat")
                .until(() -> fixture.texts("SELECT missed_why AS text FROM session WHERE missed_why IS NOT NULL")
                        .contains("nothing waited, and HEARTBEAT.md says nothing"));

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void acceptsRequestsWhileAHeartbeatCannotReadItsInstructions() throws Exception {
        fixture.budgets("many: {runs: 9, per: 1h}").start();
        Path instructions = fixture.workspace.resolve("HEARTBEAT.md");
        Files.createDirectories(fixture.workspace);
        assertThat(new ProcessBuilder("mkfifo", instructions.toString()).start().waitFor())
                .isZero();
        fixture.wake("something", WakeMode.NOW);
        fixture.time.advance(Duration.ofSeconds(1));
        await("the heartbeat").until(() -> fixture.dispatcher.metrics().failedHeartbeats() == 1);

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.eventTexts(true)).contains("something");
        assertThat(fixture.texts("SELECT CAST(SUM(amount) AS text) AS text FROM budget_use"))
                .containsExactly("1");
    }

    @Test
    void countsNoTurnThatCouldNotBegin() throws StoreException {
        fixture.budgets("few: {runs: 2, per: 1h, whenSpent: fail}").start();
        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE turn RENAME TO turn_away"));
        long before = fixture.dispatcher.metrics().claims();
        RunId run = fixture.run("hook:1", "hello");
        await("some attempts")
                .until(() -> fixture.dispatcher.metrics().claims() > before + 150
                        || fixture.view(run).state().ended());
        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE turn_away RENAME TO turn"));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.ended(fixture.run("hook:2", "hello")).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.ended(fixture.run("hook:3", "hello")).error()).startsWith("the budget few is spent");
    }

    @Test
    void warnsOnceInTheWindow() throws StoreException {
        fixture.budgets("many: {runs: 4, per: 1h, warnAt: 50%}").start();

        for (int i = 0; i < 4; i++) {
            fixture.ended(fixture.run("hook:" + i, "hello"));
        }

        assertThat(fixture.eventTexts(true).stream().filter(text -> text.startsWith("The budget")))
                .containsExactly("The budget many is used to 50 %: 2 of 4 runs.");
    }

    /** A backend whose breaker is open. */
    private static final class KnownToBeDown implements Backend {

        private static final TurnResult.ProviderDown DOWN = new TurnResult.ProviderDown("away", Duration.ZERO);

        @Override
        public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
            return DOWN;
        }

        @Override
        public Optional<TurnResult.ProviderDown> admit(String model, String turn) {
            return Optional.of(DOWN);
        }
    }

    private static Backend using(TurnResult result) {
        return (prompt, turnCancellation) -> {
            prompt.recorder().addTokens(10, 2);
            return result;
        };
    }
}

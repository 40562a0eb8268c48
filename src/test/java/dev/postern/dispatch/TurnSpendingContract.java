package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.Backend;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of what turns are recorded to have spent, on every database. */
abstract class TurnSpendingContract {

    private static final ProviderDown DOWN = new ProviderDown("it answered 503", Duration.ZERO);

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
    void recordsTokensOfTurnThatFails() throws StoreException {
        fixture.provider("test", using(new TurnResult.Failed("no"))).start();

        fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(spent()).containsExactly("run agent test/model turns 1 in 10 out 2");
    }

    @Test
    void recordsNothingWhileRunWaitsForItsProvider() throws StoreException {
        fixture.start();
        fixture.backend.end("hello", DOWN);

        RunId run = fixture.run("hook:1", "hello");
        await("the wait").until(() -> fixture.view(run).retryAt() != null);

        assertThat(spent()).isEmpty();
    }

    @Test
    void recordsEachAttemptThatHasUsedTokens() throws StoreException {
        AtomicInteger turns = new AtomicInteger();
        Backend acting = (prompt, turnCancellation) -> {
            prompt.recorder().addTokens(10, 2);
            prompt.recorder().addToolCall(new ToolCall("lab", "open", 2, 2, 1, Outcome.OK));
            return turns.incrementAndGet() == 1 ? DOWN : new TurnResult.Replied("done");
        };
        fixture.provider("test", acting).start();
        RunId run = fixture.run("hook:1", "hello");
        await("the wait").until(() -> fixture.view(run).retryAt() != null);
        fixture.time.advance(Duration.ofSeconds(13));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(spent()).containsExactly("run agent test/model turns 2 in 20 out 4");
    }

    @Test
    void recordsFallbackThatAnswers() throws StoreException {
        fixture.provider("backup", using(new TurnResult.Replied("here")))
                .defaults("fallbacks: [backup/model]")
                .start();
        fixture.backend.end("hello", DOWN);

        fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(spent()).containsExactly("run agent backup/model turns 1 in 10 out 2");
    }

    @Test
    void recordsTurnWithoutTokens() throws StoreException {
        fixture.start();

        fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(spent()).containsExactly("run agent test/model turns 1 in 0 out 0");
    }

    @Test
    void recordsHeartbeats() throws StoreException {
        fixture.provider("test", using(new TurnResult.Replied("HEARTBEAT_OK"))).start();

        fixture.wake("something", WakeMode.NOW);
        fixture.time.advance(Duration.ofSeconds(1));

        await("the heartbeat").until(() -> !spent().isEmpty());
        assertThat(spent()).containsExactly("heartbeat  test/model turns 1 in 10 out 2");
    }

    private static Backend using(TurnResult result) {
        return (prompt, turnCancellation) -> {
            prompt.recorder().addTokens(10, 2);
            return result;
        };
    }

    private List<String> spent() throws StoreException {
        return fixture.texts("SELECT kind || ' ' || hook || ' ' || model || ' turns ' || SUM(turns) || ' in '"
                + " || SUM(input_tokens) || ' out ' || SUM(output_tokens) AS text FROM spending"
                + " WHERE step = 86400000 GROUP BY kind, hook, model ORDER BY 1");
    }
}

package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Interrupted;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the records of turns after which a run waits, on every database. */
abstract class TurnRecordContract {

    private static final ProviderDown DOWN = new ProviderDown("it answered 503", Duration.ZERO);

    private final OpeningBackend backend = new OpeningBackend();
    private DispatchFixture fixture;

    /** A scenario on an empty database. */
    abstract DispatchFixture scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        fixture = scenario().provider("test", backend).start();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void keepsWhatARunDidThatIsCancelledWhileItsProviderIsDown() throws StoreException {
        backend.results.add(DOWN);
        RunId run = waiting(1);
        assertThat(calls(fixture.view(run))).containsExactly("open1");

        fixture.dispatcher.operatorCommands().cancel(run);

        RunView ended = fixture.ended(run);
        assertThat(ended.state()).isEqualTo(RunState.CANCELLED);
        assertThat(ended.attempts()).isEqualTo(1);
        assertThat(calls(ended)).containsExactly("open1");
        assertThat(ended.turn().inputTokens()).isEqualTo(10);
        assertThat(spent()).containsExactly("turns 1 in 10");
    }

    @Test
    void keepsItWhileTheNextTurnFindsTheProviderDownAtOnce() throws StoreException {
        backend.results.add(DOWN);
        RunId run = waiting(1);
        backend.isDown = true;
        fixture.time.advance(Duration.ofSeconds(13));
        await("the next try").until(() -> fixture.dispatcher.metrics().postponed() == 2);

        fixture.dispatcher.operatorCommands().cancel(run);

        assertThat(calls(fixture.ended(run))).containsExactly("open1");
    }

    @Test
    void recordsNothingOfATurnThatFindsTheProviderDownAtOnce() {
        backend.isDown = true;

        assertThat(fixture.view(waiting(1)).turn()).isNull();
    }

    @Test
    void replacesTheRecordOfAnInterruptedTurn() {
        CompletableFuture<Void> second = new CompletableFuture<>();
        backend.results.add(new Interrupted("a shutdown"));
        backend.waits.add(CompletableFuture.completedFuture(null));
        backend.waits.add(second);
        RunId run = fixture.run("hook:1", "hello");
        await("the second turn").until(() -> fixture.view(run).attempts() == 2);
        assertThat(calls(fixture.view(run))).containsExactly("open1");

        second.complete(null);

        assertThat(calls(fixture.ended(run))).containsExactly("open2");
        assertThat(fixture.view(run).turn().inputTokens()).isEqualTo(10);
    }

    @Test
    void beginsARunThatRunsAgainWithoutARecord() throws StoreException {
        backend.results.add(DOWN);
        RunId run = waiting(1);
        fixture.dispatcher.operatorCommands().cancel(run);
        fixture.ended(run);
        CompletableFuture<Void> second = new CompletableFuture<>();
        backend.waits.add(second);

        RunId again = ((OperatorResult.Done) fixture.intake.rerun(run, "0")).run();

        assertThat(fixture.view(again).turn()).isNull();
        second.complete(null);
        assertThat(calls(fixture.ended(again))).containsExactly("open2");
        assertThat(calls(fixture.view(run))).containsExactly("open1");
    }

    /** A run that waits for its provider after {@code postponed} turns. */
    private RunId waiting(int postponed) {
        RunId run = fixture.run("hook:1", "hello");
        await("the wait").until(() -> fixture.dispatcher.metrics().postponed() == postponed);
        return run;
    }

    private static List<String> calls(RunView run) {
        TurnRecord turn = run.turn();
        return turn == null
                ? List.of()
                : turn.toolCalls().stream().map(ToolCall::tool).toList();
    }

    private List<String> spent() throws StoreException {
        return fixture.texts("SELECT 'turns ' || SUM(turns) || ' in ' || SUM(input_tokens) AS text FROM spending"
                + " WHERE step = 86400000");
    }

    /** A backend whose model calls a tool in each turn, {@code open1} in the first. */
    private static final class OpeningBackend implements Backend {

        /** What the first turns wait for. */
        private final Queue<CompletableFuture<Void>> waits = new ConcurrentLinkedQueue<>();

        /** The results of the first turns after their calls. */
        private final Queue<TurnResult> results = new ConcurrentLinkedQueue<>();

        private final AtomicInteger turns = new AtomicInteger();
        private volatile boolean isDown;

        @Override
        public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
            if (isDown) {
                return DOWN;
            }
            CompletableFuture<Void> wait = waits.poll();
            if (wait != null) {
                wait.join();
            }
            int turn = turns.incrementAndGet();
            prompt.recorder().addTokens(10, 2);
            prompt.recorder().addToolCall(new ToolCall("lab", "open" + turn, 2, 2, 1, Outcome.OK));
            TurnResult result = results.poll();
            return result == null ? new Replied("done") : result;
        }
    }
}

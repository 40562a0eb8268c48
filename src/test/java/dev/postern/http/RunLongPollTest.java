package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class RunLongPollTest {

    private static final RunId RUN = new RunId("run_1");
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Response USUAL = Response.accepted("usual")
            .header("Location", "/hooks/runs/run_1")
            .header("Idempotent-Replayed", "true")
            .build();

    private final CompletableFuture<RunId> runEnd = new CompletableFuture<>();
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<Object> answers = new ArrayList<>();
    private RunState state = RunState.RUNNING;
    private int looks;

    @Test
    void doesNotBlockThreadThatSignalsTheEnd() {
        waitWith(threads::add);
        looks = 0;
        state = RunState.SUCCEEDED;

        runEnd.complete(RUN);

        assertThat(looks).isZero();
        assertThat(answers).isEmpty();
        threads.remove().run();
        assertThat(answer().getStatus()).isEqualTo(200);
        assertThat(answer().getEntity())
                .isInstanceOf(ResponseBodies.Run.class)
                .extracting(run -> ((ResponseBodies.Run) run).reply())
                .isEqualTo("done");
    }

    @Test
    void ignoresRequestThatTheServerHasEnded() {
        waitWith(task -> {
            throw new IllegalStateException("recycled");
        });

        assertThat(runEnd.complete(RUN)).isTrue();

        assertThat(answers).isEmpty();
    }

    @Test
    void answersAsUsualWhenTheTimeIsOver() {
        waitWith(Runnable::run);

        runEnd.complete(RUN);

        assertThat(answers).containsExactly(USUAL);
    }

    @Test
    void keepsWhatTheUsualAnswerSays() {
        waitWith(Runnable::run);
        state = RunState.FAILED;

        runEnd.complete(RUN);

        assertThat(answer().getHeaderString("Idempotent-Replayed")).isEqualTo("true");
        assertThat(answer().getHeaderString("Location")).isEqualTo("/hooks/runs/run_1");
        assertThat(answer().getHeaderString("Preference-Applied")).isEqualTo("wait=5");
    }

    @Test
    void hidesReplyFromSenderThatMayNotSeeIt() {
        state = RunState.SUCCEEDED;

        waitWith(Runnable::run, false);

        assertThat(answer().getEntity())
                .asInstanceOf(type(ResponseBodies.Run.class))
                .satisfies(run -> {
                    assertThat(run.status()).isEqualTo("succeeded");
                    assertThat(run.reply()).isNull();
                });
    }

    @Test
    void noticesARunThatHadEndedBefore() {
        state = RunState.SUCCEEDED;

        waitWith(Runnable::run);

        assertThat(runEnd).isCompleted();
        assertThat(answer().getStatus()).isEqualTo(200);
    }

    private void waitWith(Executor executor) {
        waitWith(executor, true);
    }

    private void waitWith(Executor executor, boolean tellsReply) {
        AsyncResponse exchange = (AsyncResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncResponse.class}, (self, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("resume");
                    return answers.add(arguments[0]);
                });
        new RunLongPoll((run, wait) -> runEnd, this::look).forEnd(RUN, tellsReply, WAIT, exchange, executor, USUAL);
    }

    private Response answer() {
        assertThat(answers).hasSize(1);
        return (Response) answers.get(0);
    }

    private RunLookup look(RunId run) {
        looks++;
        Instant now = Instant.EPOCH;
        SessionKey key = new SessionKey("hook:a");
        return new RunLookup.Found(new RunView(
                /* id= */ run,
                state,
                /* agentId= */ "main",
                /* sessionKey= */ key,
                /* sender= */ null,
                /* model= */ "offline/echo",
                /* askedModel= */ null,
                /* attempts= */ 1,
                /* acceptedAt= */ now,
                /* startedAt= */ now,
                /* finishedAt= */ now,
                /* reply= */ "done",
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
}

package dev.postern.http;

import dev.postern.ingress.Ingress;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunView;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Keeps exchanges whose senders would like to wait for a run's end. No thread waits with them. */
final class RunLongPoll {

    private static final System.Logger LOG = System.getLogger(RunLongPoll.class.getName());

    private final BiFunction<RunId, Duration, CompletableFuture<RunId>> watch;
    private final Function<RunId, RunLookup> runs;

    /**
     * @param watch as {@link Ingress#ended}
     * @param runs as {@link Ingress#run}
     */
    RunLongPoll(BiFunction<RunId, Duration, CompletableFuture<RunId>> watch, Function<RunId, RunLookup> runs) {
        this.watch = watch;
        this.runs = runs;
    }

    /**
     * Answers {@code exchange} with the run's state when it ends within {@code wait}, else with {@code usual}.
     *
     * @param tellsReply whether the state says what the agent has replied
     * @param threads the container's: they look at the run and send the answer, either of which may take its time, while
     *     whoever tells us of a run's end is not to be held up
     */
    void forEnd(
            RunId run, boolean tellsReply, Duration wait, AsyncResponse exchange, Executor threads, Response usual) {
        CompletableFuture<RunId> ended = watch.apply(run, wait);
        var unused = ended.thenRunAsync(() -> answer(run, tellsReply, wait, exchange, usual), threads)
                .exceptionally(gone -> {
                    LOG.log(System.Logger.Level.DEBUG, "The server ended a request whose sender waited", gone);
                    return null;
                });
        if (!ended.isDone() && ended(run).isPresent()) {
            ended.complete(run); // before anybody listened
        }
    }

    private void answer(RunId run, boolean tellsReply, Duration wait, AsyncResponse exchange, Response usual) {
        try {
            exchange.resume(ended(run)
                    .map(state -> Response.fromResponse(usual)
                            .status(Response.Status.OK)
                            .entity(tellsReply ? ResponseBodies.Run.of(state) : ResponseBodies.Run.withoutReply(state))
                            .header("Preference-Applied", "wait=" + wait.toSeconds())
                            .build())
                    .orElse(usual));
        } catch (RuntimeException fault) {
            exchange.resume(fault);
        }
    }

    private Optional<RunView> ended(RunId run) {
        return runs.apply(run).found().filter(state -> state.state().ended());
    }
}

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

/** A long poll for the end of a run, on behalf of a sender that prefers to wait. No thread waits with it. */
final class RunLongPoll {

    private static final System.Logger LOG = System.getLogger(RunLongPoll.class.getName());

    private final BiFunction<RunId, Duration, CompletableFuture<RunId>> watch;
    private final Function<RunId, RunLookup> runs;

    /**
     * @param watch the future of a run's end, as {@link Ingress#ended}
     * @param runs the lookup of a run, as {@link Ingress#run}
     */
    RunLongPoll(BiFunction<RunId, Duration, CompletableFuture<RunId>> watch, Function<RunId, RunLookup> runs) {
        this.watch = watch;
        this.runs = runs;
    }

    /**
     * Responds to {@code exchange} with the run's state if the run ends within {@code wait}, else with {@code usual}.
     *
     * @param tellsReply whether the state includes the agent's reply
     * @param threads the container's threads, which read the run and send the response. Both may take time, and the
     *     thread that completes the future must not be held up.
     */
    void forEnd(
            RunId run, boolean tellsReply, Duration wait, AsyncResponse exchange, Executor threads, Response usual) {
        CompletableFuture<RunId> ended = watch.apply(run, wait);
        var unused = ended.thenRunAsync(() -> answer(run, tellsReply, wait, exchange, usual), threads)
                .exceptionally(gone -> {
                    LOG.log(System.Logger.Level.DEBUG, "Server ended a request that waited for a run", gone);
                    return null;
                });
        if (!ended.isDone() && ended(run).isPresent()) {
            ended.complete(run); // the run ended before the future existed
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

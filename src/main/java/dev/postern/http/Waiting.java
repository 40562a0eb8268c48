package dev.postern.http;

import dev.postern.ingress.Ingress;
import dev.postern.model.Lookup;
import dev.postern.model.RunId;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Keeps exchanges whose senders would like to wait for a run's end. No thread waits with them. */
final class Waiting {

    private final Ingress ingress;
    private final Replies replies;

    Waiting(Ingress ingress, Replies replies) {
        this.ingress = ingress;
        this.replies = replies;
    }

    /** Answers {@code exchange} with the run's state when it ends within {@code wait}, else with {@code usual}. */
    void forEnd(RunId run, Duration wait, AsyncResponse exchange, Response usual) {
        CompletableFuture<RunId> ended = ingress.ended(run, wait);
        var answered = ended.thenApply(id -> answer(id, wait, usual)).whenComplete((answer, fault) -> {
            if (fault == null) {
                exchange.resume(answer);
            } else {
                exchange.resume(fault);
            }
        });
        if (!answered.isDone() && hasEnded(ingress.run(run))) {
            ended.complete(run); // before anybody listened
        }
    }

    private Response answer(RunId run, Duration wait, Response usual) {
        Lookup lookup = ingress.run(run);
        return hasEnded(lookup)
                ? Response.fromResponse(replies.of(lookup))
                        .header("Preference-Applied", "wait=" + wait.toSeconds())
                        .build()
                : usual;
    }

    private static boolean hasEnded(Lookup lookup) {
        return lookup instanceof Lookup.Found found && found.run().state().ended();
    }
}

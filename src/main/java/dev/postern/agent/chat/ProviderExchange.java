package dev.postern.agent.chat;

import dev.postern.agent.ProviderBreaker;
import dev.postern.agent.ProviderBreaker.Granted;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.net.BoundedBodyHandler;
import dev.postern.net.HttpConnections;
import dev.postern.net.OutboundExchange;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An exchange of one turn with its provider: one request and its whole response, or a pause between two of them. It ends with
 * the turn. Used by the turn's thread alone.
 *
 * @param turnId the turn's id, for the log
 */
record ProviderExchange(
        HttpConnections connections,
        ProviderBreaker providerBreaker,
        ProviderFailureMessages providerFailureMessages,
        TurnCancellation turnCancellation,
        String turnId) {

    /** The most bytes of a response's body. */
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final Logger LOG = System.getLogger(ProviderExchange.class.getName());
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /**
     * Sends {@code request} and returns the complete response. Its body is empty if it is longer than {@value #MAX_BYTES}
     * bytes.
     *
     * @param tries the number of this try, from 1
     * @param granted the permission; a provider that sends nothing until the turn's time is over is reported to have failed
     * @param first whether the turn has got no response yet
     * @throws ChatException if the turn has to end
     * @throws IOException if there is no complete response
     */
    HttpResponse<Optional<String>> send(HttpRequest request, int tries, Granted granted, boolean first)
            throws IOException {
        if (turnCancellation.isRequested()) {
            throw new ChatException(turnCancellation.outcome().join());
        }
        AtomicBoolean responding = new AtomicBoolean();
        long start = System.nanoTime();
        OutboundExchange<Optional<String>> exchange = connections.send(request, head -> {
            responding.set(true);
            return BodySubscribers.mapping(
                    BoundedBodyHandler.of(MAX_BYTES).apply(head), body -> body.map(ProviderExchange::text));
        });
        String end = "cut off";
        try {
            while (!await(exchange.response(), turnCancellation.remaining())) {}
            HttpResponse<Optional<String>> answer = exchange.response().join();
            end = String.valueOf(answer.statusCode());
            return answer;
        } catch (ChatException cutOff) {
            if (cutOff.outcome() instanceof TurnResult.TimedOut) {
                exchange.giveUp();
            }
            throw isSilence(cutOff, first && !responding.get(), granted) ? silence(start, granted) : cutOff;
        } catch (CompletionException e) {
            IOException fault = OutboundExchange.fault(e.getCause());
            end = fault.getClass().getSimpleName();
            throw fault;
        } finally {
            exchange.end();
            LOG.log(
                    Level.DEBUG,
                    "Turn {0}: provider {1}, try {2}: {3} after {4} ms",
                    turnId,
                    providerFailureMessages.provider().id(),
                    String.valueOf(tries),
                    end,
                    String.valueOf(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
        }
    }

    /**
     * Whether the turn's time was used up by a provider that sent nothing: not the head of a response to this turn, and no
     * response to any other turn since the request. A model that is too slow for its turn has let others through.
     */
    private boolean isSilence(ChatException cutOff, boolean silent, Granted granted) {
        return cutOff.outcome() instanceof TurnResult.TimedOut && silent && !providerBreaker.respondedSince(granted);
    }

    private ChatException silence(long start, Granted granted) {
        String fault = providerFailureMessages.silent(Duration.ofNanos(System.nanoTime() - start));
        providerBreaker.failed(granted, fault, Duration.ZERO);
        return new ChatException(providerFailureMessages.down(fault, Duration.ZERO));
    }

    /**
     * Waits for {@code pause}.
     *
     * @throws ChatException if the turn has to end
     */
    void pause(Duration pause) {
        boolean unused = await(new CompletableFuture<>(), pause);
    }

    /**
     * Waits until {@code something} is done or {@code most} has passed; returns whether it is done.
     *
     * @throws ChatException if the turn has to end
     */
    private boolean await(CompletableFuture<?> something, Duration most) {
        CountDownLatch over = new CountDownLatch(1);
        var unused = CompletableFuture.anyOf(something, turnCancellation.outcome())
                .whenComplete((value, fault) -> over.countDown());
        try {
            boolean done = over.await(most.toNanos(), TimeUnit.NANOSECONDS);
            if (turnCancellation.isRequested()) {
                throw new ChatException(turnCancellation.outcome().join());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChatException(new TurnResult.Interrupted("the end of its thread"));
        }
    }

    private static String text(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }
}

package dev.postern.dispatch;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend that replies {@code re: <message>} at once, unless a test has scripted that message. */
final class ScriptedBackend implements Backend {

    /** The untrusted content of each turn that was begun, in order. */
    final List<String> begun = new CopyOnWriteArrayList<>();

    final List<BackendPrompt> prompts = new CopyOnWriteArrayList<>();
    final List<TurnCancellation> cancellations = new CopyOnWriteArrayList<>();
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger mostAtOnce = new AtomicInteger();

    private final Map<String, CompletableFuture<TurnResult>> scripted = new ConcurrentHashMap<>();

    /** Makes turns with {@code message} wait until a test ends them. */
    void hold(String message) {
        scripted.put(message, new CompletableFuture<>());
    }

    /** Makes turns with {@code message} end in {@code outcome}: waiting ones and later ones. */
    void end(String message, TurnResult outcome) {
        scripted.computeIfAbsent(message, absent -> new CompletableFuture<>()).complete(outcome);
    }

    /** Replies to the waiting turns with {@code message}; later ones get a reply at once. */
    void answer(String message, String reply) {
        end(message, new TurnResult.Replied(reply));
    }

    /** Leaves the waiting turns with {@code message} waiting, and replies to later ones. */
    void answerNext(String message, String reply) {
        scripted.put(message, CompletableFuture.completedFuture(new TurnResult.Replied(reply)));
    }

    @Override
    public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
        String message = prompt.message().fromOutside();
        CompletableFuture<TurnResult> script = scripted.get(message);
        mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
        prompts.add(prompt);
        cancellations.add(turnCancellation);
        begun.add(message);
        try {
            if (script == null) {
                return new TurnResult.Replied("re: " + message);
            }
            return (TurnResult)
                    CompletableFuture.anyOf(script, turnCancellation.outcome()).join();
        } finally {
            running.decrementAndGet();
        }
    }
}

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

/** Answers {@code re: <message>} at once, unless a test has said otherwise for that message. */
final class ScriptedBackend implements Backend {

    /** What came in from outside in each turn that was begun, in order. */
    final List<String> begun = new CopyOnWriteArrayList<>();

    final List<BackendPrompt> prompts = new CopyOnWriteArrayList<>();
    final List<TurnCancellation> cutoffs = new CopyOnWriteArrayList<>();
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger mostAtOnce = new AtomicInteger();

    private final Map<String, CompletableFuture<TurnResult>> scripted = new ConcurrentHashMap<>();

    /** Has turns with {@code message} wait until they are told how to end. */
    void hold(String message) {
        scripted.put(message, new CompletableFuture<>());
    }

    /** Has turns with {@code message} end in {@code outcome}, those that wait and those to come. */
    void end(String message, TurnResult outcome) {
        scripted.computeIfAbsent(message, absent -> new CompletableFuture<>()).complete(outcome);
    }

    /** Has those turns with {@code message} answered that wait; those to come are answered at once. */
    void answer(String message, String reply) {
        end(message, new TurnResult.Replied(reply));
    }

    /** Leaves those turns with {@code message} waiting that wait, and has those to come answered. */
    void answerNext(String message, String reply) {
        scripted.put(message, CompletableFuture.completedFuture(new TurnResult.Replied(reply)));
    }

    @Override
    public TurnResult answer(BackendPrompt prompt, TurnCancellation turnCancellation) {
        String message = prompt.message().fromOutside();
        CompletableFuture<TurnResult> script = scripted.get(message);
        mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
        prompts.add(prompt);
        cutoffs.add(turnCancellation);
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

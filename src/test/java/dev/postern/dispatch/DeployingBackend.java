package dev.postern.dispatch;

import dev.postern.agent.ApprovalQuestion;
import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolApprovals.Decided;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal.ModelResponse;
import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.agent.TurnResult.Replied;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A backend whose model wants to call a tool that needs approval, if the message is {@code deploy}. */
final class DeployingBackend implements Backend {

    /** The messages of the turns that were begun or went on, in order. */
    final List<String> begun = new CopyOnWriteArrayList<>();

    /** How often the model was asked what to call. */
    final AtomicInteger asked = new AtomicInteger();

    /** The numbers of the calls that were made, in order. */
    final List<Integer> made = new CopyOnWriteArrayList<>();

    /** The number of approved calls that were not made. */
    final AtomicInteger notMade = new AtomicInteger();

    /** The results of the first turns that have all their decisions. */
    final Queue<TurnResult> failures = new ConcurrentLinkedQueue<>();

    /** The results of the first turns, before the model says what to call. */
    final Queue<TurnResult> earlyFailures = new ConcurrentLinkedQueue<>();

    /** Disturbs the first approved call before it is written that the call is made. */
    final AtomicReference<Callable<?>> beforeBegin = new AtomicReference<>(() -> null);

    /** Disturbs the first approved call after that. */
    final AtomicReference<Callable<?>> afterBegin = new AtomicReference<>(() -> null);

    /** The number of calls that the model wants to make. */
    volatile int calls = 1;

    /** Whether the model looks first, with a call that needs no approval. */
    volatile boolean looksFirst;

    /** Whether no result of a call is written. */
    volatile boolean losesResults;

    @Override
    public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
        String message = DispatchFixture.withoutBoundary(prompt.message().text());
        begun.add(message);
        if (!message.equals("deploy")) {
            return new Replied("done");
        }
        if (!earlyFailures.isEmpty()) {
            return earlyFailures.remove();
        }
        if (prompt.journal().playResponse().isPresent()) {
            prompt.recorder().addEarlierTokens(10, 2);
        } else {
            asked.incrementAndGet();
            prompt.recorder().addTokens(10, 2);
            prompt.journal().add(new ModelResponse("call deploy"));
        }
        if (looksFirst) {
            look(prompt);
        }
        List<ApprovalQuestion> questions = new ArrayList<>();
        List<String> results = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            Optional<Decided> decided = prompt.journal().approvals().find(call);
            if (decided.isEmpty()) {
                questions.add(new ApprovalQuestion(call, "lab", "deploy", "{}"));
            } else {
                results.add(result(prompt, call, decided.get()));
            }
        }
        if (!questions.isEmpty()) {
            return new Paused(prompt.model(), questions);
        }
        prompt.recorder().addTokens(5, 1);
        if (turnCancellation.isRequested()) {
            return turnCancellation.outcome().join();
        }
        return Objects.requireNonNullElseGet(failures.poll(), () -> new Replied(results.toString()));
    }

    private static void look(BackendPrompt prompt) {
        Optional<ToolResult> earlier = prompt.journal().playResult();
        if (earlier.isPresent()) {
            prompt.recorder().addEarlierToolCall(earlier.get().call());
            return;
        }
        ToolCall look = new ToolCall("lab", "look", 2, 4, 1, Outcome.OK);
        prompt.recorder().addToolCall(look);
        prompt.journal().add(new ToolResult(look, "seen"));
    }

    private String result(BackendPrompt prompt, int call, Decided decided) {
        ToolApprovals approvals = prompt.journal().approvals();
        if (decided.result() != null) {
            prompt.recorder().addEarlierToolCall(decided.result().call());
            return decided.result().text();
        }
        if (decided.decision() != ApprovalDecision.APPROVED) {
            return decided.decision().name();
        }
        disturb(beforeBegin);
        boolean begins = !decided.begun() && approvals.begin(call);
        disturb(afterBegin);
        if (begins) {
            made.add(call);
        } else {
            notMade.incrementAndGet();
        }
        ToolCall record = new ToolCall("lab", "deploy", 2, 8, 1, begins ? Outcome.OK : Outcome.ERROR);
        prompt.recorder().addToolCall(record);
        if (!losesResults) {
            approvals.end(call, new ToolResult(record, begins ? "deployed" : "begun before"));
        }
        return begins ? decided.decision().name() : "begun before";
    }

    private static void disturb(AtomicReference<Callable<?>> disturbance) {
        try {
            disturbance.getAndSet(() -> null).call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

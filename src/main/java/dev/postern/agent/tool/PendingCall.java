package dev.postern.agent.tool;

import dev.postern.agent.TurnCancellation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A turn's waiting for one answer at a time, which the turn's cut-off ends. */
final class PendingCall {

    private final TurnCancellation turnCancellation;
    private @Nullable CompletableFuture<?> current;

    PendingCall(TurnCancellation turnCancellation) {
        this.turnCancellation = turnCancellation;
        var unused = turnCancellation.outcome().thenRun(this::cut);
    }

    /** By when a turn goes on without what it now begins to wait for: it spends no more than a third of its time on it. */
    CallDeadline patience() {
        return CallDeadline.in(turnCancellation.remaining().dividedBy(3), System::nanoTime);
    }

    /** What {@code answer} holds; throws a {@link ToolServerException} when it holds none by {@code until}, or the turn is cut off. */
    ToolServerConnection awaited(CompletableFuture<ToolServerConnection> answer, CallDeadline until) {
        begin(answer);
        try {
            return until.awaited(answer);
        } finally {
            end();
        }
    }

    /** From now on {@code answer} ends with a fault that reaches the turn when the turn is cut off. */
    void begin(CompletableFuture<?> answer) {
        synchronized (this) {
            current = answer;
        }
        if (turnCancellation.reached()) {
            cut();
        }
    }

    /** Nothing is waited for any more. */
    synchronized void end() {
        current = null;
    }

    /** What is waited for now will not be waited for any more. */
    void cut() {
        CompletableFuture<?> waitedFor;
        synchronized (this) {
            waitedFor = current;
        }
        if (waitedFor != null) {
            waitedFor.completeExceptionally(ToolServerException.cutOff());
        }
    }
}

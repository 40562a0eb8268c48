package dev.postern.agent.tool;

import dev.postern.agent.TurnCancellation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pending call of a turn, which waits for one response at a time; the turn's cancellation ends the wait. */
final class PendingCall {

    private final TurnCancellation turnCancellation;
    private @Nullable CompletableFuture<?> current;

    PendingCall(TurnCancellation turnCancellation) {
        this.turnCancellation = turnCancellation;
        var unused = turnCancellation.outcome().thenRun(this::cancel);
    }

    /** The deadline for the turn's next wait: a third of its remaining time. */
    CallDeadline nextDeadline() {
        return CallDeadline.in(turnCancellation.remaining().dividedBy(3), System::nanoTime);
    }

    /**
     * Waits for {@code answer} and returns its connection. Throws a {@link ToolServerException} if there is none by
     * {@code until}, or if the turn is cancelled.
     */
    ToolServerConnection await(CompletableFuture<ToolServerConnection> answer, CallDeadline until) {
        begin(answer);
        try {
            return until.await(answer);
        } finally {
            end();
        }
    }

    /** Makes the turn's cancellation end {@code answer} with an error of the turn's scope, from now on. */
    void begin(CompletableFuture<?> answer) {
        synchronized (this) {
            current = answer;
        }
        if (turnCancellation.isRequested()) {
            cancel();
        }
    }

    /** Ends the wait. */
    synchronized void end() {
        current = null;
    }

    /** Ends the current response with an error, because the turn no longer waits for it. */
    void cancel() {
        CompletableFuture<?> waitedFor;
        synchronized (this) {
            waitedFor = current;
        }
        if (waitedFor != null) {
            waitedFor.completeExceptionally(ToolServerException.cancelled());
        }
    }
}

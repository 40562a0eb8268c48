package dev.postern.agent.tool;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The deadline of a call.
 *
 * @param nanos as {@link System#nanoTime}
 * @param at the deadline in the time of {@code nanos}
 */
record CallDeadline(LongSupplier nanos, long at) {

    /** The deadline that lies {@code time} after now. */
    static CallDeadline in(Duration time, LongSupplier nanos) {
        return new CallDeadline(nanos, nanos.getAsLong() + time.toNanos());
    }

    /** The time until the deadline; zero once it has passed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, at - nanos.getAsLong()));
    }

    /**
     * Waits for {@code answer} and returns its value. Throws its {@link ToolServerException} if it fails, or one for the
     * missed deadline.
     */
    <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw ToolServerException.late();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ToolServerException toolServerException
                    ? toolServerException
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolServerException.cancelled();
        }
    }
}

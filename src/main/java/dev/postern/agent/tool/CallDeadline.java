package dev.postern.agent.tool;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * By when something has to be there.
 *
 * @param nanos as {@link System#nanoTime}
 * @param at of its times
 */
record CallDeadline(LongSupplier nanos, long at) {

    /** In {@code time} from now. */
    static CallDeadline in(Duration time, LongSupplier nanos) {
        return new CallDeadline(nanos, nanos.getAsLong() + time.toNanos());
    }

    /** The time until then; zero once it is past. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, at - nanos.getAsLong()));
    }

    /** What {@code answer} holds in the end; throws its {@link ToolServerException} when it holds none, or one that time is up. */
    <T> T awaited(CompletableFuture<T> answer) {
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
            throw ToolServerException.cutOff();
        }
    }
}

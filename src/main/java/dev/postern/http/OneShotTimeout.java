package dev.postern.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A timeout of something that ends only once. The first caller of {@link #tryEnd} ends it, or else the clock does. */
final class OneShotTimeout {

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Future<?> pending;

    /**
     * Starts the clock.
     *
     * @param late runs on the clock's thread, which it must not hold up, if nothing has ended this within {@code time}
     */
    void set(ScheduledExecutorService clock, Duration time, Runnable late) {
        pending = clock.schedule(
                () -> {
                    if (tryEnd()) {
                        late.run();
                    }
                },
                time.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Ends this; true only for the first caller. */
    boolean tryEnd() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        @Nullable Future<?> clocks = pending;
        if (clocks != null) {
            clocks.cancel(false);
        }
        return true;
    }

    /** Whether this has ended. */
    boolean isOver() {
        return over.get();
    }
}

package dev.postern.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The end of something that ends once: whoever comes first has ended it, at the latest the clock. */
final class OneShotTimeout {

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Future<?> pending;

    /**
     * Lets the clock be the last to come.
     *
     * @param late run on the clock's thread, which it must not hold up, when nobody has come within {@code time}
     */
    void set(ScheduledExecutorService clock, Duration time, Runnable late) {
        pending = clock.schedule(
                () -> {
                    if (isFirst()) {
                        late.run();
                    }
                },
                time.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** True once, for who comes first. */
    boolean isFirst() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        @Nullable Future<?> clocks = pending;
        if (clocks != null) {
            clocks.cancel(false);
        }
        return true;
    }

    /** True when somebody has come. */
    boolean isOver() {
        return over.get();
    }
}

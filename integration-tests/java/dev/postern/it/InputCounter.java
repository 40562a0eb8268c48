package dev.postern.it;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A counter of the inputs that a fuzz target has tried, for the report of the long tests. */
public final class InputCounter implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private final String inputs;
    private final AtomicLong count = new AtomicLong();
    private long start;
    private boolean failed;

    /** @param inputs what the target reads, in the plural */
    public InputCounter(String inputs) {
        this.inputs = inputs;
    }

    /** Counts one input. */
    public void increment() {
        count.incrementAndGet();
    }

    @Override
    public void beforeAll(ExtensionContext target) {
        start = System.nanoTime();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        failed |= test.getExecutionException().isPresent();
    }

    @Override
    public void afterAll(ExtensionContext target) {
        if (!failed) {
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            ProofReport.add("fuzz", String.format("%,d %s in %d s", count.get(), inputs, seconds));
        }
    }
}

package dev.postern.access;

import dev.postern.access.SenderDecision.Accepted;
import dev.postern.access.SenderDecision.HookDenied;
import dev.postern.access.SenderDecision.RateExceeded;
import dev.postern.config.SenderSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A guard of the limits that senders with tokens of their own have before their requests are read: hooks and rate. Thread-safe. */
public final class SenderGuard {

    private static final SenderDecision ACCEPTED = new Accepted();
    private static final SenderDecision HOOK_DENIED = new HookDenied();
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Map<String, Meter> meters = new HashMap<>();
    private final LongSupplier nanos;

    /**
     * Creates a guard with the full rate for each sender, and counts that are zero.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public SenderGuard(Collection<SenderSettings> senders, LongSupplier nanos) {
        this.nanos = nanos;
        senders.forEach(sender -> meters.put(sender.id(), new Meter(sender, nanos.getAsLong())));
    }

    /** Decides on a request to {@code hook}, the path below the hook prefix, and counts it. */
    public SenderDecision decide(SenderSettings sender, String hook) {
        Meter meter = meter(sender.id());
        meter.requests.increment();
        if (!sender.mayCall(hook)) {
            meter.notAllowed.increment();
            return HOOK_DENIED;
        }
        @Nullable TokenBucket bucket = meter.bucket;
        long missing = bucket == null ? 0 : bucket.tryTake(nanos.getAsLong());
        if (missing > 0) {
            meter.rateLimited.increment();
            return new RateExceeded((missing + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
        }
        return ACCEPTED;
    }

    /** Counts a request that asked for something outside the scope of the sender {@code id}. */
    public void recordNotAllowed(String id) {
        meter(id).notAllowed.increment();
    }

    /**
     * Takes requests that were admitted elsewhere, or before a restart, from the rate of the sender {@code id}.
     *
     * @param ages the time since each of them, the oldest first
     */
    public void take(String id, Iterable<Duration> ages) {
        @Nullable TokenBucket bucket = meter(id).bucket;
        if (bucket != null) {
            long now = nanos.getAsLong();
            ages.forEach(age -> bucket.take(now - age.toNanos()));
        }
    }

    /** Resets the rate of the sender {@code id}: none was left {@code age} ago. */
    public void empty(String id, Duration age) {
        @Nullable TokenBucket bucket = meter(id).bucket;
        if (bucket != null) {
            bucket.empty(nanos.getAsLong() - age.toNanos());
        }
    }

    /** The counts of the sender {@code id} since the start. */
    public SenderCounts counts(String id) {
        Meter meter = meter(id);
        @Nullable TokenBucket bucket = meter.bucket;
        return new SenderCounts(
                meter.requests.sum(),
                meter.notAllowed.sum(),
                meter.rateLimited.sum(),
                bucket == null ? null : bucket.tokens(nanos.getAsLong()));
    }

    private Meter meter(String id) {
        return Objects.requireNonNull(meters.get(id), "a sender that is not configured");
    }

    /**
     * The counts of a sender's requests on this cluster node.
     *
     * @param requests all that its token admitted
     * @param notAllowed those that asked for something outside its scope
     * @param rateLimited those past its rate
     * @param left how many it may send now; null where it has no rate
     */
    public record SenderCounts(long requests, long notAllowed, long rateLimited, @Nullable Long left) {}

    private static final class Meter {

        private final LongAdder requests = new LongAdder();
        private final LongAdder notAllowed = new LongAdder();
        private final LongAdder rateLimited = new LongAdder();
        private final @Nullable TokenBucket bucket;

        Meter(SenderSettings sender, long now) {
            this.bucket = sender.rate() == null ? null : new TokenBucket(sender.rate(), now);
        }
    }
}

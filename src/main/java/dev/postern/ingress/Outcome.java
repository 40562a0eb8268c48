package dev.postern.ingress;

import dev.postern.model.Receipt;
import dev.postern.model.Rejection;
import java.time.Duration;
import java.util.List;

/** What became of an inbound payload. */
public sealed interface Outcome {

    /**
     * Accepted: on disk, whatever happens from here on.
     *
     * @param receipts one an action, in order
     * @param replayed true where an earlier request with the same idempotency key was accepted and this one did nothing
     */
    record Accepted(List<Receipt> receipts, boolean replayed) implements Outcome {

        public Accepted {
            receipts = List.copyOf(receipts);
        }
    }

    /** No hook answers to this name. */
    record NoSuchHook() implements Outcome {}

    /** The sender must ask differently. */
    record Rejected(Rejection rejection) implements Outcome {}

    /** The idempotency key was used for other content. */
    record IdempotencyConflict() implements Outcome {}

    /** Too much is waiting already; nothing happened. */
    record Overloaded(Duration retryAfter) implements Outcome {}

    /** The database could not take it; nothing happened. */
    record Unavailable(Duration retryAfter, Throwable cause) implements Outcome {}
}

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
     * @param fanOut true where they stand for the elements of a list, however many there are
     * @param replayed true where an earlier request with the same idempotency key was accepted and this one did nothing
     * @param tellsReply whether the sender may be told what the agent says
     */
    record Accepted(List<Receipt> receipts, boolean fanOut, boolean replayed, boolean tellsReply) implements Outcome {

        public Accepted {
            receipts = List.copyOf(receipts);
        }
    }

    /** A mapping took it and found nothing to do. */
    record Nothing() implements Outcome {}

    /** The sender's own word goes back to it, and nothing else happens. */
    record Handshake(String challenge) implements Outcome {}

    /** No hook answers to this name. */
    record NoSuchHook() implements Outcome {}

    /** The sender must ask differently. */
    record Rejected(Rejection rejection) implements Outcome {}

    /**
     * The hook's script failed; nothing happened.
     *
     * @param sentence which mapping, and where in its script; nothing of the payload
     */
    record ScriptFailed(String sentence) implements Outcome {}

    /**
     * Too many scripts are running for the hook's one to be run; nothing happened.
     *
     * @param sentence which mapping, and why not
     */
    record Busy(String sentence) implements Outcome {}

    /** The idempotency key was used for other content. */
    record IdempotencyConflict() implements Outcome {}

    /** Too much is waiting already; nothing happened. */
    record Overloaded(Duration retryAfter) implements Outcome {}

    /** The database could not take it; nothing happened. */
    record Unavailable(Duration retryAfter) implements Outcome {}

    /** The database didn't say whether it took it. A repeat under the same idempotency key is done once. */
    record Uncertain(Duration retryAfter) implements Outcome {}
}

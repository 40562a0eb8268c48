package dev.postern.model;

import java.time.Duration;
import java.util.List;

/** The result of a {@link HookRequest}: exactly one of these. */
public sealed interface HookResult {

    /**
     * The result of an accepted request: its actions are on disk and will be done whatever happens next.
     *
     * @param receipts one for each action, in order
     * @param fanOut true if the actions stand for the elements of a list of any length
     * @param replayed true if an earlier request with the same idempotency key was accepted and this one did nothing
     * @param tellsReply whether the sender may see the agent's reply
     */
    record Accepted(List<Receipt> receipts, boolean fanOut, boolean replayed, boolean tellsReply)
            implements HookResult {

        public Accepted {
            receipts = List.copyOf(receipts);
        }

        /** The HTTP status of the response: 202 if a run is queued, else 200. */
        public int status() {
            return receipts.stream().anyMatch(Receipt.Run.class::isInstance) ? 202 : 200;
        }

        /** Creates a result without a fan-out, whose sender may see the reply. */
        public Accepted(List<Receipt> receipts, boolean replayed) {
            this(receipts, false, replayed, true);
        }
    }

    /** The result of a request in which a mapping found nothing to do. */
    record Nothing() implements HookResult {}

    /**
     * The result of a sender's test whether the hook responds; it has no other effect.
     *
     * @param challenge the sender's own text, which the response returns
     */
    record Handshake(String challenge) implements HookResult {}

    /** The result of a request to a hook that does not exist. */
    record NoSuchHook() implements HookResult {}

    /** The result of a request that the sender has to change. */
    record Rejected(Rejection rejection) implements HookResult {}

    /**
     * The result when the mapping's script failed. The sender can't fix that; nothing happened.
     *
     * @param sentence the mapping and the place in its script; nothing of the payload
     * @param detail the script's own message, for the operator only
     */
    record ScriptFailed(String sentence, String detail) implements HookResult {}

    /**
     * The result when Postern is too busy to run the mapping's script. Nothing happened, and the sender may try again.
     *
     * @param sentence the mapping and the reason
     */
    record Busy(String sentence) implements HookResult {}

    /**
     * The result when the idempotency key belongs to other content. Nothing was written, except a source cursor that moves.
     */
    record IdempotencyConflict() implements HookResult {}

    /**
     * The result when the source cursor of the request is read by another node, or is at another position. Nothing was
     * written.
     */
    record Superseded() implements HookResult {}

    /** The result when too many accepted actions are pending. Nothing was written. */
    record Overloaded(Duration retryAfter) implements HookResult {}

    /** The result when the database could not store the request; the store has logged the reason. Nothing was written. */
    record Unavailable(Duration retryAfter) implements HookResult {}

    /** The result when the database did not confirm the write. A repeat under the same idempotency key is accepted once. */
    record Uncertain(Duration retryAfter) implements HookResult {}
}

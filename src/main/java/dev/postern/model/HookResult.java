package dev.postern.model;

import java.time.Duration;
import java.util.List;

/** A result of a {@link HookRequest}: exactly one of these. */
public sealed interface HookResult {

    /**
     * It was accepted: on disk, and done whatever happens from here on.
     *
     * @param receipts one for each action, in order
     * @param fanOut true where they stand for the elements of a list, however many there are
     * @param replayed true where an earlier request with the same idempotency key was accepted and this one did nothing
     * @param tellsReply whether the sender may be told what the agent says
     */
    record Accepted(List<Receipt> receipts, boolean fanOut, boolean replayed, boolean tellsReply)
            implements HookResult {

        public Accepted {
            receipts = List.copyOf(receipts);
        }

        /** One whose actions stand for no list, and whose sender may be told all. */
        public Accepted(List<Receipt> receipts, boolean replayed) {
            this(receipts, false, replayed, true);
        }
    }

    /** A mapping took it and found nothing to do. */
    record Nothing() implements HookResult {}

    /**
     * The sender asked whether somebody is here, and nothing else happens.
     *
     * @param challenge the sender's own word, which goes back to it
     */
    record Handshake(String challenge) implements HookResult {}

    /** No hook answers to this name. */
    record NoSuchHook() implements HookResult {}

    /** The sender must ask differently. */
    record Rejected(Rejection rejection) implements HookResult {}

    /**
     * The mapping's script failed, which the sender can't mend; nothing happened.
     *
     * @param sentence which mapping, and where in its script; nothing of the payload
     * @param detail what the script said itself, for the operator's eyes alone
     */
    record ScriptFailed(String sentence, String detail) implements HookResult {}

    /**
     * Too much is going on for the mapping's script to be run; nothing happened, and the sender may try again.
     *
     * @param sentence which mapping, and why not
     */
    record Busy(String sentence) implements HookResult {}

    /** The idempotency key stands for other content. Nothing was written, but for a bookmark that moves. */
    record IdempotencyConflict() implements HookResult {}

    /** The bookmark that was to move with it is read by another node, or is at another place. Nothing was written. */
    record Superseded() implements HookResult {}

    /** Too much that was accepted is not done yet. Nothing was written. */
    record Overloaded(Duration retryAfter) implements HookResult {}

    /** The database could not take it; the store has told the log why. Nothing was written. */
    record Unavailable(Duration retryAfter) implements HookResult {}

    /** The database didn't say whether it took it. A repeat under the same idempotency key is accepted once. */
    record Uncertain(Duration retryAfter) implements HookResult {}
}

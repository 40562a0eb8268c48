package dev.postern.acceptance;

import dev.postern.model.Receipt;
import java.time.Duration;
import java.util.List;

/** What became of a {@link Submission}. */
public sealed interface Acceptance {

    /**
     * It is on disk, and will be done whatever happens.
     *
     * @param receipts one for each action, in order
     * @param replayed true when the same request was accepted before: these are the first answer's receipts, and nothing
     *     was added
     */
    record Accepted(List<Receipt> receipts, boolean replayed) implements Acceptance {
        public Accepted {
            receipts = List.copyOf(receipts);
        }
    }

    /** The idempotency key stands for other content. Nothing was written, but for a bookmark that moves. */
    record Conflict() implements Acceptance {}

    /** The bookmark that was to move with it is read by another node, or is at another place. Nothing was written. */
    record Superseded() implements Acceptance {}

    /** Too much that was accepted is not done yet. Nothing was written. */
    record Overloaded(Duration retryAfter) implements Acceptance {}

    /** The database could not take it; the store has told the log why. Nothing was written. */
    record Unavailable(Duration retryAfter) implements Acceptance {}

    /** The database didn't say whether it took it. A repeat under the same idempotency key is accepted once. */
    record Uncertain(Duration retryAfter) implements Acceptance {}
}

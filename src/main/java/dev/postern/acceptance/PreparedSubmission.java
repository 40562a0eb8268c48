package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.IdGenerator;
import dev.postern.model.Receipt;
import dev.postern.model.SessionKey;
import dev.postern.model.StorableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A submission with everything that the caller's own thread can prepare before it joins the commit.
 *
 * @param receipts one for each action, in order, with the ids that the rows will have
 * @param acceptedAt epoch milliseconds
 */
record PreparedSubmission(Submission submission, List<Receipt> receipts, long acceptedAt) {

    static PreparedSubmission of(Submission submission, IdGenerator idGenerator, long acceptedAt) {
        List<Receipt> receipts = new ArrayList<>(submission.actions().size());
        for (AllowedAction action : submission.actions()) {
            if (action instanceof AllowedAction.Wake wake) {
                receipts.add(new Receipt.Event(idGenerator.event(), wake.mode()));
            } else if (action instanceof AllowedAction.Turn turn) {
                receipts.add(new Receipt.Run(idGenerator.run(), storable(turn.sessionKey())));
            } else if (action instanceof AllowedAction.DirectDelivery) {
                receipts.add(new Receipt.Delivery(idGenerator.delivery()));
            }
        }
        return new PreparedSubmission(submission, receipts, acceptedAt);
    }

    int size() {
        return receipts.size();
    }

    /** True when the sender gave a key under which the submission is accepted once. */
    boolean hasKey() {
        return submission.idempotency() != null;
    }

    /** The key of a submission that has one. */
    IdempotencyKey requireKey() {
        return Objects.requireNonNull(submission.idempotency(), "a submission without a key");
    }

    private static SessionKey storable(SessionKey key) {
        String text = StorableText.of(key.value());
        return text.equals(key.value()) ? key : new SessionKey(text);
    }
}

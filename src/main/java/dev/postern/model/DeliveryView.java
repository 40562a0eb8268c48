package dev.postern.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of one delivery without an agent for its sender.
 *
 * @param id the delivery's id
 * @param sender the id of the sender whose own token admitted the request; null for any other credential
 * @param acceptedAt when its first request was accepted
 * @param nextAt the time of the next attempt; null if there is none
 * @param finishedAt when it ended; null while it is pending
 * @param collectingUntil when it stops waiting for further requests that become part of it; null if it does not wait for any
 * @param items the number of requests that have become the delivery
 * @param parts the number of messages that the text was split into; 0 before the first attempt, and in the inbox
 * @param messageIds the ids that the channel's service gave to the messages it accepted, in order, as far as it gives any
 * @param reason the reason why it, or its last attempt, failed; null otherwise
 */
public record DeliveryView(
        String id,
        DeliveryState state,
        @Nullable String sender,
        Recipient recipient,
        int attempts,
        Instant acceptedAt,
        @Nullable Instant nextAt,
        @Nullable Instant finishedAt,
        @Nullable Instant collectingUntil,
        int items,
        int parts,
        int sentParts,
        List<String> messageIds,
        @Nullable String reason) {

    public DeliveryView {
        messageIds = List.copyOf(messageIds);
    }

    /** The same delivery with the state of its messages. */
    public DeliveryView with(int allParts, int sent, List<String> ids) {
        return new DeliveryView(
                id,
                state,
                sender,
                recipient,
                attempts,
                acceptedAt,
                nextAt,
                finishedAt,
                collectingUntil,
                items,
                /* parts= */ allParts,
                /* sentParts= */ sent,
                /* messageIds= */ ids,
                reason);
    }
}

package dev.postern.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of one run for its sender.
 *
 * @param model the model that answered; the asked one until one has
 * @param askedModel the asked model, if another answered in its place; null otherwise
 * @param attempts the number of turns begun; 0 while queued for the first time
 * @param reply the agent's reply; null until the run has succeeded
 * @param error the reason why the run did not succeed, a sentence without payload or secret; null otherwise
 * @param retryAt the time of the next try, while the run is queued because its provider, or the tool server of an
 *     approved call, is down or a budget is spent; null otherwise
 * @param retryReason why it waits for that time, a sentence without payload or secret; null otherwise
 * @param waits the number of times so far that it waited because its provider was down or an operator had to decide
 * @param heldBy the id of the budget that has no room for it; null otherwise
 * @param collectingUntil when it stops waiting for further requests that become part of it; null if it does not wait for any
 * @param items the number of requests that have become the run
 * @param traceId the id of the trace that the run is part of; null if it is part of none
 * @param turn the record of the run's last turn that has ended, or of a paused one so far; null if there is none, or if it is unknown
 * @param delivery the state of the reply's delivery as a whole
 * @param deliveries one entry for each recipient of the reply
 */
public record RunView(
        RunId id,
        RunState state,
        String agentId,
        SessionKey sessionKey,
        @Nullable String sender,
        String model,
        @Nullable String askedModel,
        int attempts,
        Instant acceptedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String reply,
        @Nullable String error,
        @Nullable Instant retryAt,
        @Nullable String retryReason,
        int waits,
        @Nullable String heldBy,
        @Nullable Instant collectingUntil,
        int items,
        @Nullable String traceId,
        @Nullable TurnRecord turn,
        DeliveryState delivery,
        List<Delivery> deliveries) {

    public RunView {
        deliveries = List.copyOf(deliveries);
    }

    /** The same run with the state of its reply's deliveries. */
    public RunView with(DeliveryState whole, List<Delivery> each) {
        return new RunView(
                id,
                state,
                agentId,
                sessionKey,
                sender,
                model,
                askedModel,
                attempts,
                acceptedAt,
                startedAt,
                finishedAt,
                reply,
                error,
                retryAt,
                retryReason,
                waits,
                heldBy,
                collectingUntil,
                items,
                traceId,
                turn,
                /* delivery= */ whole,
                /* deliveries= */ each);
    }

    /**
     * A delivery of the reply to one recipient.
     *
     * @param channel the channel that was chosen, after {@code last} was resolved
     * @param attempts the number of attempts begun
     * @param parts the number of messages that the reply was split into; 0 before the first attempt, and in the inbox
     * @param messageIds the ids that the channel's service gave to the messages it accepted, in order, as far as it gives
     *     any
     * @param reason the reason why the delivery, or its last attempt, failed, and what to configure; null otherwise
     */
    public record Delivery(
            String channel,
            @Nullable String to,
            DeliveryState state,
            int attempts,
            int parts,
            int sentParts,
            List<String> messageIds,
            @Nullable String reason) {

        public Delivery {
            messageIds = List.copyOf(messageIds);
        }
    }
}

package dev.postern.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run as its sender may see it.
 *
 * @param attempts how often a turn was begun, 0 while queued for the first time
 * @param reply what the agent said; null until the run succeeded
 * @param error why the run did not succeed, a sentence without payload or secret; null otherwise
 * @param turn what the run's last turn used and did; null until the run has ended, and where that is not known
 * @param delivery what became of the reply as a whole
 * @param deliveries one entry for each place the reply was sent to
 */
public record RunView(
        RunId id,
        RunState state,
        String agentId,
        SessionKey sessionKey,
        String model,
        int attempts,
        Instant acceptedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String reply,
        @Nullable String error,
        @Nullable TurnRecord turn,
        DeliveryState delivery,
        List<Delivery> deliveries) {

    public RunView {
        deliveries = List.copyOf(deliveries);
    }

    /** The same run with what became of its reply. */
    public RunView with(DeliveryState whole, List<Delivery> each) {
        return new RunView(
                id,
                state,
                agentId,
                sessionKey,
                model,
                attempts,
                acceptedAt,
                startedAt,
                finishedAt,
                reply,
                error,
                turn,
                whole,
                each);
    }

    /**
     * One delivery of the reply.
     *
     * @param channel the channel that was chosen, after {@code last} was resolved
     * @param attempts how often it was begun to be sent
     * @param parts how many messages the reply was split into; 0 before the first attempt, and in the inbox
     * @param messageIds what the channel's service calls those that it has taken, in order, as far as it says
     * @param reason why it, or the last attempt, failed, and what to configure; null otherwise
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

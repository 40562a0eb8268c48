package dev.postern.channel;

import dev.postern.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to a reader: a chat product, or a webhook of the operator's. What is refused, put off or uncertain is an
 * {@link Outcome}, never an exception; no outcome and no message of an exception holds the text or a secret.
 */
public interface Channel {

    /**
     * The texts that a reply is sent as, in order and at least one, each within the channel's limit; the same for the same reply.
     *
     * @param reply Markdown, as models write it
     */
    List<String> parts(String reply);

    /**
     * Why nothing can be sent to a recipient written {@code to}: a sentence that begins with {@code to} and shows the form
     * that the channel wants; null when it may be one.
     *
     * @param to null where none is named and none is remembered
     */
    @Nullable
    String refusal(@Nullable String to);

    /** Whom it sends to what names nobody and follows nothing, as it is configured; null where that is nobody. */
    default @Nullable String ownRecipient() {
        return null;
    }

    /** Whether the channel is also told of runs that have no reply, as a machine is that waits for their end. */
    default boolean tellsFailures() {
        return false;
    }

    /** Sends one part, within a time of the channel's own. Called by several threads at a time. */
    Outcome send(Message message);

    /** Asks the service, without sending anything, whether the channel's credentials are good. */
    Probe probe();

    /**
     * One part of a reply that is to be sent.
     *
     * @param deliveryId the same in each attempt and each part
     * @param turnId the run's id; null for what a heartbeat had to say
     * @param outcome the run's; the text is why there is no reply unless it succeeded
     * @param to null for the channel's own default
     * @param createdAt when the delivery was created, which is when its run ended; the same in each attempt
     * @param number which part it is, from 1
     * @param of how many parts there are
     */
    record Message(
            String deliveryId,
            @Nullable String turnId,
            RunState outcome,
            String agentId,
            @Nullable String to,
            Instant createdAt,
            int number,
            int of,
            String text) {

        /** The same in each attempt at this part and for no other, for a channel that can tell a repeat. */
        public String id() {
            return deliveryId + "." + number;
        }

        /** Nothing of the text, which may be private. */
        @Override
        public String toString() {
            return "Message[" + id() + "]";
        }
    }

    /** What became of one attempt: exactly one of these. */
    sealed interface Outcome {

        /**
         * The channel has taken it.
         *
         * @param messageId what the service calls it; null where it doesn't say
         */
        record Sent(@Nullable String messageId) implements Outcome {}

        /**
         * Not now, and nothing was sent.
         *
         * @param pause how long the channel wants to be left alone; null when it didn't say
         * @param reason a sentence without text or secret
         */
        record Later(@Nullable Duration pause, String reason) implements Outcome {}

        /**
         * Perhaps: no answer came, or none that tells. Another attempt may send it twice.
         *
         * @param reason a sentence without text or secret
         */
        record Unsure(String reason) implements Outcome {}

        /**
         * Never.
         *
         * @param reason a sentence without text or secret, that says what to configure where that is the reason
         */
        record Refused(String reason) implements Outcome {}
    }

    /** What a service says of a channel's credentials: exactly one of these. */
    sealed interface Probe {

        /**
         * They are good.
         *
         * @param account whose they are, as the service calls it; null where it doesn't say
         */
        record Good(@Nullable String account) implements Probe {}

        /**
         * They are not, or nobody could say.
         *
         * @param reason a sentence without a secret, that says what to look at
         */
        record Bad(String reason) implements Probe {}

        /**
         * The service can't be asked without something being sent.
         *
         * @param reason a sentence
         */
        record Unasked(String reason) implements Probe {}
    }
}

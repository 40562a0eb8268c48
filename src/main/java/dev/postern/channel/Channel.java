package dev.postern.channel;

import dev.postern.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A configured way to deliver replies: a chat product, or a webhook of the operator. A refused, postponed or uncertain
 * message is an {@link Outcome}, never an exception. No outcome and no exception's message holds the text or a secret.
 */
public interface Channel {

    /**
     * The texts of the messages for a reply, in order: at least one, each within the channel's limit, and the same for the
     * same reply.
     *
     * @param reply Markdown, as models write it
     */
    List<String> parts(String reply);

    /**
     * The reason why {@code to} is rejected as a recipient: a sentence that begins with {@code to} and shows the form that
     * the channel wants; null if it is accepted.
     *
     * @param to null if none is given and none is remembered
     */
    @Nullable
    String refusal(@Nullable String to);

    /** The configured recipient of replies that name none and follow no earlier reply; null if there is none. */
    default @Nullable String ownRecipient() {
        return null;
    }

    /** Whether the channel also gets runs that ended without a reply, for a program that waits for their end. */
    default boolean tellsFailures() {
        return false;
    }

    /** The types of the events that are reported to the channel. */
    default Set<String> events() {
        return Set.of();
    }

    /** Whether a repeat can't send a message twice, because the channel recognises a message that was sent before. */
    default boolean recognisesRepeats() {
        return false;
    }

    /** Sends one part, within the channel's own time limit. Called by several threads at a time. */
    Outcome send(Message message);

    /** Asks the service whether the channel's credentials are valid, without sending a message. */
    Probe probe();

    /**
     * A message that carries one part of a reply.
     *
     * @param deliveryId the delivery's id, the same in each attempt and each part
     * @param turnId the run's id; null for the reply of a heartbeat, and without an agent
     * @param outcome the run's final state; unless it succeeded, the text says why there is no reply
     * @param agentId the agent whose reply it is; null for a text that a hook delivers without an agent
     * @param to null for the channel's own default
     * @param createdAt time when the delivery was created, which for a reply is when its run ended; the same in each attempt
     * @param number number of the part, from 1
     * @param of number of parts
     * @param text the part's text, or an event's data as a JSON object
     * @param maybeSent whether an earlier attempt may have sent this part: its result was unknown, or its node died
     * @param event the type of the event that is reported; null for a text
     */
    record Message(
            String deliveryId,
            @Nullable String turnId,
            RunState outcome,
            @Nullable String agentId,
            @Nullable String to,
            Instant createdAt,
            int number,
            int of,
            String text,
            boolean maybeSent,
            @Nullable String event) {

        /** A message that reports no event. */
        public Message(
                String deliveryId,
                @Nullable String turnId,
                RunState outcome,
                @Nullable String agentId,
                @Nullable String to,
                Instant createdAt,
                int number,
                int of,
                String text,
                boolean maybeSent) {
            this(deliveryId, turnId, outcome, agentId, to, createdAt, number, of, text, maybeSent, null);
        }

        /** An id that is the same in each attempt at this part and unique to it, for channels that detect duplicates. */
        public String id() {
            return deliveryId + "." + number;
        }

        /** The id alone, because the text may be private. */
        @Override
        public String toString() {
            return "Message[" + id() + "]";
        }
    }

    /** The outcome of one attempt, exactly one of these. */
    sealed interface Outcome {

        /**
         * The outcome of a message that the service has accepted.
         *
         * @param messageId the service's id of the message; null if it gives none
         */
        record Sent(@Nullable String messageId) implements Outcome {}

        /**
         * The outcome of a message that the service can't accept now; nothing was sent.
         *
         * @param pause the pause that the service asks for; null if it names none
         * @param reason a sentence without text or secret
         * @param wholeChannel whether the pause is one of all messages of the channel, not of those to one recipient
         */
        record Later(@Nullable Duration pause, String reason, boolean wholeChannel) implements Outcome {

            /** An outcome that counts for the messages to one recipient. */
            public Later(@Nullable Duration pause, String reason) {
                this(pause, reason, false);
            }
        }

        /**
         * The outcome of a message that may or may not have been sent, because there was no clear response. Another attempt
         * may send it twice.
         *
         * @param reason a sentence without text or secret
         */
        record Unsure(String reason) implements Outcome {}

        /**
         * The outcome of a message that the service will never accept.
         *
         * @param reason a sentence without text or secret, which says what to configure if that is the reason
         */
        record Refused(String reason) implements Outcome {}
    }

    /** A service's verdict on a channel's credentials, exactly one of these. */
    sealed interface Probe {

        /**
         * The verdict that the credentials are valid.
         *
         * @param account the service's name of their account; null if it gives none
         */
        record Good(@Nullable String account) implements Probe {}

        /**
         * The verdict that the credentials are invalid, or that the service could not be asked.
         *
         * @param reason a sentence without a secret, which says what to check
         */
        record Bad(String reason) implements Probe {}

        /**
         * The absence of a verdict, because the service can't be asked without sending a message.
         *
         * @param reason a sentence
         */
        record Unasked(String reason) implements Probe {}
    }
}

package dev.postern.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A way to a reader: a chat product, or a webhook of the operator's. */
public interface Channel {

    /** Sends one text, within a time of the channel's own. Called from one thread at a time. */
    Outcome send(Message message);

    /**
     * What is to be sent.
     *
     * @param deliveryId the same in each attempt, for a channel that can tell a repeat
     * @param turnId the run's id; null for what a heartbeat had to say
     * @param to null for the channel's own default
     */
    record Message(String deliveryId, @Nullable String turnId, @Nullable String to, String text) {

        /** Nothing of the text, which may be private. */
        @Override
        public String toString() {
            return "Message[" + deliveryId + "]";
        }
    }

    /** What became of one attempt: exactly one of these. */
    sealed interface Outcome {

        /** The channel has taken it. */
        record Sent() implements Outcome {}

        /**
         * Not now.
         *
         * @param pause how long the channel wants to be left alone; null when it didn't say
         * @param reason a sentence without text or secret
         */
        record Later(@Nullable Duration pause, String reason) implements Outcome {}

        /**
         * Never.
         *
         * @param reason a sentence without text or secret, that says what to configure where that is the reason
         */
        record Refused(String reason) implements Outcome {}
    }
}

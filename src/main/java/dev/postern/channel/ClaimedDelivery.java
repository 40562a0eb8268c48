package dev.postern.channel;

import dev.postern.channel.text.MessagePart;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that this node has claimed and sends now.
 *
 * @param attempt number of the claim; after a later claim, this one can't change the delivery any more
 * @param runId null for the reply of a heartbeat, and without an agent
 * @param outcome the run's final state; succeeded without an agent
 * @param agentId null for a delivery without an agent
 * @param to null for the channel's own default
 * @param createdAt time when the delivery was added
 * @param text the whole reply, or the text that a hook delivers
 * @param event type of the event that it reports; null for a text
 * @param trace trace context that the attempts continue; null for none
 * @param failures number of attempts that failed since a part was last sent
 * @param unclear number of those that may have sent a part
 * @param interrupted number of attempts since the last stored result whose node ended
 */
record ClaimedDelivery(
        String id,
        int attempt,
        @Nullable String runId,
        RunState outcome,
        @Nullable String agentId,
        String channel,
        @Nullable String to,
        Instant createdAt,
        String text,
        @Nullable String event,
        @Nullable TraceContext trace,
        int failures,
        int unclear,
        int interrupted) {

    /** A part of the delivery, sent as one message; a {@code sent} one is not sent again. */
    record Part(int number, MessagePart content, boolean sent) {}

    /** Whether it counts as a pending action: the text of a hook without an agent. */
    boolean isPendingAction() {
        return agentId == null && event == null;
    }

    /** The id for a line of the log, with the id of the trace if there is one. */
    String label() {
        return trace == null ? id : id + " (trace " + trace.traceId() + ")";
    }

    /** The message for {@code part}; {@code maybeSent} says whether an earlier attempt may have sent it. */
    Channel.Message message(Part part, int of, boolean maybeSent) {
        return new Channel.Message(
                /* deliveryId= */ id,
                /* turnId= */ runId,
                outcome,
                agentId,
                to,
                createdAt,
                part.number(),
                of,
                part.content().text(),
                maybeSent,
                event);
    }

    /** The failure of the delivery for {@code reason}. */
    DeliveryFailure failure(String reason) {
        return new DeliveryFailure(id, channel, to, runId, agentId, event != null, trace, reason);
    }

    /** The id alone, because the text may be private. */
    @Override
    public String toString() {
        return "ClaimedDelivery[" + id + "]";
    }
}

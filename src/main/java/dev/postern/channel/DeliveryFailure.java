package dev.postern.channel;

import dev.postern.model.Excerpt;
import dev.postern.model.TraceContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that has failed for ever.
 *
 * @param to null for the channel's own default
 * @param runId null for the reply of a heartbeat, and without an agent
 * @param agentId null for a delivery without an agent
 * @param isEvent whether it reports an event to a channel
 * @param trace the trace context of the delivery; null for none
 */
record DeliveryFailure(
        String id,
        String channel,
        @Nullable String to,
        @Nullable String runId,
        @Nullable String agentId,
        boolean isEvent,
        @Nullable TraceContext trace,
        String reason) {

    /** Limit of a recipient's text in an event, in characters. */
    private static final int MAX_TO = 100;

    /** Whether it was a pending action: the text of a hook without an agent. */
    boolean isPendingAction() {
        return agentId == null && !isEvent;
    }

    /** The id for a line of the log, as {@link ClaimedDelivery#label}. */
    String label() {
        return trace == null ? id : id + " (trace " + trace.traceId() + ")";
    }

    /** The text of the event that tells the agent's main session of it. */
    String text() {
        String whom = to == null ? "" : " (" + Excerpt.of(to, MAX_TO) + ")";
        return "Delivery to " + channel + whom + " failed: " + reason;
    }

    /** The data of the report to the channels that subscribe to failures. */
    Map<String, @Nullable Object> data() {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("deliveryId", id);
        data.put("channel", channel);
        data.put("to", to);
        data.put("runId", runId);
        data.put("agentId", agentId);
        data.put("reason", reason);
        return data;
    }
}

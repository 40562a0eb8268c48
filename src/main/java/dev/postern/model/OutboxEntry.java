package dev.postern.model;

import org.jspecify.annotations.Nullable;

/** An entry that acceptance gives to the outbox: a delivery without an agent, or the text of one that was collecting. */
public sealed interface OutboxEntry {

    /** The id of the delivery. */
    String deliveryId();

    /**
     * An accepted delivery.
     *
     * @param hook the path of its hook below the hook prefix
     * @param requestId the id of the request that it comes from; null where there is none
     * @param sender the id of the sender whose own token admitted the request; null for any other credential
     * @param limitedMapping the id of the mapping that took the request, if that limits its pending actions; else null
     * @param isCollecting whether it waits for further requests, until {@link Collected}
     * @param trace the trace context that it continues; null for none
     * @param at when it was accepted, in epoch milliseconds
     */
    record Accepted(
            String deliveryId,
            String text,
            Recipient recipient,
            String hook,
            @Nullable String requestId,
            @Nullable String sender,
            @Nullable String limitedMapping,
            boolean isCollecting,
            @Nullable TraceContext trace,
            long at)
            implements OutboxEntry {}

    /**
     * The end of the wait of a delivery for further requests.
     *
     * @param text the texts of its requests; null if there was only one
     * @param items the number of its requests; null if there was only one
     * @param at when the wait ended, in epoch milliseconds
     */
    record Collected(String deliveryId, @Nullable String text, @Nullable Integer items, long at)
            implements OutboxEntry {}
}

package dev.postern.channel;

import dev.postern.model.DeliveryState;

/** What became of an operator's wish about a delivery: exactly one of these. Nothing was changed but by the first. */
public sealed interface Handled {

    /** It is as the operator wants it: due now, or given up. */
    record Done() implements Handled {}

    /** There is no such delivery, or no more. */
    record Unknown() implements Handled {}

    /** A node is sending it at this moment, or something else to the same recipient; the end of that is to be waited for. */
    record BeingSent() implements Handled {}

    /** It has ended in a state in which there is nothing to be done about it. */
    record Ended(DeliveryState state) implements Handled {}

    /**
     * It can't be sent as things are.
     *
     * @param reason a sentence that says what to configure, or how the channel wants its recipients
     */
    record Unfit(String reason) implements Handled {}
}

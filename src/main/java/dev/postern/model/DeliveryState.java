package dev.postern.model;

import java.util.Locale;

/** The state of a reply's delivery: nothing to send, pending, delivered, suppressed as an acknowledgement, or failed. */
public enum DeliveryState {
    NONE,
    PENDING,
    DELIVERED,
    SUPPRESSED,
    FAILED;

    /** The value as responses and the database spell it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state spelled {@code wire}. */
    public static DeliveryState of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}

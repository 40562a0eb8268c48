package dev.postern.model;

import java.util.Locale;

/** What became of a reply: nothing to send, on its way, there, held back as an acknowledgement, or given up. */
public enum DeliveryState {
    NONE,
    PENDING,
    DELIVERED,
    SUPPRESSED,
    FAILED;

    /** The value as answers and the database spell it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state spelled {@code wire}. */
    public static DeliveryState of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}

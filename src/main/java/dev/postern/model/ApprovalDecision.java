package dev.postern.model;

import java.util.Locale;

/** A decision about a tool call that needs an operator's approval. */
public enum ApprovalDecision {
    /** An operator has allowed the call. */
    APPROVED,
    /** An operator has refused the call. */
    REFUSED,
    /** Nobody has decided in time. */
    EXPIRED,
    /** The run has ended before anybody has decided. */
    WITHDRAWN;

    /** The value as responses and the database spell it, such as {@code approved}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The decision spelled {@code wire}. */
    public static ApprovalDecision of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}

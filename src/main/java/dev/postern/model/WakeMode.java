package dev.postern.model;

import java.util.Optional;

/** The time at which the main session handles a new event: {@code now} or {@code next-heartbeat} on the wire. */
public enum WakeMode {
    NOW("now"),
    NEXT_HEARTBEAT("next-heartbeat");

    private final String wire;

    WakeMode(String wire) {
        this.wire = wire;
    }

    /** The value as requests and responses spell it. */
    public String wire() {
        return wire;
    }

    /** The mode spelled exactly {@code wire}; empty if there is none. */
    public static Optional<WakeMode> of(String wire) {
        for (WakeMode mode : values()) {
            if (mode.wire.equals(wire)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}

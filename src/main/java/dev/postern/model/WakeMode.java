package dev.postern.model;

import java.util.Optional;

/** When the main session looks at a new event: {@code now} or {@code next-heartbeat} on the wire. */
public enum WakeMode {
    NOW("now"),
    NEXT_HEARTBEAT("next-heartbeat");

    private final String wire;

    WakeMode(String wire) {
        this.wire = wire;
    }

    /** The value as requests and answers spell it. */
    public String wire() {
        return wire;
    }

    /** The mode spelled exactly {@code wire}, or empty when there is none. */
    public static Optional<WakeMode> of(String wire) {
        for (WakeMode mode : values()) {
            if (mode.wire.equals(wire)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}

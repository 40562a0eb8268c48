package dev.postern.model;

import java.util.Locale;

/**
 * The states of a run and the arrows between them:
 *
 * <pre>
 * queued ──► running ──► succeeded | failed | timed_out | cancelled
 *    ▲          │
 *    └──────────┘  interrupted: run again while attempts are left
 * queued ──► cancelled
 * </pre>
 */
public enum RunState {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    TIMED_OUT,
    CANCELLED;

    /** The value as answers and the database spell it, such as {@code timed_out}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state spelled {@code wire}. */
    public static RunState of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }

    /** True where no arrow leads on. */
    public boolean ended() {
        return this != QUEUED && this != RUNNING;
    }
}

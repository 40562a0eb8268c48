package dev.postern.model;

import java.util.Locale;

/**
 * The state of a run, with these transitions:
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

    /** The value as responses and the database spell it, such as {@code timed_out}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state spelled {@code wire}. */
    public static RunState of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }

    /** Whether the run has ended, so that no transition is left. */
    public boolean ended() {
        return this != QUEUED && this != RUNNING;
    }
}

package dev.postern.statistics;

import dev.postern.model.NothingReason;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RunState;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A kind of response to a request, or of the end of a run, that is counted. */
public enum CountKind {
    /** The request led to actions. */
    ACCEPTED,
    /** The request repeated another and led to nothing new. */
    REPEATED,
    /** There was nothing to do. */
    NOTHING,
    /** The response is an error of the sender's, with a status from 400 to 499. */
    REFUSED,
    /** The response is an error of Postern's, with a status of 500 or more. */
    FAILED,
    /** The request was not admitted. Its number stays in memory, since strangers cause no writes. */
    UNADMITTED,
    RUN_SUCCEEDED,
    RUN_FAILED,
    RUN_TIMED_OUT,
    RUN_CANCELLED;

    private static final Set<CountKind> ADMITTED = EnumSet.of(ACCEPTED, REPEATED, NOTHING, REFUSED, FAILED);
    private static final int SENDERS_ERROR = 400;
    private static final int POSTERNS_ERROR = 500;

    /** The kind of the response in {@code entry}. */
    static CountKind of(RequestLogEntry entry) {
        if (entry.status() >= POSTERNS_ERROR) {
            return FAILED;
        }
        if (entry.status() >= SENDERS_ERROR) {
            return REFUSED;
        }
        if (NothingReason.isReason(entry.code())) {
            return NOTHING;
        }
        return entry.code().equals("repeated") ? REPEATED : ACCEPTED;
    }

    /** The kind of a run's end in {@code state}; empty for a run that has not ended. */
    public static Optional<CountKind> of(RunState state) {
        return switch (state) {
            case QUEUED, RUNNING -> Optional.empty();
            case SUCCEEDED -> Optional.of(RUN_SUCCEEDED);
            case FAILED -> Optional.of(RUN_FAILED);
            case TIMED_OUT -> Optional.of(RUN_TIMED_OUT);
            case CANCELLED -> Optional.of(RUN_CANCELLED);
        };
    }

    /** Whether it is a kind of response to admitted requests. */
    boolean isAdmitted() {
        return ADMITTED.contains(this);
    }

    /** Whether the database has its numbers. */
    boolean isStored() {
        return this != UNADMITTED;
    }

    /** The value as the database spells it. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static CountKind of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}

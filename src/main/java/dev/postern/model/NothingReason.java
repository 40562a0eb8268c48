package dev.postern.model;

import java.util.Arrays;

/** A reason why a request leads to nothing. */
public enum NothingReason {
    /** The mapping found nothing to do. */
    MAPPING("nothing"),
    /** The channel's own account caused the event, so that the agent would answer itself. */
    OWN_ACCOUNT("own_account"),
    /** The event carries the mark of a delivery of this Postern, or of one that can't be told from its own. */
    OWN_DELIVERY("own_delivery"),
    /** The event carries the mark of another Postern's delivery; the two would answer each other. */
    OTHER_POSTERN("other_postern");

    private final String wire;

    NothingReason(String wire) {
        this.wire = wire;
    }

    /** Whether {@code code}, from the request log, is the word for a reason. */
    public static boolean isReason(String code) {
        return Arrays.stream(values()).anyMatch(reason -> reason.wire.equals(code));
    }

    /** The word for the reason in the request log and in metrics. */
    public String wire() {
        return wire;
    }
}

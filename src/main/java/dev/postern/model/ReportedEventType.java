package dev.postern.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A type of event that channels of kind webhook may subscribe to. */
public enum ReportedEventType {
    /** A run has ended with a reply. */
    RUN_SUCCEEDED,
    /** A run has ended without a reply. */
    RUN_FAILED,
    /** A run waits because a budget has no room for it. */
    RUN_HELD,
    /** A delivery will not be tried again. */
    DELIVERY_FAILED,
    /** Most of a budget is used. */
    BUDGET_WARNED,
    /** A mapping could make nothing of a request. */
    MAPPING_FAILED,
    /** A provider of models does not respond. */
    PROVIDER_DOWN;

    /** The value as settings, events and the database spell it, such as {@code run.failed}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** The values of all types, in the order in which they are shown. */
    public static List<String> names() {
        return Arrays.stream(values()).map(ReportedEventType::wire).toList();
    }
}

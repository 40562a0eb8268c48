package dev.postern.acceptance;

import dev.postern.model.IdGenerator;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for the runs to show. A null value does not filter.
 *
 * @param states the states that a run may have; empty for all
 * @param endedAfter the time after which a run has to have ended
 * @param session the session key; of all agents, unless {@code agent} is given too
 * @param model the configured provider and its model
 * @param sender the id of the sender whose request it came from
 * @param error a text that the run's error contains, in any case
 * @param since the earliest acceptance
 * @param until the end of the time of acceptance, exclusive
 * @param order the order of the runs
 * @param after only runs that come after this one in that order; has no effect on the longest
 */
public record RunFilter(
        Set<RunState> states,
        @Nullable Instant endedAfter,
        @Nullable String hook,
        @Nullable String agent,
        @Nullable String session,
        @Nullable String model,
        @Nullable String sender,
        @Nullable String error,
        @Nullable Instant since,
        @Nullable Instant until,
        Order order,
        @Nullable RunId after) {

    private static final String PREFIX = "run";

    /** An upper bound of all ids. */
    private static final String LAST = PREFIX + "_" + "z".repeat(27);

    /** The condition of the index run_hook. */
    static final String OF_HOOK = " AND hook = ?";

    /** The condition of the index run_session, with a question mark for each key that {@link RunQueries} finds. */
    static final String OF_SESSION = " AND session_key IN (%s)";

    /** The condition of the index run_failed. */
    static final String FAILED = " AND state IN ('failed', 'timed_out')";

    /** A filter that every run passes, the latest first. */
    public static final RunFilter NONE = new RunFilter(
            /* states= */ Set.of(),
            /* endedAfter= */ null,
            /* hook= */ null,
            /* agent= */ null,
            /* session= */ null,
            /* model= */ null,
            /* sender= */ null,
            /* error= */ null,
            /* since= */ null,
            /* until= */ null,
            /* order= */ Order.NEWEST,
            /* after= */ null);

    private static final Set<RunState> FAILURES = EnumSet.of(RunState.FAILED, RunState.TIMED_OUT);

    /** The lowest id that passes. */
    String lowest() {
        String lowest = IdGenerator.lowest(PREFIX, since == null ? Instant.EPOCH : since);
        String next = after == null || order != Order.OLDEST ? lowest : after.value() + "0";
        return next.compareTo(lowest) < 0 ? lowest : next;
    }

    /** The id below which all that pass are. */
    String end() {
        String end = until == null ? LAST : IdGenerator.lowest(PREFIX, until);
        String before = after == null || order != Order.NEWEST ? end : after.value();
        return before.compareTo(end) < 0 ? before : end;
    }

    /**
     * The condition of the rows among which the query looks.
     *
     * @param sessionKeys the number of the session's keys
     */
    String rows(int sessionKeys) {
        boolean failuresOnly = !states.isEmpty() && FAILURES.containsAll(states);
        return (hook == null ? "" : OF_HOOK)
                + (session == null
                        ? ""
                        : OF_SESSION.formatted(String.join(", ", Collections.nCopies(sessionKeys, "?"))))
                + (failuresOnly ? FAILED : "")
                + (order == Order.LONGEST ? " AND started_at IS NOT NULL AND finished_at IS NOT NULL" : "");
    }

    /** Whether the query has to look through more rows than it shows. */
    boolean isNarrow() {
        return order == Order.LONGEST
                || !states.isEmpty()
                || endedAfter != null
                || agent != null
                || model != null
                || sender != null
                || error != null;
    }

    /** An order of runs. */
    public enum Order {
        /** The latest first. */
        NEWEST("DESC", "id DESC"),
        /** The earliest first. */
        OLDEST("ASC", "id"),
        /** Those first whose last turn took the longest, among the latest {@link RunQueries#WINDOW} that have ended. */
        LONGEST("DESC", "finished_at - started_at DESC, id DESC");

        final String direction;
        final String columns;

        Order(String direction, String columns) {
            this.direction = direction;
            this.columns = columns;
        }

        /** The value as query parameters spell it. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

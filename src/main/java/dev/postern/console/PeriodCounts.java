package dev.postern.console;

import dev.postern.statistics.CountKind;
import dev.postern.statistics.CountQueries.PeriodTally;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a period as the overview shows them.
 *
 * @param at the start of the period
 * @param requests the number of requests by their response
 * @param runs the number of runs that ended, by their state
 * @param p50Micros the estimated time in which half of the admitted requests had a result; null without requests
 * @param p95Micros likewise, for 95 of 100 requests
 */
record PeriodCounts(Instant at, Requests requests, Runs runs, @Nullable Long p50Micros, @Nullable Long p95Micros) {

    /**
     * The number of requests by their response.
     *
     * @param unadmitted those to this node alone, since its start
     */
    record Requests(long accepted, long repeated, long nothing, long refused, long failed, long unadmitted) {}

    /** The number of runs that ended, by their state. */
    record Runs(long succeeded, long failed, long timedOut, long cancelled) {}

    static PeriodCounts of(PeriodTally tally) {
        return new PeriodCounts(
                tally.start(),
                new Requests(
                        tally.count(CountKind.ACCEPTED),
                        tally.count(CountKind.REPEATED),
                        tally.count(CountKind.NOTHING),
                        tally.count(CountKind.REFUSED),
                        tally.count(CountKind.FAILED),
                        tally.count(CountKind.UNADMITTED)),
                new Runs(
                        tally.count(CountKind.RUN_SUCCEEDED),
                        tally.count(CountKind.RUN_FAILED),
                        tally.count(CountKind.RUN_TIMED_OUT),
                        tally.count(CountKind.RUN_CANCELLED)),
                tally.p50Micros(),
                tally.p95Micros());
    }
}

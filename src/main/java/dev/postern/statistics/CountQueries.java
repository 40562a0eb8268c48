package dev.postern.statistics;

import dev.postern.statistics.CountTable.HookPath;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the counts of all processes, for the operator. */
public final class CountQueries {

    private static final double P50 = 0.5;
    private static final double P95 = 0.95;

    private final CountRecorder recorder;

    /** Queries for the counts in the database, and for those that {@code recorder} has not written yet. */
    public CountQueries(CountRecorder recorder) {
        this.recorder = recorder;
    }

    /**
     * The counts of one period.
     *
     * @param start the start of the period
     * @param counts the number of each kind that is not zero
     * @param p50Micros the estimated time in which half of the requests had a result, in microseconds; null without requests
     * @param p95Micros likewise, for 95 of 100 requests
     */
    public record PeriodTally(
            Instant start, Map<CountKind, Long> counts, @Nullable Long p50Micros, @Nullable Long p95Micros) {

        public PeriodTally {
            counts = Map.copyOf(counts);
        }

        /** The number of {@code kind}. */
        public long count(CountKind kind) {
            return counts.getOrDefault(kind, 0L);
        }
    }

    /** The counts of each period of {@code range}, the earliest first, the current one last. */
    public List<PeriodTally> periods(CountRange range) throws StoreException {
        CountPeriod period = range.period();
        long last = period.start(recorder.clockTime().toEpochMilli());
        long first = last - (range.periods() - 1) * period.stepMillis();
        Map<Long, Sum> sums = new TreeMap<>();
        for (long start = first; start <= last; start += period.stepMillis()) {
            sums.put(start, new Sum());
        }
        for (PeriodCount count : recorder.readSums(period, first)) {
            sums.computeIfAbsent(count.start(), start -> new Sum()).add(count);
        }
        List<PeriodTally> tallies = new ArrayList<>();
        sums.forEach((start, sum) -> tallies.add(new PeriodTally(
                Instant.ofEpochMilli(start),
                sum.counts,
                sum.durations.percentile(P50),
                sum.durations.percentile(P95))));
        return tallies;
    }

    /**
     * The counts of the requests for one hook that one mapping took, or none.
     *
     * @param hook the path below the hook prefix; empty for one that is not configured
     * @param mapping the id of the mapping; empty if none took them, or none was needed
     * @param lastHour the number of requests of the last hour
     * @param lastDay the number of requests of the last day
     * @param refused the number of those that the sender has to change
     * @param failed the number of those that failed in Postern
     * @param durations of the last day's requests
     * @param latest the arrival of the latest in the last seven days
     */
    public record HookTally(
            String hook,
            String mapping,
            long lastHour,
            long lastDay,
            long refused,
            long failed,
            DurationHistogram durations,
            Instant latest) {

        /** The time in which 95 of 100 requests of {@code tallies} have a result, in microseconds; null without requests. */
        public static @Nullable Long p95Micros(Collection<HookTally> tallies) {
            DurationHistogram all = new DurationHistogram();
            tallies.forEach(tally -> all.add(tally.durations()));
            return all.percentile(P95);
        }
    }

    /** The counts of each hook that had a request in the last seven days. */
    public List<HookTally> hooks() throws StoreException {
        Map<HookPath, Sum> hours = byHook(CountPeriod.MINUTE, Duration.ofHours(1));
        Map<HookPath, Sum> days = byHook(CountPeriod.QUARTER, Duration.ofDays(1));
        Map<HookPath, Long> latest =
                new HashMap<>(recorder.readLatest(CountPeriod.TWO_HOURS, since(Duration.ofDays(7))));
        days.forEach((key, day) -> latest.merge(key, day.latest, Math::max));
        List<HookTally> tallies = new ArrayList<>();
        latest.forEach((key, last) -> {
            Sum day = days.getOrDefault(key, new Sum());
            tallies.add(new HookTally(
                    key.hook(),
                    key.mapping(),
                    hours.getOrDefault(key, new Sum()).responses,
                    day.responses,
                    day.counts.getOrDefault(CountKind.REFUSED, 0L),
                    day.counts.getOrDefault(CountKind.FAILED, 0L),
                    day.durations,
                    Instant.ofEpochMilli(last)));
        });
        return tallies;
    }

    private long since(Duration age) {
        return recorder.clockTime().minus(age).toEpochMilli();
    }

    /**
     * The counts since a time of {@code age} ago. Those of its first periods are read of the finest length, and those after
     * them of longer ones, of which there are fewer.
     *
     * @param finest the length of the first period
     */
    private Map<HookPath, Sum> byHook(CountPeriod finest, Duration age) throws StoreException {
        Map<HookPath, Sum> sums = new HashMap<>();
        long since = finest.next(since(age));
        for (@Nullable CountPeriod period = finest; period != null; period = period.longer()) {
            @Nullable CountPeriod longer = period.longer();
            long until = longer == null ? Long.MAX_VALUE : longer.next(since);
            for (PeriodCount count : recorder.read(period, since, until)) {
                CountKey key = count.key();
                if (key.kind().isAdmitted()) {
                    sums.computeIfAbsent(new HookPath(key.hook(), key.mapping()), each -> new Sum())
                            .add(count);
                }
            }
            since = until;
        }
        return sums;
    }

    /** The sum of some counts. */
    private static final class Sum {

        private final Map<CountKind, Long> counts = new EnumMap<>(CountKind.class);
        private final DurationHistogram durations = new DurationHistogram();
        private long responses;
        private long latest;

        void add(PeriodCount count) {
            CountKind kind = count.key().kind();
            counts.merge(kind, count.number(), Long::sum);
            durations.add(count.durations());
            responses += kind.isAdmitted() ? count.number() : 0;
            latest = Math.max(latest, count.latest());
        }
    }
}

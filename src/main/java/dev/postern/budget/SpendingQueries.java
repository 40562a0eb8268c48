package dev.postern.budget;

import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The read-only queries for the spending of all processes, for the operator. */
public final class SpendingQueries {

    private static final Comparator<GroupSpending> LARGEST_FIRST = Comparator.comparingLong(
                    (GroupSpending each) -> each.spending().costMillionths() == null
                            ? 0
                            : each.spending().costMillionths())
            .thenComparingLong(each -> each.spending().tokens())
            .thenComparingLong(each -> each.spending().turns())
            .reversed()
            .thenComparing(each -> each.group().name());

    private final Store store;
    private final InstantSource clock;

    public SpendingQueries(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The spending of a group. */
    public record GroupSpending(SpendingGroup group, SpendingAmount spending) {}

    /**
     * The spending of a day.
     *
     * @param start the start of the day in UTC
     * @param groups the groups that spent anything, the most expensive first
     */
    public record DaySpending(Instant start, SpendingAmount spending, List<GroupSpending> groups) {

        public DaySpending {
            groups = List.copyOf(groups);
        }
    }

    /** The spending by {@code dimension} of the last {@code age}, the most expensive group first. */
    public List<GroupSpending> since(SpendingDimension dimension, Duration age) throws StoreException {
        Instant now = clock.instant();
        SpendingPeriod period = SpendingPeriod.forAge(age);
        Instant since = now.minus(age);
        return grouped(dimension, store.read(sql -> SpendingTable.read(sql, period, since)));
    }

    /** The spending by {@code dimension} of each of the last {@code days} days in UTC, today last. */
    public List<DaySpending> days(SpendingDimension dimension, int days) throws StoreException {
        long today = SpendingPeriod.DAY.start(clock.instant());
        long first = today - (days - 1) * SpendingPeriod.DAY.stepMillis();
        Map<Instant, List<SpendingTable.Row>> rows = new TreeMap<>();
        for (long start = first; start <= today; start += SpendingPeriod.DAY.stepMillis()) {
            rows.put(Instant.ofEpochMilli(start), new ArrayList<>());
        }
        Instant since = Instant.ofEpochMilli(first);
        for (SpendingTable.Row row : store.read(sql -> SpendingTable.read(sql, SpendingPeriod.DAY, since))) {
            rows.computeIfAbsent(row.start(), start -> new ArrayList<>()).add(row);
        }
        List<DaySpending> all = new ArrayList<>();
        rows.forEach((start, ofDay) -> all.add(new DaySpending(
                start,
                ofDay.stream().map(SpendingTable.Row::spending).reduce(SpendingAmount.NONE, SpendingAmount::plus),
                grouped(dimension, ofDay))));
        return all;
    }

    /** The sums of {@code days} by group, the most expensive first. */
    public static List<GroupSpending> total(List<DaySpending> days) {
        Map<SpendingGroup, SpendingAmount> sums = new LinkedHashMap<>();
        days.forEach(
                day -> day.groups().forEach(each -> sums.merge(each.group(), each.spending(), SpendingAmount::plus)));
        return sorted(sums);
    }

    private static List<GroupSpending> grouped(SpendingDimension dimension, List<SpendingTable.Row> rows) {
        Map<SpendingGroup, SpendingAmount> sums = new LinkedHashMap<>();
        rows.forEach(row -> sums.merge(dimension.group(row.key()), row.spending(), SpendingAmount::plus));
        return sorted(sums);
    }

    private static List<GroupSpending> sorted(Map<SpendingGroup, SpendingAmount> sums) {
        return sums.entrySet().stream()
                .map(entry -> new GroupSpending(entry.getKey(), entry.getValue()))
                .sorted(LARGEST_FIRST)
                .toList();
    }
}

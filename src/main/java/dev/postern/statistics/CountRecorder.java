package dev.postern.statistics;

import dev.postern.model.RequestLogEntry;
import dev.postern.store.ExpiredRows;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A recorder of the counts of this process. It counts in memory, behind the responses, and {@link #write} puts the counts into
 * the database every few seconds. While the database is away it keeps what is not written. A process that dies loses what it
 * has counted since the last write; the request log itself loses nothing. Safe for use by many threads.
 */
public final class CountRecorder implements Consumer<RequestLogEntry>, AutoCloseable {

    private static final Logger LOG = System.getLogger(CountRecorder.class.getName());

    private final Store store;
    private final String writer;
    private final Set<String> hooks;
    private final InstantSource clock;
    private final Map<CountPeriod, NavigableMap<Long, Map<CountKey, Cell>>> counts = new EnumMap<>(CountPeriod.class);
    private final AtomicBoolean isWriting = new AtomicBoolean();
    private final Map<CountKind, Long> watched = new EnumMap<>(CountKind.class);
    private Supplier<Map<CountKind, Long>> totals = Map::of;
    private long latest;

    /**
     * Creates a recorder that has counted nothing.
     *
     * @param writer a name for the rows of this process, which no other has or had
     * @param hooks the paths below the hook prefix that are counted each; all others are counted together
     */
    public CountRecorder(Store store, String writer, Set<String> hooks, InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.hooks = Set.copyOf(hooks);
        this.clock = clock;
        for (CountPeriod period : CountPeriod.values()) {
            counts.put(period, new TreeMap<>());
        }
    }

    /** The counts that no page shows any more, of all processes. */
    public static ExpiredRows expired() {
        return CountTable.expired();
    }

    /** Counts from now on by how much {@code totals}, which never fall, have grown since the last look at them. */
    public synchronized void watch(Supplier<Map<CountKind, Long>> totals) {
        this.totals = totals;
    }

    /** Counts the response in {@code entry} now, in the periods of this moment. Returns at once. */
    @Override
    public void accept(RequestLogEntry entry) {
        String hook = hooks.contains(entry.hook()) ? entry.hook() : "";
        CountKey key = new CountKey(CountKind.of(entry), hook, entry.mapping());
        synchronized (this) {
            long now = now();
            for (CountPeriod period : CountPeriod.values()) {
                Cell cell = cell(period, now, key);
                cell.add(1, now);
                cell.durations.add(entry.micros());
            }
        }
    }

    /** Writes what is not written yet, without waiting; does nothing while the last write has not ended. */
    public void write() {
        if (isWriting.compareAndSet(false, true)) {
            Map<CountPeriod, List<PeriodCount>> unwritten = unwritten();
            if (unwritten.isEmpty()) {
                isWriting.set(false);
                return;
            }
            var unused = store.write(sql -> write(sql, unwritten)).whenComplete((done, failure) -> {
                if (failure == null) {
                    written(unwritten);
                } else {
                    LOG.log(Level.DEBUG, "Could not write the counts yet: {0}", failure.getMessage());
                }
                isWriting.set(false);
            });
        }
    }

    /** Writes what is not written yet, and waits for it. */
    @Override
    public void close() {
        Map<CountPeriod, List<PeriodCount>> unwritten = unwritten();
        if (!unwritten.isEmpty()) {
            try {
                store.writeAndWait(sql -> write(sql, unwritten));
                written(unwritten);
            } catch (StoreException e) {
                LOG.log(Level.WARNING, "Could not write the counts of the last seconds: {0}", e.getMessage());
            }
        }
    }

    private boolean write(SqlTransaction sql, Map<CountPeriod, List<PeriodCount>> counts) throws SQLException {
        for (Map.Entry<CountPeriod, List<PeriodCount>> each : counts.entrySet()) {
            CountTable.write(sql, writer, each.getKey(), each.getValue());
        }
        return true;
    }

    /**
     * The counts of all processes in the periods that begin from {@code since} to {@code until}, exclusive; those of this one
     * up to now.
     */
    List<PeriodCount> read(CountPeriod period, long since, long until) throws StoreException {
        Map<Long, Map<CountKey, PeriodCount>> own = own(period);
        List<CountTable.Row> rows = store.read(sql -> CountTable.read(sql, period, since, until, null));
        List<PeriodCount> all = merged(rows, own);
        own.forEach((start, ofPeriod) -> {
            if (start >= since && start < until) {
                all.addAll(ofPeriod.values());
            }
        });
        return all;
    }

    /** As {@link #read} up to now; the counts of ended periods are those of all hooks together. */
    List<PeriodCount> readSums(CountPeriod period, long since) throws StoreException {
        Map<Long, Map<CountKey, PeriodCount>> own = own(period);
        long from = own.keySet().stream().min(Comparator.naturalOrder()).orElse(Long.MAX_VALUE);
        List<PeriodCount> all = new ArrayList<>(store.read(sql -> {
            List<PeriodCount> sums = new ArrayList<>(CountTable.sums(sql, period, since, writer, from));
            sums.addAll(merged(CountTable.read(sql, period, Math.max(since, from), Long.MAX_VALUE, writer), own));
            return sums;
        }));
        own.forEach((start, ofPeriod) -> {
            if (start >= since) {
                all.addAll(ofPeriod.values());
            }
        });
        return all;
    }

    /** The counts of {@code rows} without those of this process that {@code own} has up to now. */
    private List<PeriodCount> merged(List<CountTable.Row> rows, Map<Long, Map<CountKey, PeriodCount>> own) {
        List<PeriodCount> counts = new ArrayList<>();
        for (CountTable.Row row : rows) {
            PeriodCount count = row.count();
            boolean isCounting = row.writer().equals(writer)
                    && own.getOrDefault(count.start(), Map.of()).containsKey(count.key());
            if (!isCounting) {
                counts.add(count);
            }
        }
        return counts;
    }

    /** The latest admitted request that is written, for each hook with its mapping. */
    Map<CountTable.HookPath, Long> readLatest(CountPeriod period, long since) throws StoreException {
        return store.read(sql -> CountTable.latest(sql, period, since));
    }

    Instant clockTime() {
        return clock.instant();
    }

    private synchronized Map<Long, Map<CountKey, PeriodCount>> own(CountPeriod period) {
        look();
        Map<Long, Map<CountKey, PeriodCount>> own = new HashMap<>();
        cells(period).forEach((start, ofPeriod) -> {
            Map<CountKey, PeriodCount> copies = new HashMap<>();
            ofPeriod.forEach((key, cell) -> copies.put(key, cell.copy(start, key)));
            own.put(start, copies);
        });
        return own;
    }

    private synchronized Map<CountPeriod, List<PeriodCount>> unwritten() {
        look();
        long now = now();
        Map<CountPeriod, List<PeriodCount>> unwritten = new EnumMap<>(CountPeriod.class);
        counts.forEach((period, cells) -> {
            cells.headMap(period.earliest(Instant.ofEpochMilli(now))).clear();
            cells.forEach((start, ofPeriod) -> ofPeriod.forEach((key, cell) -> {
                if (key.kind().isStored() && cell.number != cell.written) {
                    unwritten.computeIfAbsent(period, each -> new ArrayList<>()).add(cell.copy(start, key));
                }
            }));
        });
        return unwritten;
    }

    /** Notes that {@code written} is in the database, and forgets the counts of ended periods that are there whole. */
    private synchronized void written(Map<CountPeriod, List<PeriodCount>> written) {
        written.forEach((period, all) -> all.forEach(count -> {
            Cell cell = cells(period).getOrDefault(count.start(), Map.of()).get(count.key());
            if (cell != null) {
                cell.written = count.number();
            }
        }));
        long now = now();
        counts.forEach(
                (period, cells) -> cells.headMap(period.start(now)).values().removeIf(ofPeriod -> {
                    ofPeriod.values().removeIf(cell -> cell.number == cell.written);
                    return ofPeriod.isEmpty();
                }));
    }

    private void look() {
        totals.get().forEach((kind, total) -> {
            long more = total - Objects.requireNonNullElse(watched.put(kind, total), 0L);
            if (more > 0) {
                long now = now();
                for (CountPeriod period : CountPeriod.values()) {
                    cell(period, now, new CountKey(kind, "", "")).add(more, now);
                }
            }
        });
    }

    /** The time, which never goes back, so that nothing is added to a period that was forgotten. */
    private long now() {
        latest = Math.max(latest, clock.millis());
        return latest;
    }

    private Cell cell(CountPeriod period, long now, CountKey key) {
        return cells(period)
                .computeIfAbsent(period.start(now), start -> new HashMap<>())
                .computeIfAbsent(key, each -> new Cell());
    }

    private NavigableMap<Long, Map<CountKey, Cell>> cells(CountPeriod period) {
        return Objects.requireNonNull(counts.get(period));
    }

    /** The count of one key in one period. */
    private static final class Cell {

        private final DurationHistogram durations = new DurationHistogram();
        private long number;
        private long written;
        private long latest;

        void add(long more, long now) {
            number += more;
            latest = now;
        }

        PeriodCount copy(long start, CountKey key) {
            DurationHistogram copy = new DurationHistogram();
            copy.add(durations);
            return new PeriodCount(start, key, number, latest, copy);
        }
    }
}

package dev.postern.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.model.RequestLogEntry;
import dev.postern.statistics.CountQueries.HookTally;
import dev.postern.statistics.CountQueries.PeriodTally;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the counts, on every database. */
abstract class CountRecorderContract {

    private static final Set<String> HOOKS = Set.of("wake", "github");

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private Store store;
    private CountRecorder recorder;

    abstract TestDatabases.Opener database(Path home);

    /** A statement after which the table takes no rows. */
    abstract String refusal();

    /** A statement after which it takes them again. */
    abstract String endOfRefusal();

    @BeforeEach
    void open() throws Exception {
        store = database(home).open(clock);
        recorder = recorder("cnt_1");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        recorder.accept(entry("wake", 200, "accepted"));
        store.close();

        recorder.write();
        recorder.close();

        assertThatThrownBy(() -> new CountQueries(recorder).periods(CountRange.HOUR))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void keepsCountsThatTheDatabaseDoesNotTake() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));
        write();
        execute(refusal());
        recorder.accept(entry("wake", 200, "accepted"));
        recorder.write();
        clock.advance(Duration.ofMinutes(1));
        recorder.accept(entry("wake", 200, "accepted"));
        recorder.close();

        execute(endOfRefusal());
        recorder.close();

        assertThat(last(afterRestart(), CountRange.HOUR, CountKind.ACCEPTED)).containsExactly(2L, 1L);
    }

    @Test
    void losesAtMostWhatWasNotWrittenBeforeAnAbruptEnd() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));
        write();
        recorder.accept(entry("wake", 200, "accepted"));

        assertThat(total(afterRestart(), CountRange.WEEK, CountKind.ACCEPTED)).isEqualTo(1);
        assertThat(total(recorder, CountRange.WEEK, CountKind.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void writesBehindTheCaller() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));

        recorder.write();

        CountRecorder next = afterRestart();
        Awaitility.await().until(() -> total(next, CountRange.WEEK, CountKind.ACCEPTED) == 1);
    }

    @Test
    void countsOnAfterTheClockWentBack() throws Exception {
        clock.advance(Duration.ofHours(3));
        recorder.accept(entry("wake", 200, "accepted"));
        write();
        clock.advance(Duration.ofMinutes(-5));
        recorder.accept(entry("wake", 200, "accepted"));
        write();
        clock.advance(Duration.ofMinutes(5));

        assertThat(total(afterRestart(), CountRange.HOUR, CountKind.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void addsTheCountsOfAllProcesses() throws Exception {
        CountRecorder other = recorder("cnt_2");
        recorder.accept(entry("wake", 200, "accepted"));
        other.accept(entry("wake", 200, "accepted"));
        other.accept(entry("wake", 400, "invalid_json"));
        other.close();

        for (CountRange range : CountRange.values()) {
            assertThat(total(recorder, range, CountKind.ACCEPTED)).isEqualTo(2);
            assertThat(total(recorder, range, CountKind.REFUSED)).isEqualTo(1);
        }
        recorder.close();
        assertThat(total(other, CountRange.DAY, CountKind.ACCEPTED)).isEqualTo(2);
    }

    @Test
    void countsEachKindOfResponse() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));
        recorder.accept(entry("wake", 200, "repeated"));
        recorder.accept(entry("wake", 204, "nothing"));
        recorder.accept(entry("linear", 200, "own_delivery"));
        recorder.accept(entry("wake", 422, "idempotency_conflict"));
        recorder.accept(entry("wake", 500, "internal"));
        recorder.close();

        PeriodTally now = latest(afterRestart(), CountRange.QUARTER_HOUR);

        assertThat(now.counts())
                .containsOnly(
                        Map.entry(CountKind.ACCEPTED, 1L),
                        Map.entry(CountKind.REPEATED, 1L),
                        Map.entry(CountKind.NOTHING, 2L),
                        Map.entry(CountKind.REFUSED, 1L),
                        Map.entry(CountKind.FAILED, 1L));
        assertThat(now.p95Micros()).isBetween(910L, 1_090L);
    }

    @Test
    void countsTheRunsThatEndedSinceItsStart() throws Exception {
        Map<CountKind, Long> ended = new EnumMap<>(CountKind.class);
        recorder.watch(() -> ended);
        ended.put(CountKind.RUN_SUCCEEDED, 3L);
        ended.put(CountKind.RUN_TIMED_OUT, 1L);
        write();
        ended.put(CountKind.RUN_SUCCEEDED, 5L);
        recorder.close();

        assertThat(latest(afterRestart(), CountRange.HOUR).counts())
                .containsOnly(Map.entry(CountKind.RUN_SUCCEEDED, 5L), Map.entry(CountKind.RUN_TIMED_OUT, 1L));
    }

    @Test
    void keepsTheNumberOfStrangersInMemory() throws Exception {
        Map<CountKind, Long> totals = new EnumMap<>(CountKind.class);
        recorder.watch(() -> totals);
        totals.put(CountKind.UNADMITTED, 7L);
        write();
        clock.advance(Duration.ofHours(2));
        totals.put(CountKind.UNADMITTED, 9L);
        recorder.accept(entry("wake", 200, "accepted"));
        write();

        assertThat(last(recorder, CountRange.WEEK, CountKind.UNADMITTED)).containsExactly(7L, 2L);
        assertThat(total(afterRestart(), CountRange.WEEK, CountKind.UNADMITTED)).isZero();

        clock.advance(Duration.ofDays(9));
        write();
        clock.advance(Duration.ofDays(-9));
        assertThat(total(recorder, CountRange.WEEK, CountKind.UNADMITTED)).isZero();
    }

    @Test
    void showsEachPeriodOfARangeWithItsCounts() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));
        clock.advance(Duration.ofHours(2));
        recorder.accept(entry("wake", 200, "accepted"));
        recorder.accept(entry("wake", 200, "accepted"));
        write();

        assertThat(last(recorder, CountRange.QUARTER_HOUR, CountKind.ACCEPTED)).containsExactly(0L, 2L);
        assertThat(last(recorder, CountRange.WEEK, CountKind.ACCEPTED)).containsExactly(1L, 2L);
        assertThat(new CountQueries(recorder).periods(CountRange.DAY))
                .hasSize(96)
                .extracting(PeriodTally::start)
                .first()
                .isEqualTo(Instant.parse("2026-11-19T14:15:00Z"));
        assertThat(latest(recorder, CountRange.DAY).start()).isEqualTo(Instant.parse("2026-11-20T14:00:00Z"));
    }

    @Test
    void countsHooksThatAreNotConfiguredTogether() throws Exception {
        recorder.accept(entry("github", 200, "accepted"));
        for (int i = 0; i < 100; i++) {
            recorder.accept(entry("stranger" + i, 404, "not_found"));
        }
        clock.advance(Duration.ofHours(2));
        recorder.accept(entry("github", 500, "internal"));

        List<HookTally> hooks = new CountQueries(recorder).hooks();

        assertThat(hooks)
                .extracting(HookTally::hook, HookTally::lastHour, HookTally::lastDay, HookTally::refused)
                .containsExactlyInAnyOrder(tuple("github", 1L, 2L, 0L), tuple("", 0L, 100L, 100L));
        assertThat(hooks)
                .filteredOn(hook -> hook.hook().equals("github"))
                .extracting(HookTally::failed, HookTally::latest)
                .containsExactly(tuple(1L, Instant.parse("2026-11-20T14:00:00Z")));
        assertThat(HookTally.p95Micros(hooks)).isBetween(910L, 1_090L);
    }

    @Test
    void deletesCountsThatNoPageShows() throws Exception {
        recorder.accept(entry("wake", 200, "accepted"));
        write();
        clock.advance(Duration.ofDays(6));
        deleteExpired();
        assertThat(rows()).isEqualTo(1);
        assertThat(total(afterRestart(), CountRange.WEEK, CountKind.ACCEPTED)).isEqualTo(1);

        clock.advance(Duration.ofDays(3));
        deleteExpired();

        assertThat(rows()).isZero();
    }

    private CountRecorder recorder(String writer) {
        return new CountRecorder(store, writer, HOOKS, clock);
    }

    private CountRecorder afterRestart() {
        return recorder("cnt_3");
    }

    private void write() {
        recorder.close();
    }

    private void execute(String statement) throws StoreException {
        store.writeAndWait(sql -> sql.update(statement));
    }

    private void deleteExpired() throws StoreException {
        while (store.writeAndWait(sql -> CountRecorder.expired().deleteBatch(sql, clock.instant(), 500))) {
            assertThat(rows()).isNotNegative();
        }
    }

    private long rows() throws StoreException {
        return store.read(sql -> sql.first("SELECT COUNT(*) AS n FROM period_count", row -> row.number("n"))
                .orElseThrow());
    }

    private static long total(CountRecorder recorder, CountRange range, CountKind kind) throws StoreException {
        return new CountQueries(recorder)
                .periods(range).stream().mapToLong(each -> each.count(kind)).sum();
    }

    private static List<Long> last(CountRecorder recorder, CountRange range, CountKind kind) throws StoreException {
        List<Long> counts = new CountQueries(recorder)
                .periods(range).stream().map(each -> each.count(kind)).toList();
        return counts.subList(counts.size() - 2, counts.size());
    }

    private static PeriodTally latest(CountRecorder recorder, CountRange range) throws StoreException {
        List<PeriodTally> periods = new CountQueries(recorder).periods(range);
        return periods.get(periods.size() - 1);
    }

    private RequestLogEntry entry(String hook, int status, String code) {
        return new RequestLogEntry(
                /* requestId= */ "req_1",
                /* at= */ clock.instant(),
                /* client= */ "127.0.0.1",
                /* credential= */ "bearer",
                /* sender= */ null,
                hook,
                /* mapping= */ "",
                status,
                code,
                /* detail= */ "",
                /* bytes= */ 10,
                /* micros= */ 1_000,
                /* became= */ List.of());
    }
}

package dev.postern.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.RunFilter;
import dev.postern.acceptance.RunFilter.Order;
import dev.postern.acceptance.RunQueries;
import dev.postern.acceptance.Submission;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RunId;
import dev.postern.model.SealedPayload;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.store.ExpiredRows;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the order of ids in a database that sorts as Estonian does, with z between s and t. */
class PostgresIdOrderTest {

    private static final RequestQueries.Filter ALL =
            new RequestQueries.Filter(null, null, null, null, null, null, null, null, null, null);

    /** The digits t and z of an id, whose digits are 32 to a place. */
    private static final int T = 26;

    private static final int Z = 31;

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private final IdGenerator idGenerator = new IdGenerator(clock);
    private final RequestTable requestTable = new RequestTable("node_1", 25, System::nanoTime);
    private Store store;

    @BeforeEach
    void open() throws StoreException {
        store = TestDatabases.sortedPostgres(home, "et").open(clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void earlierPayloadGoesFirstWhereThereIsNoRoom() throws StoreException {
        String earlier = write(T, 10);
        String later = write(Z, 10);

        write(Z, 10);

        assertThat(isKept(earlier)).isFalse();
        assertThat(isKept(later)).isTrue();
    }

    @Test
    void payloadsAndRequestsAreDeletedByTheirAge() throws StoreException {
        String earlier = write(T, 10);
        Instant ofEarlier = clock.instant();
        String later = write(Z, 10);
        Instant ofLater = clock.instant();

        deleteBefore(ofEarlier);
        assertThat(List.of(isKept(earlier), isKept(later))).containsExactly(true, true);
        deleteBefore(ofLater);
        assertThat(List.of(isKept(earlier), isKept(later))).containsExactly(false, true);
        assertThat(latest(null)).containsExactly(later);
    }

    @Test
    void requestsAreListedByTheirTime() throws StoreException {
        String earlier = write(T, 10);
        String later = write(Z, 10);

        assertThat(latest(null)).containsExactly(later, earlier);
        assertThat(latest(later)).containsExactly(earlier);
    }

    @Test
    void runsAreListedByTheirTime() throws StoreException {
        Intake intake = new Intake(
                store,
                clock,
                idGenerator,
                PendingActionCounter.of(store, System::nanoTime),
                PendingLimits.of(10),
                Duration.ofHours(24),
                AcceptanceRule.NONE,
                requestTable,
                (sql, none) -> List.of());
        advanceTo(T);
        RunId earlier = run(intake);
        advanceTo(Z);
        RunId later = run(intake);

        RunFilter since = new RunFilter(
                /* states= */ Set.of(),
                /* endedAfter= */ null,
                /* hook= */ null,
                /* agent= */ null,
                /* session= */ null,
                /* model= */ null,
                /* sender= */ null,
                /* error= */ null,
                /* since= */ clock.instant(),
                /* until= */ null,
                /* order= */ Order.NEWEST,
                /* after= */ null);
        RunFilter all = new RunFilter(
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
        assertThat(runs(since)).containsExactly(later);
        assertThat(runs(all)).containsExactly(later, earlier);
    }

    /** Advances the clock to the next millisecond whose ids have {@code digit} as the last of their time. */
    private void advanceTo(int digit) {
        long now = clock.millis();
        clock.advance(Duration.ofMillis(Math.floorMod(digit - now, 32L)));
    }

    private String write(int digit, int bytes) throws StoreException {
        advanceTo(digit);
        String id = idGenerator.request();
        RequestLogEntry entry = new RequestLogEntry(
                /* requestId= */ id,
                /* at= */ clock.instant(),
                /* client= */ "192.0.2.1",
                /* credential= */ "token",
                /* sender= */ null,
                /* hook= */ "github",
                /* mapping= */ "",
                /* status= */ 400,
                /* code= */ "invalid_json",
                /* detail= */ "",
                /* bytes= */ 2,
                /* micros= */ 1,
                /* became= */ List.of());
        SealedPayload payload = new SealedPayload("key", new byte[bytes]);
        store.writeAndWait(sql -> requestTable.run(sql, List.of(new LoggedRequest(entry, null, payload))));
        return id;
    }

    private boolean isKept(String id) throws StoreException {
        return store.read(sql -> PayloadTable.find(sql, id)).isPresent();
    }

    private void deleteBefore(Instant end) throws StoreException {
        ExpiredRows expired = RequestTable.expired(Duration.ZERO, Duration.ZERO);
        store.writeAndWait(sql -> expired.deleteBatch(sql, end, 10));
    }

    private List<String> latest(@Nullable String before) throws StoreException {
        RequestQueries.Filter filter = before == null
                ? ALL
                : new RequestQueries.Filter(null, null, null, null, null, null, null, null, null, before);
        return new RequestQueries(store)
                .latest(filter, 10).requests().stream()
                        .map(RequestLogEntry::requestId)
                        .toList();
    }

    private static RunId run(Intake intake) {
        AllowedAction.Turn turn = new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:a"),
                /* message= */ "do it",
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ false,
                /* recipient= */ Recipient.last(),
                /* model= */ "offline/echo",
                /* thinking= */ null,
                /* timeout= */ Duration.ofSeconds(90),
                /* provenance= */ Provenance.untrusted("agent"),
                /* operatorInstructions= */ OperatorInstructions.NONE);
        HookResult result = intake.accept(new Submission(List.of(turn), null, 2, new byte[] {1}, null, null));
        return ((Receipt.Run) ((HookResult.Accepted) result).receipts().get(0)).id();
    }

    private List<RunId> runs(RunFilter filter) throws StoreException {
        return new RunQueries(store)
                .search(filter, 10).runs().stream().map(RunQueries.Line::id).toList();
    }
}

package dev.postern.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.RunQueries;
import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.Submission;
import dev.postern.acceptance.SubmissionSource;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.requests.RequestQueries.Filter;
import dev.postern.requests.RequestQueries.Page;
import dev.postern.store.ExpiredRows;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the durable request log, on every database. */
abstract class RequestLogContract {

    private static final Filter ALL = new Filter(null, null, null, false, null, null);
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private final IdGenerator idGenerator = new IdGenerator(clock);
    private final AtomicLong nanos = new AtomicLong();
    private final RequestTable requestTable = new RequestTable("node_1");
    private Store store;
    private Intake intake;
    private RequestQueries queries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        store = database(home).open(clock);
        intake = new Intake(
                store,
                clock,
                idGenerator,
                PendingActionCounter.of(store, System::nanoTime),
                2,
                Duration.ofHours(24),
                requestTable);
        queries = new RequestQueries(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void saysThatTheDatabaseIsGoneAndCountsWhatIsNotLogged() {
        RequestWriter writer = writer(10);
        store.close();

        writer.accept(entry("github", 422, "idempotency_conflict", ""));

        assertThat(writer.dropped()).isEqualTo(1);
        assertThatThrownBy(() -> queries.latest(ALL, 10)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> queries.find("req_1")).isInstanceOf(StoreException.class);
    }

    @Test
    void listsNothingThatWasNotAccepted() throws Exception {
        accept(submission(null, turn()));
        accept(submission(null, turn()));
        Submission third = submission(null, turn());

        assertThat(intake.accept(third)).isInstanceOf(HookResult.Overloaded.class);
        assertThat(queries.find(requestId(third))).isEmpty();
        assertThat(queries.latest(ALL, 10).requests()).hasSize(2);
    }

    @Test
    void listsAnAcceptedRequestWithWhatBecameOfIt() throws Exception {
        Submission submission = submission(null, turn(), wake());
        HookResult.Accepted accepted = accept(submission);

        assertThat(queries.find(requestId(submission))).hasValueSatisfying(found -> {
            assertThat(found.node()).isEqualTo("node_1");
            RequestLogEntry request = found.request();
            assertThat(request)
                    .extracting(
                            RequestLogEntry::client,
                            RequestLogEntry::credential,
                            RequestLogEntry::hook,
                            RequestLogEntry::mapping,
                            RequestLogEntry::status,
                            RequestLogEntry::code,
                            RequestLogEntry::bytes)
                    .containsExactly("192.0.2.1", "token", "github", "issues", 202, "accepted", 17L);
            assertThat(request.at()).isEqualTo(clock.instant());
            assertThat(request.became())
                    .isEqualTo(accepted.receipts().stream().map(Receipt::name).toList());
        });
        Receipt.Run run = (Receipt.Run) accepted.receipts().get(0);
        assertThat(new RunQueries(store).find(run.id()))
                .hasValueSatisfying(
                        entry -> assertThat(entry.asked().requestId()).isEqualTo(requestId(submission)));
        assertThat(new SessionQueries(store).events(SessionId.mainOf("main"), 0, 10, 10))
                .extracting(SessionQueries.Waiting::requestId)
                .containsExactly(requestId(submission));
    }

    @Test
    void listsARepeatedRequestWithWhatBecameOfTheFirst() throws Exception {
        Submission first = submission("key", wake());
        HookResult.Accepted accepted = accept(first);
        Submission second = submission("key", wake());

        assertThat(accept(second).replayed()).isTrue();
        assertThat(queries.find(requestId(second))).hasValueSatisfying(found -> {
            assertThat(found.request().code()).isEqualTo("repeated");
            assertThat(found.request().status()).isEqualTo(200);
            assertThat(found.request().became())
                    .containsExactly(accepted.receipts().get(0).name());
        });
    }

    @Test
    void takesNoMoreThanItsShareOfASecondForEachCredential() throws Exception {
        RequestWriter writer = writer(3);
        for (int i = 0; i < 10; i++) {
            writer.accept(entry("github", 400, "invalid_json", ""));
        }
        nanos.addAndGet(SECOND);
        writer.accept(entry("github", 413, "payload_too_large", ""));
        store.writeAndWait(sql -> "after the others");

        assertThat(writer.dropped()).isEqualTo(7);
        assertThat(queries.latest(ALL, 10).requests()).hasSize(4);
    }

    @Test
    void showsTheLatestFirstAPageAtATime() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            sent.add(0, write("github", 400, "invalid_json", ""));
            clock.advance(Duration.ofMillis(1));
        }

        List<@Nullable String> shown = new ArrayList<>();
        Page page = queries.latest(ALL, 10);
        while (page.older() != null) {
            page.requests().forEach(request -> shown.add(request.requestId()));
            page = queries.latest(new Filter(null, null, null, false, null, page.older()), 10);
        }
        page.requests().forEach(request -> shown.add(request.requestId()));

        assertThat(shown).isEqualTo(sent);
    }

    @Test
    void findsByHookResponseTextAndTime() throws Exception {
        String ping = write("github", 204, "nothing", "");
        clock.advance(Duration.ofMinutes(1));
        Instant later = clock.instant();
        String broken = write("github", 400, "invalid_json", "At 100% of line_1!");
        String other = write("gitlab", 500, "mapping_failed", "");

        assertThat(found(new Filter("github", null, null, false, null, null))).containsExactlyInAnyOrder(ping, broken);
        assertThat(found(new Filter(null, "400", null, false, null, null))).containsExactly(broken);
        assertThat(found(new Filter(null, "mapping_failed", null, false, null, null)))
                .containsExactly(other);
        assertThat(found(new Filter(null, null, "AT 100% OF LINE_1!", false, null, null)))
                .containsExactly(broken);
        assertThat(found(new Filter(null, null, "lineX1", false, null, null))).isEmpty();
        assertThat(found(new Filter("gitlab", "400", null, false, null, null))).isEmpty();
        assertThat(found(new Filter(null, null, null, true, null, null))).containsExactlyInAnyOrder(broken, other);
        assertThat(found(new Filter(null, null, null, false, later, null))).containsExactlyInAnyOrder(broken, other);
    }

    @Test
    void looksThroughAWindowOfRequestsAtATime() throws Exception {
        String rare = write("rare", 204, "nothing", "");
        clock.advance(Duration.ofMillis(1));
        List<RequestLogEntry> flood = new ArrayList<>();
        for (int i = 0; i < RequestQueries.WINDOW; i++) {
            flood.add(entry("often", 204, "nothing", ""));
        }
        store.writeAndWait(sql -> requestTable.run(sql, flood));

        Page first = queries.latest(new Filter("rare", null, null, false, null, null), 10);
        Page second = queries.latest(new Filter("rare", null, null, false, null, first.older()), 10);

        assertThat(first.requests()).isEmpty();
        assertThat(first.older()).isNotNull();
        assertThat(second.requests()).extracting(RequestLogEntry::requestId).containsExactly(rare);
        assertThat(second.older()).isNull();
    }

    @Test
    void forgetsExpiredRequests() throws Exception {
        write("github", 400, "invalid_json", "");
        clock.advance(Duration.ofDays(30));
        String kept = write("github", 400, "invalid_json", "");
        clock.advance(Duration.ofMinutes(1));

        ExpiredRows expired = RequestTable.expired(Duration.ofDays(30));
        while (store.writeAndWait(sql -> expired.deleteBatch(sql, clock.instant(), 1))) {
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(found(ALL)).containsExactly(kept);
    }

    private List<@Nullable String> found(Filter filter) throws StoreException {
        List<@Nullable String> ids = new ArrayList<>();
        queries.latest(filter, 10).requests().forEach(request -> ids.add(request.requestId()));
        return ids;
    }

    private HookResult.Accepted accept(Submission submission) {
        return (HookResult.Accepted) intake.accept(submission);
    }

    private RequestWriter writer(int perSecond) {
        return new RequestWriter(store, requestTable, perSecond, 100, nanos::get);
    }

    private String write(String hook, int status, String code, String detail) throws StoreException {
        RequestLogEntry entry = entry(hook, status, code, detail);
        store.writeAndWait(requestTable, entry);
        return String.valueOf(entry.requestId());
    }

    private RequestLogEntry entry(String hook, int status, String code, String detail) {
        return new RequestLogEntry(
                idGenerator.request(),
                clock.instant(),
                "192.0.2.1",
                "token",
                hook,
                "",
                status,
                code,
                detail,
                2,
                30,
                List.of());
    }

    private Submission submission(@Nullable String key, AllowedAction... actions) {
        RequestOrigin origin = new RequestOrigin(idGenerator.request(), "192.0.2.1", "token", System.nanoTime());
        return new Submission(
                List.of(actions),
                key == null ? null : new IdempotencyKey(key, new byte[] {1}),
                17,
                new byte[] {1, 2},
                null,
                new SubmissionSource(origin, "github", "issues", clock.instant()));
    }

    private static String requestId(Submission submission) {
        SubmissionSource source = submission.source();
        return source == null ? "" : source.origin().requestId();
    }

    private static AllowedAction wake() {
        return new AllowedAction.Wake("main", "it works", WakeMode.NEXT_HEARTBEAT, Provenance.untrusted("github"));
    }

    private static AllowedAction turn() {
        return new AllowedAction.Turn(
                "main",
                new SessionKey("hook:a"),
                "do it",
                "Hook",
                WakeMode.NEXT_HEARTBEAT,
                false,
                Recipient.last(),
                "offline/echo",
                null,
                Duration.ofMinutes(1),
                Provenance.untrusted("github"),
                OperatorInstructions.NONE);
    }
}

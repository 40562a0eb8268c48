package dev.postern.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.RunQueries;
import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.Submission;
import dev.postern.acceptance.SubmissionSource;
import dev.postern.config.ConfigurationFixture;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.NothingReason;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.requests.PayloadQueries.PayloadResult;
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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of the durable request log, on every database. */
abstract class RequestLogContract {

    private static final Filter ALL = Filter.NONE;
    private static final HookResult FAILED = new HookResult.ScriptFailed("The script failed.", "");
    private static final PayloadCipher CIPHER = new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]);
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path home;

    final SettableClock clock = new SettableClock();
    private final IdGenerator idGenerator = new IdGenerator(clock);
    private final AtomicLong nanos = new AtomicLong();
    private final RequestTable requestTable = new RequestTable("node_1", 1L << 29, System::nanoTime);
    private Store store;
    private Intake intake;
    private RequestQueries queries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        store = database(home).open(clock);
        intake = intake(store);
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
            page = queries.latest(new Filter(null, null, null, null, null, null, null, null, null, page.older()), 10);
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

        assertThat(found(new Filter("github", null, null, null, null, null, null, null, null, null)))
                .containsExactlyInAnyOrder(ping, broken);
        assertThat(found(new Filter(null, null, null, "400", null, null, null, null, null, null)))
                .containsExactly(broken);
        assertThat(found(new Filter(null, null, null, "mapping_failed", null, null, null, null, null, null)))
                .containsExactly(other);
        assertThat(found(new Filter(null, null, null, null, "AT 100% OF LINE_1!", null, null, null, null, null)))
                .containsExactly(broken);
        assertThat(found(new Filter(null, null, null, null, "lineX1", null, null, null, null, null)))
                .isEmpty();
        assertThat(found(new Filter("gitlab", null, null, "400", null, null, null, null, null, null)))
                .isEmpty();
        assertThat(found(of(ResponseKind.REFUSED))).containsExactly(broken);
        assertThat(found(of(ResponseKind.FAILED))).containsExactly(other);
        assertThat(found(of(ResponseKind.NOTHING))).containsExactly(ping);
        assertThat(found(of(ResponseKind.ACCEPTED))).isEmpty();
        assertThat(found(of(ResponseKind.REPEATED))).isEmpty();
        assertThat(found(new Filter(null, "issues", null, null, null, null, null, null, null, null)))
                .isEmpty();
        assertThat(found(new Filter(null, null, null, null, null, null, broken, null, null, null)))
                .containsExactly(broken);
        assertThat(found(new Filter(null, null, null, null, null, null, broken, null, null, broken)))
                .isEmpty();
        assertThat(found(new Filter(null, null, null, null, null, null, "' OR 1 = 1 --", null, null, null)))
                .isEmpty();
        assertThat(found(new Filter(null, null, null, null, null, null, null, null, later, null)))
                .containsExactly(ping);
        assertThat(found(new Filter(null, null, null, null, null, null, null, later, null, null)))
                .containsExactlyInAnyOrder(broken, other);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Ärger mit Øre",
                "ärger mit øre",
                "ÄRGER MIT ØRE",
                "ärgeR MIT Ø",
                "Ж",
                "ж",
                "[X*?]",
                "\ud801\udc28"
            })
    void findsTextInAnyCase(String text) throws Exception {
        write("a", 400, "invalid_json", "no such thing");
        String broken = write("a", 400, "invalid_json", "Ärger mit Øre, ж[x*?] \ud801\udc00");

        assertThat(found(new Filter(null, null, null, null, text, null, null, null, null, null)))
                .containsExactly(broken);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "?", "[b]", "a_c", "a%c", "a.c", "ab+", "x|abc", "^", "a\\w"})
    void searchedTextIsNoPattern(String text) throws Exception {
        write("a", 400, "invalid_json", "abc");

        assertThat(found(new Filter(null, null, null, null, text, null, null, null, null, null)))
                .isEmpty();
    }

    @Test
    void looksThroughAWindowOfRequestsAtATime() throws Exception {
        String rare = write("rare", 204, "nothing", "");
        clock.advance(Duration.ofMillis(1));
        List<LoggedRequest> flood = new ArrayList<>();
        for (int i = 0; i < RequestQueries.WINDOW; i++) {
            flood.add(new LoggedRequest(entry("often", 204, "nothing", ""), null, null));
        }
        writeInPieces(flood);

        Page first = queries.latest(new Filter("rare", null, null, null, null, null, null, null, null, null), 10);
        Page second =
                queries.latest(new Filter("rare", null, null, null, null, null, null, null, null, first.older()), 10);

        assertThat(first.requests()).isEmpty();
        assertThat(first.older()).isNotNull();
        assertThat(second.requests()).extracting(RequestLogEntry::requestId).containsExactly(rare);
        assertThat(second.older()).isNull();
    }

    @Test
    void findsAFailedRequestBehindAWindowOfOthers() throws Exception {
        List<LoggedRequest> flood = new ArrayList<>();
        for (int i = 0; i < RequestQueries.WINDOW; i++) {
            flood.add(new LoggedRequest(entry("github", 400, "invalid_json", ""), null, null));
        }
        writeInPieces(flood);
        clock.advance(Duration.ofMillis(1));
        RequestLogEntry kept = entry("github", 422, "mapping_failed", "");
        store.writeAndWait(requestTable, new LoggedRequest(kept, null, new SealedPayload("key", new byte[10])));
        clock.advance(Duration.ofMillis(1));

        assertThat(queries.failed("github", Instant.EPOCH, clock.instant(), 10)).containsExactly(kept);
        assertThat(queries.failed("stripe", Instant.EPOCH, clock.instant(), 10)).isEmpty();
    }

    @Test
    void forgetsExpiredRequests() throws Exception {
        write("github", 400, "invalid_json", "");
        clock.advance(Duration.ofDays(30));
        String kept = write("github", 400, "invalid_json", "");
        clock.advance(Duration.ofMinutes(1));

        ExpiredRows expired = RequestTable.expired(Duration.ofDays(30), Duration.ofDays(3));
        while (store.writeAndWait(sql -> expired.deleteBatch(sql, clock.instant(), 1))) {
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(found(ALL)).containsExactly(kept);
    }

    private static Filter of(ResponseKind outcome) {
        return new Filter(null, null, null, null, null, outcome, null, null, null, null);
    }

    private List<@Nullable String> found(Filter filter) throws StoreException {
        List<@Nullable String> ids = new ArrayList<>();
        queries.latest(filter, 10).requests().forEach(request -> ids.add(request.requestId()));
        return ids;
    }

    private HookResult.Accepted accept(Submission submission) {
        return (HookResult.Accepted) intake.accept(submission);
    }

    @Test
    void keepsNoPayloadUnlessAsked() throws Exception {
        RequestWriter writer = writer(sealer("requests: {payloads: none}"), 10);
        HookRequest request = request("github", "{\"n\":1}");

        assertThat(writer.payload(request, "issues")).isNull();
        writer.record(request, origin(request), "issues", FAILED);
        store.writeAndWait(sql -> "after the other");

        assertThat(queries.find(id(request)))
                .hasValueSatisfying(found -> assertThat(found.payloadKept()).isFalse());
        assertThat(payloads(Duration.ofDays(3)).find(id(request))).isInstanceOf(PayloadResult.NotKept.class);
    }

    @Test
    void keepsThePayloadOfAFailedRequestBeforeItsResponse() throws Exception {
        RequestWriter writer = writer(sealer("requests: {payloads: failed}"), 0);
        HookRequest request = request("github", "{\"name\":\"Zoë\"}");

        assertThat(writer.payload(request, "issues")).isNull();
        writer.record(request, origin(request), "issues", FAILED);

        assertThat(queries.find(id(request)))
                .hasValueSatisfying(found -> assertThat(found.payloadKept()).isTrue());
        assertThat(payloads(Duration.ofDays(3)).find(id(request)))
                .isInstanceOfSatisfying(PayloadResult.Found.class, found -> {
                    assertThat(found.payload().body()).isEqualTo(request.body());
                    assertThat(found.payload().headers()).isEqualTo(request.headers());
                    assertThat(found.payload().query()).isEqualTo(request.query());
                    assertThat(found.payload().hook()).isEqualTo("github");
                    assertThat(found.payload().bySignature()).isTrue();
                });
    }

    @Test
    void writesEachReplayHoweverManyThereAre() throws Exception {
        RequestWriter writer = writer(0);
        HookRequest request = request("github", "{}");
        RequestOrigin replay =
                new RequestOrigin(id(request), "operator", "replay", System.nanoTime(), null, "req_of_the_sender");

        writer.record(request, replay, "issues", new HookResult.Nothing());

        assertThat(queries.find(id(request))).isPresent();
        assertThat(writer.dropped()).isZero();
    }

    @Test
    void keepsThePayloadOfAnAcceptedRequestInItsCommit() throws Exception {
        RequestWriter writer = writer(sealer("requests: {payloads: all}"), 10);
        HookRequest request = request("github", "{}");
        SubmissionSource source = new SubmissionSource(
                origin(request), "github", "issues", clock.instant(), writer.payload(request, "issues"), null);

        accept(submission("key", source, wake()));

        assertThat(payloads(Duration.ofDays(3)).find(id(request))).isInstanceOf(PayloadResult.Found.class);
    }

    @Test
    void countsNoReplaysAmongTheRequestsOfASender() throws Exception {
        SenderRequestQueries senders = new SenderRequestQueries(store);
        Instant sent = clock.instant();
        store.writeAndWait(requestTable, new LoggedRequest(entryOf("ci"), null, null));
        clock.advance(Duration.ofMinutes(1));
        store.writeAndWait(requestTable, new LoggedRequest(entryOf("ci"), "req_1", null));

        assertThat(senders.tally("ci", sent))
                .isEqualTo(new SenderRequestQueries.SenderTally(1, 0, 0, sent.truncatedTo(ChronoUnit.MILLIS)));
    }

    @Test
    void listsWhatTheCountsOfASenderCount() throws Exception {
        RequestLogEntry counted = entryOf("ci");
        store.writeAndWait(requestTable, new LoggedRequest(counted, null, null));
        store.writeAndWait(requestTable, new LoggedRequest(entryOf("ci"), "req_1", null));
        store.writeAndWait(requestTable, new LoggedRequest(entryOf("ci-nightly"), null, null));
        store.writeAndWait(requestTable, new LoggedRequest(entry(null, "circleci", 202, "accepted", "ci"), null, null));

        assertThat(queries.latest(new Filter(null, null, "ci", null, null, null, null, null, null, null), 10)
                        .requests())
                .singleElement()
                .extracting(RequestLogEntry::requestId)
                .isEqualTo(counted.requestId());
    }

    @Test
    void logsTheStatusThatTheMappingSets() throws Exception {
        RequestWriter writer = writer(10);
        HookRequest accepted = request("linear", "{}");
        HookRequest dropped = request("linear", "{}");

        accept(submission(
                "key", new SubmissionSource(origin(accepted), "linear", "issues", clock.instant(), null, 201), wake()));
        writer.record(dropped, origin(dropped), "issues", new HookResult.Nothing(NothingReason.OWN_ACCOUNT, null, 200));
        store.writeAndWait(sql -> "after the other");

        assertThat(queries.find(id(accepted)))
                .hasValueSatisfying(
                        found -> assertThat(found.request().status()).isEqualTo(201));
        assertThat(found(of(ResponseKind.NOTHING))).containsExactly(id(dropped));
        assertThat(found(new Filter(null, null, null, "200", null, null, null, null, null, null)))
                .containsExactly(id(dropped));
    }

    @Test
    void listsWhichRequestsHaveAPayload() throws Exception {
        HookRequest with = request("github", "{}");
        HookRequest without = request("github", "{}");
        writer(sealer("requests: {payloads: failed}"), 0).record(with, origin(with), "issues", FAILED);
        writer(sealer("requests: {payloads: none}"), 10).record(without, origin(without), "issues", FAILED);
        store.writeAndWait(sql -> "after the others");

        Page page = queries.latest(Filter.NONE, 10);

        assertThat(page.requests()).extracting(RequestLogEntry::requestId).contains(id(with), id(without));
        assertThat(page.payloadsKept()).containsExactly(id(with));
    }

    @Test
    void letsAMappingDecideOnItsPayloads() throws Exception {
        PayloadSealer sealer = sealer(
                """
                requests: {payloads: none}
                hooks: {enabled: true, token: a-token-that-is-long-enough-01, mappings: [
                  {id: kept, match: {path: a}, messageTemplate: x, payloads: all}]}
                """);
        HookRequest request = request("a", "{}");

        assertThat(sealer.seal(request, "kept", false)).isNotNull();
        assertThat(sealer.seal(request, "another", true)).isNull();
    }

    @Test
    void showsNoPayloadWithAnotherKeyOrOfAnotherRequest() throws Exception {
        RequestWriter writer = writer(sealer("requests: {payloads: all}"), 10);
        HookRequest request = request("github", "{}");
        writer.record(request, origin(request), "", FAILED);
        HookRequest other = request("github", "{}");
        writer.record(other, origin(other), "", FAILED);

        byte[] key = new byte[PayloadCipher.KEY_BYTES];
        key[0] = 1;
        assertThat(new PayloadQueries(store, new PayloadCipher(key), Duration.ofHours(1), clock).find(id(request)))
                .isInstanceOfSatisfying(
                        PayloadResult.Undecipherable.class, unreadable -> assertThat(unreadable.sentence())
                                .contains("another key (" + CIPHER.keyId() + ")"));
        assertThat(new PayloadQueries(store, null, Duration.ofHours(1), clock).find(id(request)))
                .isInstanceOf(PayloadResult.Undecipherable.class);

        store.writeAndWait(sql -> sql.update(
                "UPDATE request_payload SET sealed = (SELECT sealed FROM request_payload WHERE request_id = ?)"
                        + " WHERE request_id = ?",
                id(request),
                id(other)));
        assertThat(payloads(Duration.ofHours(1)).find(id(other)))
                .isInstanceOfSatisfying(PayloadResult.Undecipherable.class, changed -> assertThat(changed.sentence())
                        .contains("was changed"));
    }

    @Test
    void forgetsPayloadsBeforeTheirRequests() throws Exception {
        RequestWriter writer = writer(sealer("requests: {payloads: all}"), 10);
        HookRequest request = request("github", "{}");
        writer.record(request, origin(request), "", FAILED);
        clock.advance(Duration.ofHours(73));

        assertThat(payloads(Duration.ofDays(3)).find(id(request))).isInstanceOf(PayloadResult.NotKept.class);
        ExpiredRows expired = RequestTable.expired(Duration.ofDays(30), Duration.ofDays(3));
        store.writeAndWait(sql -> expired.deleteBatch(sql, clock.instant(), 10));
        assertThat(queries.find(id(request)))
                .hasValueSatisfying(found -> assertThat(found.payloadKept()).isFalse());
    }

    @Test
    void deletesTheOldestPayloadsPastTheirBytes() throws Exception {
        RequestTable small = new RequestTable("node_1", 5_000, nanos::get);
        RequestWriter writer =
                new RequestWriter(store, small, sealer("requests: {payloads: all}"), 10, 100, nanos::get);
        List<HookRequest> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HookRequest request = request("github", "x".repeat(800));
            writer.record(request, origin(request), "", FAILED);
            sent.add(request);
            clock.advance(Duration.ofMillis(1));
        }

        long bytes = store.read(sql -> sql.first(
                        "SELECT CAST(SUM(bytes) AS bigint) AS total FROM request_payload", row -> row.number("total"))
                .orElseThrow());
        assertThat(bytes).isBetween(3_000L, 5_000L);
        PayloadQueries payloads = payloads(Duration.ofDays(3));
        assertThat(payloads.find(id(sent.get(0)))).isInstanceOf(PayloadResult.NotKept.class);
        assertThat(payloads.find(id(sent.get(19)))).isInstanceOf(PayloadResult.Found.class);
        assertThat(queries.latest(ALL, 50).requests()).hasSize(20);
    }

    @Test
    void reachesABoundThatWasLoweredAFewPayloadsAtATime() throws Exception {
        SealedPayload large = new SealedPayload("key", new byte[1 << 20]);
        for (int i = 0; i < 24; i++) {
            store.writeAndWait(requestTable, new LoggedRequest(entry("github", 422, "failed", ""), null, large));
        }
        RequestTable lowered = new RequestTable("node_1", 5_000, nanos::get);
        SealedPayload small = new SealedPayload("key", new byte[1_000]);

        store.writeAndWait(lowered, new LoggedRequest(entry("github", 422, "failed", ""), null, small));
        assertThat(keptPayloads()).isBetween(16L, 18L);
        for (int i = 0; i < 3; i++) {
            store.writeAndWait(lowered, new LoggedRequest(entry("github", 422, "failed", ""), null, small));
        }

        assertThat(keptPayloads()).isBetween(1L, 4L);
    }

    @Test
    void deletesManySmallPayloadsForOneLargeOne() throws Exception {
        RequestTable bounded = new RequestTable("node_1", 100_000, nanos::get);
        SealedPayload small = new SealedPayload("key", new byte[250]);
        List<LoggedRequest> many = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            many.add(new LoggedRequest(entry("github", 422, "failed", ""), null, small));
        }
        store.writeAndWait(sql -> bounded.run(sql, many));
        assertThat(keptPayloads()).isEqualTo(400);
        clock.advance(Duration.ofMillis(1));

        SealedPayload large = new SealedPayload("key", new byte[50_000]);
        store.writeAndWait(bounded, new LoggedRequest(entry("github", 422, "failed", ""), null, large));

        assertThat(keptPayloads()).isEqualTo(201);
    }

    /** Writes {@code requests} in several commits, since one commit has little time on PostgreSQL. */
    private void writeInPieces(List<LoggedRequest> requests) throws StoreException {
        for (int from = 0; from < requests.size(); from += 2_000) {
            List<LoggedRequest> piece = requests.subList(from, Math.min(from + 2_000, requests.size()));
            store.writeAndWait(sql -> requestTable.run(sql, piece));
        }
    }

    private long keptPayloads() throws StoreException {
        return store.read(sql -> sql.first("SELECT count(*) AS n FROM request_payload", row -> row.number("n"))
                .orElseThrow());
    }

    private PayloadQueries payloads(Duration keep) {
        return new PayloadQueries(store, CIPHER, keep, clock);
    }

    private PayloadSealer sealer(String yaml) {
        return PayloadSealer.of(ConfigurationFixture.yaml(home, yaml).settings(), CIPHER);
    }

    HookRequest request(String hook, String body) {
        RequestOrigin origin = new RequestOrigin(idGenerator.request(), "192.0.2.1", "token", System.nanoTime());
        return new HookRequest(
                        hook,
                        body.getBytes(UTF_8),
                        Map.of("x-event", "push"),
                        Map.of("q", "1"),
                        null,
                        true,
                        null,
                        clock.instant())
                .from(origin);
    }

    static RequestOrigin origin(HookRequest request) {
        return Objects.requireNonNull(request.origin());
    }

    private static String id(HookRequest request) {
        return origin(request).requestId();
    }

    Intake intake(Store store) throws StoreException {
        return new Intake(
                store,
                clock,
                idGenerator,
                PendingActionCounter.of(store, System::nanoTime),
                PendingLimits.of(2),
                Duration.ofHours(24),
                AcceptanceRule.NONE,
                requestTable,
                (sql, none) -> List.of());
    }

    RequestWriter writer(Store store) {
        return writer(store, sealer("requests: {}"), 10);
    }

    private RequestWriter writer(int perSecond) {
        return writer(sealer("requests: {}"), perSecond);
    }

    private RequestWriter writer(PayloadSealer sealer, int perSecond) {
        return writer(store, sealer, perSecond);
    }

    private RequestWriter writer(Store store, PayloadSealer sealer, int perSecond) {
        return new RequestWriter(store, requestTable, sealer, perSecond, 100, nanos::get);
    }

    private String write(String hook, int status, String code, String detail) throws StoreException {
        RequestLogEntry entry = entry(hook, status, code, detail);
        store.writeAndWait(requestTable, new LoggedRequest(entry, null, null));
        return String.valueOf(entry.requestId());
    }

    private RequestLogEntry entryOf(String sender) {
        return entry(sender, "agent", 202, "accepted", "");
    }

    private RequestLogEntry entry(String hook, int status, String code, String detail) {
        return entry(null, hook, status, code, detail);
    }

    private RequestLogEntry entry(@Nullable String sender, String hook, int status, String code, String detail) {
        return new RequestLogEntry(
                /* requestId= */ idGenerator.request(),
                /* at= */ clock.instant(),
                /* client= */ "192.0.2.1",
                /* credential= */ "token",
                sender,
                hook,
                /* mapping= */ "",
                status,
                code,
                detail,
                /* bytes= */ 2,
                /* micros= */ 30,
                /* became= */ List.of());
    }

    private Submission submission(@Nullable String key, AllowedAction... actions) {
        RequestOrigin origin = new RequestOrigin(idGenerator.request(), "192.0.2.1", "token", System.nanoTime());
        return submission(key, new SubmissionSource(origin, "github", "issues", clock.instant(), null, null), actions);
    }

    static Submission submission(@Nullable String key, SubmissionSource source, AllowedAction... actions) {
        return new Submission(
                List.of(actions),
                key == null ? null : new IdempotencyKey(key, new byte[] {1}),
                17,
                new byte[] {1, 2},
                null,
                source);
    }

    private static String requestId(Submission submission) {
        SubmissionSource source = submission.source();
        return source == null ? "" : source.origin().requestId();
    }

    private static AllowedAction wake() {
        return new AllowedAction.Wake("main", "it works", WakeMode.NEXT_HEARTBEAT, Provenance.untrusted("github"));
    }

    static AllowedAction turn() {
        return new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:a"),
                /* message= */ "do it",
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ false,
                /* recipient= */ Recipient.last(),
                /* model= */ "offline/echo",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMinutes(1),
                /* provenance= */ Provenance.untrusted("github"),
                /* operatorInstructions= */ OperatorInstructions.NONE);
    }
}

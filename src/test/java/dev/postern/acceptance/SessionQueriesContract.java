package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.SessionQueries.Filter;
import dev.postern.acceptance.SessionQueries.Line;
import dev.postern.acceptance.SessionQueries.Place;
import dev.postern.acceptance.SessionQueries.Waiting;
import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the operator's session queries, on every database. */
abstract class SessionQueriesContract {

    private static final Filter ALL = new Filter(null, Set.of(), null);
    private static final SessionId MAIN = SessionId.mainOf(AcceptanceFixture.AGENT);
    private static final int MANY = 10_000;

    /** A generous bound: a full read for each takes minutes. */
    private static final Duration QUICK = Duration.ofSeconds(10);

    @TempDir
    Path home;

    AcceptanceFixture fixture;
    private SessionQueries sessionQueries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), 1_000);
        sessionQueries = new SessionQueries(fixture.store);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        fixture.store.close();

        assertThatThrownBy(() -> sessionQueries.mains(List.of("main"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> sessionQueries.latest(ALL, 10)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> sessionQueries.find(MAIN)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> sessionQueries.events(MAIN, 0, 10, 10)).isInstanceOf(StoreException.class);
    }

    @Test
    void findsNoSessionThatThereIsNot() throws Exception {
        fixture.queue("hook:a");

        assertThat(sessionQueries.find(new SessionId("hook:b"))).isEmpty();
        assertThat(sessionQueries.find(new SessionId("' OR 1 = 1 --"))).isEmpty();
        assertThat(sessionQueries.events(new SessionId("hook:a"), 0, 10, 10)).isEmpty();
        assertThat(keys(new Filter("' OR 1 = 1 --", Set.of(), null))).isEmpty();
    }

    @Test
    void showsTheMainSessionOfEachAgentWhetherItWasUsedOrNot() throws Exception {
        fixture.wake("disk is full", WakeMode.NEXT_HEARTBEAT);

        List<Line> mains = sessionQueries.mains(List.of("other", AcceptanceFixture.AGENT));

        assertThat(mains).extracting(Line::id).containsExactly(SessionId.mainOf("other"), MAIN);
        assertThat(mains.get(0)).isEqualTo(Line.unused("other"));
        assertThat(mains.get(1).usedAt()).isEqualTo(fixture.now());
        assertThat(mains.get(1)).isEqualTo(sessionQueries.find(MAIN).orElseThrow());
    }

    @Test
    void showsTheOneThatWasUsedLastFirstAPageAtATime() throws Exception {
        List<String> used = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            used.add(0, "hook:" + (char) ('a' + i));
            fixture.queue(used.get(0));
            fixture.clock.advance(Duration.ofMillis(i % 3)); // some at the same moment
        }
        fixture.clock.advance(Duration.ofMillis(1));
        fixture.queue("hook:c");
        used.remove("hook:c");
        used.add(0, "hook:c");

        List<String> shown = new ArrayList<>();
        @Nullable Place place = null;
        for (List<Line> page = page(place); !page.isEmpty(); page = page(place)) {
            page.forEach(line -> shown.add(line.key().value()));
            place = page.get(page.size() - 1).place();
        }

        assertThat(shown).isEqualTo(used);
    }

    @Test
    void showsThoseThatAreAskedFor() throws Exception {
        fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofMillis(1));
        fixture.accept(AcceptanceFixture.turnOf("other", "hook:b"));
        fixture.clock.advance(Duration.ofMillis(1));
        fixture.wake("disk is full", WakeMode.NEXT_HEARTBEAT);

        assertThat(keys(ALL)).containsExactly("main:main", "hook:b", "hook:a");
        assertThat(keys(new Filter("other", Set.of(), null))).containsExactly("hook:b");
        assertThat(keys(new Filter(null, Set.of(MAIN), null))).containsExactly("hook:b", "hook:a");
        assertThat(sessionQueries.latest(new Filter(null, Set.of(MAIN), null), 2))
                .extracting(line -> line.key().value())
                .containsExactly("hook:b", "hook:a");
    }

    @Test
    void countsWhatWaits() throws Exception {
        fixture.wake("one", WakeMode.NEXT_HEARTBEAT);
        Instant first = fixture.now();
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.wake("two", WakeMode.NEXT_HEARTBEAT);
        fixture.queue("hook:a");
        fixture.queue("hook:a");
        fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();

        Line main = sessionQueries.find(MAIN).orElseThrow();
        assertThat(main.events()).isEqualTo(2);
        assertThat(main.oldestEvent()).isEqualTo(first);
        assertThat(main.busy()).isFalse();
        Line session = sessionQueries.find(new SessionId("hook:a")).orElseThrow();
        assertThat(session.queued()).isEqualTo(2);
        assertThat(session.running()).isOne();
        assertThat(session.busy()).isTrue();
        assertThat(session.events()).isZero();
        assertThat(session.oldestEvent()).isNull();
        assertThat(session.beat()).isNull();

        fixture.write(sql -> fixture.runRepository.giveBack(sql, claimed));

        assertThat(sessionQueries.find(new SessionId("hook:a"))).hasValueSatisfying(given -> {
            assertThat(given.queued()).isEqualTo(3);
            assertThat(given.running()).isZero();
            assertThat(given.busy()).isFalse();
        });
    }

    @Test
    void tellsOfHeartbeatsAndWhyOneCameToNothing() throws Exception {
        fixture.wake("disk is full", WakeMode.NOW);
        assertThat(sessionQueries.find(MAIN).orElseThrow().missed()).isNull();
        fixture.clock.advance(Duration.ofSeconds(1));
        Instant failed = fixture.now();
        ClaimedHeartbeat beat = claimHeartbeat();
        fixture.write(sql -> {
            new SkippedHeartbeat(failed, "the model is away").note(sql, beat);
            return fixture.heartbeatRepository.fail(sql, beat, failed.plusSeconds(20), failed.plusSeconds(10));
        });

        Line main = sessionQueries.find(MAIN).orElseThrow();
        assertThat(main.beat()).isEqualTo(fixture.heartbeatState());
        assertThat(Objects.requireNonNull(main.beat()).failures()).isOne();
        assertThat(main.missed()).isEqualTo(new SkippedHeartbeat(failed, "the model is away"));

        fixture.clock.advance(Duration.ofSeconds(20));
        ClaimedHeartbeat again = claimHeartbeat();
        fixture.write(sql -> fixture.heartbeatRepository.finish(sql, again, List.of(), fixture.now()));

        assertThat(sessionQueries.find(MAIN)).hasValueSatisfying(line -> {
            assertThat(line.missed()).isEqualTo(new SkippedHeartbeat(failed, "the model is away"));
            assertThat(line.beat()).isEqualTo(new HeartbeatState(null, fixture.now(), 0, null, false));
        });
    }

    @Test
    void showsWaitingEventsOldestFirstAndOnlyTheBeginningOfALongOne() throws Exception {
        EventId first = fixture.wake("😀".repeat(12), WakeMode.NEXT_HEARTBEAT);
        Instant at = fixture.now();
        fixture.clock.advance(Duration.ofSeconds(1));
        RunId run = fixture.queue("hook:a");
        fixture.write(sql -> fixture.eventRepository.post(
                sql,
                AcceptanceFixture.AGENT,
                "<b>done</b>",
                new Provenance("agent", true),
                run,
                WakeMode.NEXT_HEARTBEAT));

        List<Waiting> all = sessionQueries.events(MAIN, 0, 10, 11);
        assertThat(all)
                .first()
                .isEqualTo(new Waiting(
                        /* id= */ first.value(),
                        all.get(0).number(),
                        /* kind= */ "wake",
                        /* text= */ "😀".repeat(11),
                        /* leftOut= */ 1,
                        /* hook= */ "wake",
                        /* trusted= */ false,
                        /* runId= */ null,
                        /* requestId= */ null,
                        at));
        assertThat(all.get(1).text()).isEqualTo("<b>done</b>");
        assertThat(all.get(1).leftOut()).isZero();
        assertThat(all.get(1).kind()).isEqualTo("summary");
        assertThat(all.get(1).trusted()).isTrue();
        assertThat(all.get(1).runId()).isEqualTo(run);
        assertThat(sessionQueries.events(MAIN, 0, 1, 11)).containsExactly(all.get(0));
        assertThat(sessionQueries.events(MAIN, all.get(0).number(), 10, 11)).containsExactly(all.get(1));
    }

    @Test
    void showsNoEventThatWaitsNoLonger() throws Exception {
        EventId taken = fixture.wake("disk is full", WakeMode.NOW);
        fixture.clock.advance(Duration.ofSeconds(1));
        ClaimedHeartbeat beat = claimHeartbeat();
        fixture.write(sql -> fixture.heartbeatRepository.finish(sql, beat, List.of(taken), fixture.now()));

        assertThat(sessionQueries.events(MAIN, 0, 10, 10)).isEmpty();
        assertThat(sessionQueries.find(MAIN).orElseThrow().events()).isZero();
    }

    @Test
    void staysQuickWithManySessions() throws Exception {
        List<@Nullable Object[]> sessions = new ArrayList<>(MANY);
        List<@Nullable Object[]> events = new ArrayList<>(MANY);
        for (int i = 0; i < MANY; i++) {
            sessions.add(new @Nullable Object[] {"hook:" + i, i % 100 == 0 ? "rare" : "main", (long) i / 10});
            events.add(new @Nullable Object[] {"evt_" + i, "hook:" + i, (long) i});
        }
        fixture.write(sql -> {
            sql.batch("INSERT INTO session (key, agent_id, tail, used_at) VALUES (?, ?, 1, ?)", sessions);
            sql.batch(
                    "INSERT INTO event (id, session_key, seq, kind, text, hook, trusted, created_at)"
                            + " VALUES (?, ?, 1, 'wake', 'text', 'wake', 0, ?)",
                    events);
            return true;
        });

        long start = System.nanoTime();
        List<Line> first = sessionQueries.latest(ALL, 50);
        List<Line> last = sessionQueries.latest(new Filter(null, Set.of(), new Place(5, "")), 51);
        List<Line> rare = sessionQueries.latest(new Filter("rare", Set.of(), null), 51);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        assertThat(first).hasSize(50).allSatisfy(line -> assertThat(line.events())
                .isOne());
        assertThat(last).hasSize(50);
        assertThat(rare).hasSize(51);
        assertThat(took).isLessThan(QUICK);
    }

    private ClaimedHeartbeat claimHeartbeat() throws StoreException {
        return fixture.write(sql ->
                        fixture.heartbeatRepository.claim(sql, "node", AcceptanceFixture.AGENT, fixture.now(), false))
                .orElseThrow();
    }

    private List<Line> page(@Nullable Place before) throws StoreException {
        return sessionQueries.latest(new Filter(null, Set.of(), before), 10);
    }

    private List<String> keys(Filter filter) throws StoreException {
        return sessionQueries.latest(filter, 10).stream()
                .map(line -> line.key().value())
                .toList();
    }
}

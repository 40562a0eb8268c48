package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RunState;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the retention cleanup, on every database. */
abstract class RetentionCleanupContract {

    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path home;

    AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void keepsWhatIsNotDoneHoweverOldItIs() throws Exception {
        fixture.queue("hook:queued");
        fixture.queue("hook:running");
        assertThat(fixture.claim("node", 1)).hasSize(1);
        fixture.wake("waiting", WakeMode.NEXT_HEARTBEAT);
        fixture.clock.advance(Duration.ofDays(365));

        assertThat(prune(fixture.now(), fixture.now(), 10)).isFalse();
        assertThat(count("run")).isEqualTo(2);
        assertThat(count("event")).isEqualTo(1);
        assertThat(count("session")).isEqualTo(3);
    }

    @Test
    void deletesARunWithItsSessionAfterTheMomentAndNotAtIt() throws Exception {
        finishOne("hook:a");
        Instant finished = fixture.now();

        assertThat(prune(finished, finished, 10)).isFalse();
        assertThat(count("run")).isEqualTo(1);
        assertThat(count("session")).isEqualTo(1);
        assertThat(prune(finished.plusMillis(1), finished, 10)).isFalse();
        assertThat(count("run")).isZero();
        assertThat(count("session")).isZero();
    }

    @Test
    void keepsASessionThatIsStillUsed() throws Exception {
        finishOne("hook:used");
        finishOne("hook:queued");
        finishOne("hook:held");
        fixture.clock.advance(HOUR);
        Instant before = fixture.now();
        finishOne("hook:used");
        fixture.queue("hook:held");
        assertThat(fixture.claim("node", 1)).hasSize(1);
        fixture.queue("hook:queued");

        assertThat(prune(before, before, 10)).isFalse();
        assertThat(count("run")).isEqualTo(3);
        assertThat(count("session")).isEqualTo(3);
    }

    @Test
    void keepsASessionWithSomethingAheadOfItWhenItsClockWasWrong() throws Exception {
        for (String key : List.of("hook:queued", "hook:held", "hook:beat", "hook:event", "hook:idle")) {
            finishOne(key);
        }
        fixture.queue("hook:held");
        assertThat(fixture.claim("node", 1)).hasSize(1);
        fixture.queue("hook:queued");
        fixture.write(sql -> sql.update("UPDATE session SET beat_at = 1 WHERE key = 'hook:beat'"));
        fixture.write(
                sql -> sql.update("INSERT INTO event (id, session_key, seq, kind, text, hook, trusted, created_at)"
                        + " VALUES ('e', 'hook:event', 1, 'wake', 't', 'h', 0, 1)"));
        fixture.write(sql -> sql.update("UPDATE session SET used_at = 0"));
        fixture.clock.advance(HOUR);

        assertThat(prune(fixture.now(), fixture.now(), 10)).isFalse();
        List<String> left =
                fixture.store.read(sql -> sql.query("SELECT key FROM session ORDER BY key", row -> row.text("key")));
        assertThat(left).containsExactly("hook:beat", "hook:event", "hook:held", "hook:queued");
    }

    @Test
    void deletesTakenEventsWithTheirSession() throws Exception {
        fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = fixture.write(sql ->
                        fixture.heartbeatRepository.claim(sql, "node", AcceptanceFixture.AGENT, fixture.now(), true))
                .orElseThrow();
        List<WaitingEvent> waiting = fixture.waiting();
        boolean finished = fixture.write(sql -> fixture.heartbeatRepository.finish(
                sql, beat, waiting.stream().map(WaitingEvent::id).toList(), fixture.now()));
        assertThat(finished).isTrue();

        assertThat(prune(fixture.now(), fixture.now(), 10)).isFalse();
        assertThat(count("event")).isEqualTo(1);
        assertThat(prune(fixture.now().plusMillis(1), fixture.now(), 10)).isFalse();
        assertThat(count("event")).isZero();
        assertThat(count("session")).isZero();
    }

    @Test
    void deletesKeysOfTheirOwnAge() throws Exception {
        fixture.intake.accept(AcceptanceFixture.keyed("old", 1, AcceptanceFixture.turn("hook:a")));
        fixture.clock.advance(HOUR);
        fixture.intake.accept(AcceptanceFixture.keyed("young", 1, AcceptanceFixture.turn("hook:a")));

        assertThat(prune(fixture.now().plus(HOUR), fixture.now(), 10)).isFalse();
        List<String> left = fixture.store.read(sql -> sql.query("SELECT key FROM idempotency", row -> row.text("key")));
        assertThat(left).containsExactly("young");
    }

    @Test
    void deletesABoundedPieceAtATimeOldestFirst() throws Exception {
        for (int i = 0; i < 5; i++) {
            finishOne("hook:" + i);
            fixture.intake.accept(
                    AcceptanceFixture.keyed("k" + i, 1, AcceptanceFixture.wakeOf("x", WakeMode.NEXT_HEARTBEAT)));
            fixture.clock.advance(HOUR);
        }

        assertThat(prune(fixture.now(), fixture.now(), 2)).isTrue();
        assertThat(count("run")).isEqualTo(3);
        assertThat(count("idempotency")).isEqualTo(3);
        List<String> left = fixture.store.read(
                sql -> sql.query("SELECT session_key FROM run ORDER BY session_key", row -> row.text("session_key")));
        assertThat(left).containsExactly("hook:2", "hook:3", "hook:4");
        assertThat(prune(fixture.now(), Instant.EPOCH, 2)).isTrue();
        assertThat(prune(fixture.now(), Instant.EPOCH, 2)).isFalse();
        assertThat(prune(Instant.EPOCH, fixture.now(), 3)).isTrue();
        assertThat(prune(fixture.now(), fixture.now(), 3)).isFalse();
        assertThat(count("run")).isZero();
    }

    @Test
    void tellsThatThereMayBeMoreEvents() throws Exception {
        fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        fixture.wake("b", WakeMode.NEXT_HEARTBEAT);
        fixture.write(sql -> sql.update("UPDATE event SET taken_at = 1"));

        assertThat(prune(fixture.now(), fixture.now(), 2)).isTrue();
        assertThat(prune(fixture.now(), fixture.now(), 2)).isFalse();
    }

    private void finishOne(String key) throws StoreException {
        fixture.queue(key);
        ClaimedRun run = fixture.claimOne();
        boolean finished =
                fixture.write(sql -> fixture.runRepository.finish(sql, run, RunState.SUCCEEDED, null, null, null));
        assertThat(finished).isTrue();
    }

    private boolean prune(Instant endedBefore, Instant keysBefore, int max) throws StoreException {
        return fixture.write(sql -> RetentionCleanup.prune(sql, endedBefore, keysBefore, max));
    }

    private long count(String table) throws StoreException {
        return fixture.store.read(sql -> sql.first("SELECT count(*) AS n FROM " + table, row -> row.number("n"))
                .orElseThrow());
    }
}

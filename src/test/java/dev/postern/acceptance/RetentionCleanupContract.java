package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RunState;
import dev.postern.model.WakeMode;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
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

    Scene scene;

    abstract Databases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        scene = new Scene(database(home));
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void keepsWhatIsNotDoneHoweverOldItIs() throws Exception {
        scene.queue("hook:queued");
        scene.queue("hook:running");
        assertThat(scene.claim("node", 1)).hasSize(1);
        scene.wake("waiting", WakeMode.NEXT_HEARTBEAT);
        scene.clock.advance(Duration.ofDays(365));

        assertThat(prune(scene.now(), scene.now(), 10)).isFalse();
        assertThat(count("run")).isEqualTo(2);
        assertThat(count("event")).isEqualTo(1);
        assertThat(count("session")).isEqualTo(3);
    }

    @Test
    void deletesARunWithItsSessionAfterTheMomentAndNotAtIt() throws Exception {
        finishOne("hook:a");
        Instant finished = scene.now();

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
        scene.clock.advance(HOUR);
        Instant before = scene.now();
        finishOne("hook:used");
        scene.queue("hook:held");
        assertThat(scene.claim("node", 1)).hasSize(1);
        scene.queue("hook:queued");

        assertThat(prune(before, before, 10)).isFalse();
        assertThat(count("run")).isEqualTo(3);
        assertThat(count("session")).isEqualTo(3);
    }

    @Test
    void keepsASessionWithSomethingAheadOfItWhenItsClockWasWrong() throws Exception {
        for (String key : List.of("hook:queued", "hook:held", "hook:beat", "hook:event", "hook:idle")) {
            finishOne(key);
        }
        scene.queue("hook:held");
        assertThat(scene.claim("node", 1)).hasSize(1);
        scene.queue("hook:queued");
        scene.write(sql -> sql.update("UPDATE session SET beat_at = 1 WHERE key = 'hook:beat'"));
        scene.write(sql -> sql.update("INSERT INTO event (id, session_key, seq, kind, text, hook, trusted, created_at)"
                + " VALUES ('e', 'hook:event', 1, 'wake', 't', 'h', 0, 1)"));
        scene.write(sql -> sql.update("UPDATE session SET used_at = 0"));
        scene.clock.advance(HOUR);

        assertThat(prune(scene.now(), scene.now(), 10)).isFalse();
        List<String> left =
                scene.store.read(sql -> sql.query("SELECT key FROM session ORDER BY key", row -> row.text("key")));
        assertThat(left).containsExactly("hook:beat", "hook:event", "hook:held", "hook:queued");
    }

    @Test
    void deletesTakenEventsWithTheirSession() throws Exception {
        scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = scene.write(
                        sql -> scene.eventRepository.claimHeartbeat(sql, "node", Scene.AGENT, scene.now(), true))
                .orElseThrow();
        List<WaitingEvent> waiting = scene.waiting();
        boolean finished = scene.write(sql -> scene.eventRepository.finishHeartbeat(
                sql, beat, waiting.stream().map(WaitingEvent::id).toList(), scene.now()));
        assertThat(finished).isTrue();

        assertThat(prune(scene.now(), scene.now(), 10)).isFalse();
        assertThat(count("event")).isEqualTo(1);
        assertThat(prune(scene.now().plusMillis(1), scene.now(), 10)).isFalse();
        assertThat(count("event")).isZero();
        assertThat(count("session")).isZero();
    }

    @Test
    void deletesKeysOfTheirOwnAge() throws Exception {
        scene.intake.accept(Scene.keyed("old", 1, Scene.turn("hook:a")));
        scene.clock.advance(HOUR);
        scene.intake.accept(Scene.keyed("young", 1, Scene.turn("hook:a")));

        assertThat(prune(scene.now().plus(HOUR), scene.now(), 10)).isFalse();
        List<String> left = scene.store.read(sql -> sql.query("SELECT key FROM idempotency", row -> row.text("key")));
        assertThat(left).containsExactly("young");
    }

    @Test
    void deletesABoundedPieceAtATimeOldestFirst() throws Exception {
        for (int i = 0; i < 5; i++) {
            finishOne("hook:" + i);
            scene.intake.accept(Scene.keyed("k" + i, 1, Scene.wakeOf("x", WakeMode.NEXT_HEARTBEAT)));
            scene.clock.advance(HOUR);
        }

        assertThat(prune(scene.now(), scene.now(), 2)).isTrue();
        assertThat(count("run")).isEqualTo(3);
        assertThat(count("idempotency")).isEqualTo(3);
        List<String> left = scene.store.read(
                sql -> sql.query("SELECT session_key FROM run ORDER BY session_key", row -> row.text("session_key")));
        assertThat(left).containsExactly("hook:2", "hook:3", "hook:4");
        assertThat(prune(scene.now(), Instant.EPOCH, 2)).isTrue();
        assertThat(prune(scene.now(), Instant.EPOCH, 2)).isFalse();
        assertThat(prune(Instant.EPOCH, scene.now(), 3)).isTrue();
        assertThat(prune(scene.now(), scene.now(), 3)).isFalse();
        assertThat(count("run")).isZero();
    }

    @Test
    void tellsThatThereMayBeMoreEvents() throws Exception {
        scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        scene.wake("b", WakeMode.NEXT_HEARTBEAT);
        scene.write(sql -> sql.update("UPDATE event SET taken_at = 1"));

        assertThat(prune(scene.now(), scene.now(), 2)).isTrue();
        assertThat(prune(scene.now(), scene.now(), 2)).isFalse();
    }

    private void finishOne(String key) throws StoreException {
        scene.queue(key);
        ClaimedRun run = scene.claimOne();
        boolean finished =
                scene.write(sql -> scene.runRepository.finish(sql, run, RunState.SUCCEEDED, null, null, null));
        assertThat(finished).isTrue();
    }

    private boolean prune(Instant endedBefore, Instant keysBefore, int max) throws StoreException {
        return scene.write(sql -> RetentionCleanup.prune(sql, endedBefore, keysBefore, max));
    }

    private long count(String table) throws StoreException {
        return scene.store.read(sql -> sql.first("SELECT count(*) AS n FROM " + table, row -> row.number("n"))
                .orElseThrow());
    }
}

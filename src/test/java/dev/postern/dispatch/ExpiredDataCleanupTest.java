package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.TranscriptRepository;
import dev.postern.approval.ApprovalRepository;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.DeliveryRepository;
import dev.postern.channel.EventReporter;
import dev.postern.model.IdGenerator;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiredDataCleanupTest {

    private static final List<String> TABLES = List.of("run", "turn", "delivery");

    @TempDir
    Path home;

    private DispatchFixture fixture;

    @BeforeEach
    void begin() throws Exception {
        fixture = new DispatchFixture(home, TestDatabases.sqlite(home)).start();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void deletesFinishedWorkThatIsTooOldAndNothingElse() throws Exception {
        fixture.ended(fixture.run("hook:old", "old"));
        fixture.time.advance(Duration.ofDays(20));
        fixture.ended(fixture.run("hook:young", "young"));
        fixture.time.advance(Duration.ofDays(20));

        expiredDataCleanup().tidy();

        for (String table : TABLES) {
            assertThat(fixture.texts(
                            "SELECT DISTINCT " + (table.equals("run") ? "message" : "text") + " AS text FROM " + table))
                    .allMatch(text -> text.contains("young"))
                    .isNotEmpty();
        }
        assertThat(fixture.eventTexts(true)).hasSize(2);
    }

    @Test
    void keepsAnIdempotencyKeyForItsOwnTimeAndNoLonger() throws Exception {
        insertKey("old");
        fixture.time.advance(Duration.ofHours(1));
        insertKey("young");
        fixture.time.advance(Duration.ofHours(23));

        expiredDataCleanup().tidy();
        assertThat(keys()).containsExactly("old", "young");
        fixture.time.advance(Duration.ofMillis(1));
        expiredDataCleanup().tidy();

        assertThat(keys()).containsExactly("young");
    }

    @Test
    void beginsSoonAfterTheStart() throws Exception {
        fixture.dispatcher.stop(Duration.ZERO);
        insertKey("old");
        fixture.time.advance(Duration.ofDays(2));

        fixture.firstCleanup(Duration.ofMillis(50)).dispatcher().start();

        await().until(() -> keys().isEmpty());
    }

    @Test
    void deletesMoreThanFitsIntoOnePiece() throws Exception {
        fixture.store.writeAndWait(sql -> {
            for (int i = 0; i < 1_700; i++) {
                sql.update(
                        "INSERT INTO turn (session_key, seq, role, text, created_at)"
                                + " VALUES ('hook:old', ?, 'user', 'x', 0)",
                        i);
            }
            return true;
        });

        expiredDataCleanup().tidy();

        assertThat(fixture.texts("SELECT text FROM turn")).isEmpty();
    }

    @Test
    void rowsThatCannotBeDeletedDoNotKeepTheOthers() throws Exception {
        fixture.ended(fixture.run("hook:old", "old"));
        fixture.store.writeAndWait(sql -> sql.update(
                "CREATE TRIGGER kept BEFORE DELETE ON run" + " BEGIN SELECT RAISE(ABORT, 'the row is kept'); END"));
        fixture.time.advance(Duration.ofDays(40));

        expiredDataCleanup().tidy();

        assertThat(fixture.texts("SELECT text FROM turn")).isEmpty();
        assertThat(fixture.texts("SELECT message AS text FROM run")).hasSize(1);
    }

    private void insertKey(String key) throws StoreException {
        fixture.store.writeAndWait(sql -> sql.update(
                "INSERT INTO idempotency (key, content_sha256, receipts, created_at) VALUES (?, '', '', ?)",
                key,
                fixture.time.millis()));
    }

    private List<String> keys() throws StoreException {
        return fixture.texts("SELECT key AS text FROM idempotency ORDER BY key");
    }

    private ExpiredDataCleanup expiredDataCleanup() {
        return new ExpiredDataCleanup(
                fixture.store,
                new TranscriptRepository(),
                new DeliveryRepository(
                        new ChannelRegistry(Map.of()),
                        new IdGenerator(fixture.time),
                        new EventReporter(new ChannelRegistry(Map.of()), new IdGenerator(fixture.time)),
                        (sql, by) -> {},
                        agent -> Optional.empty()),
                new ApprovalRepository(new IdGenerator(fixture.time)),
                Duration.ofDays(30),
                Duration.ofDays(1),
                (sql, now, most) -> false,
                fixture.time);
    }
}

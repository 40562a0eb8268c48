package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.TranscriptRepository;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.DeliveryRepository;
import dev.postern.model.IdGenerator;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HousekeepingTest {

    private static final List<String> TABLES = List.of("run", "turn", "delivery");

    @TempDir
    Path home;

    private Scenario scenario;

    @BeforeEach
    void begin() throws Exception {
        scenario = new Scenario(home, Databases.sqlite(home)).start();
    }

    @AfterEach
    void end() {
        scenario.close();
    }

    @Test
    void deletesFinishedWorkThatIsTooOldAndNothingElse() throws Exception {
        scenario.ended(scenario.run("hook:old", "old"));
        scenario.time.advance(Duration.ofDays(20));
        scenario.ended(scenario.run("hook:young", "young"));
        scenario.time.advance(Duration.ofDays(20));

        housekeeping().tidy();

        for (String table : TABLES) {
            assertThat(scenario.texts(
                            "SELECT DISTINCT " + (table.equals("run") ? "message" : "text") + " AS text FROM " + table))
                    .allMatch(text -> text.contains("young"))
                    .isNotEmpty();
        }
        assertThat(scenario.eventTexts(true)).hasSize(2);
    }

    @Test
    void keepsAnIdempotencyKeyForItsOwnTimeAndNoLonger() throws Exception {
        insertKey("old");
        scenario.time.advance(Duration.ofHours(1));
        insertKey("young");
        scenario.time.advance(Duration.ofHours(23));

        housekeeping().tidy();
        assertThat(keys()).containsExactly("old", "young");
        scenario.time.advance(Duration.ofMillis(1));
        housekeeping().tidy();

        assertThat(keys()).containsExactly("young");
    }

    @Test
    void beginsSoonAfterTheStart() throws Exception {
        scenario.dispatcher.stop(Duration.ZERO);
        insertKey("old");
        scenario.time.advance(Duration.ofDays(2));

        scenario.firstTidy(Duration.ofMillis(50)).dispatcher().start();

        await().until(() -> keys().isEmpty());
    }

    @Test
    void deletesMoreThanFitsIntoOnePiece() throws Exception {
        scenario.store.writeAndWait(sql -> {
            for (int i = 0; i < 1_700; i++) {
                sql.update(
                        "INSERT INTO turn (session_key, seq, role, text, created_at)"
                                + " VALUES ('hook:old', ?, 'user', 'x', 0)",
                        i);
            }
            return true;
        });

        housekeeping().tidy();

        assertThat(scenario.texts("SELECT text FROM turn")).isEmpty();
    }

    private void insertKey(String key) throws StoreException {
        scenario.store.writeAndWait(sql -> sql.update(
                "INSERT INTO idempotency (key, content_sha256, receipts, created_at) VALUES (?, '', '', ?)",
                key,
                scenario.time.millis()));
    }

    private List<String> keys() throws StoreException {
        return scenario.texts("SELECT key AS text FROM idempotency ORDER BY key");
    }

    private Housekeeping housekeeping() {
        return new Housekeeping(
                scenario.store,
                new TranscriptRepository(),
                new DeliveryRepository(
                        new ChannelRegistry(Map.of()), new IdGenerator(scenario.time), agent -> Optional.empty()),
                Duration.ofDays(30),
                Duration.ofDays(1),
                scenario.time);
    }
}

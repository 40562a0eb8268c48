package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.Transcript;
import dev.postern.channel.Channels;
import dev.postern.channel.Deliveries;
import dev.postern.model.Ids;
import dev.postern.store.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private Housekeeping housekeeping() {
        return new Housekeeping(
                scenario.store,
                new Transcript(),
                new Deliveries(new Channels(Map.of(), Map.of()), new Ids(scenario.time)),
                Duration.ofDays(30),
                Duration.ofDays(1),
                scenario.time);
    }
}

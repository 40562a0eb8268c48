package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Databases;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresIntakeTest extends IntakeContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }

    @Test
    void countsWhatIsPendingFromIndexesAlone() throws Exception {
        List<String> plan = scene.write(sql -> {
            sql.update("SET LOCAL enable_seqscan = off"); // as where there are many rows
            sql.update("SET LOCAL enable_bitmapscan = off");
            return sql.query("EXPLAIN " + PendingCount.COUNT, row -> row.text("QUERY PLAN"));
        });

        assertThat(plan).anyMatch(step -> step.contains("Index Only Scan using run_unfinished"));
        assertThat(plan).anyMatch(step -> step.contains("Index Only Scan using event_waiting"));
    }
}

package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteSessionQueriesTest extends SessionQueriesContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }

    @Test
    void readsNoTableWhole() throws Exception {
        assertThat(plan(SessionQueries.LATEST, 1L, "", null, null, 50))
                .contains("SEARCH session USING INDEX session_used ((used_at,key)<(?,?))")
                .filteredOn(step -> step.contains(" event ") || step.contains(" run "))
                .hasSize(4)
                .allMatch(step -> step.startsWith("SEARCH ") && step.contains("(session_key=?)"));
        assertThat(plan(SessionQueries.LATEST, 1L, "", null, null, 50)).noneMatch(step -> step.contains("TEMP B-TREE"));
        assertThat(plan(SessionQueries.EVENTS, 10, "main:main", 0L, 10))
                .containsExactly("SEARCH event USING INDEX event_waiting (session_key=? AND seq>?)");
    }

    private List<String> plan(String query, Object... args) throws Exception {
        return fixture.store.read(sql -> sql.query("EXPLAIN QUERY PLAN " + query, row -> row.text("detail"), args));
    }
}

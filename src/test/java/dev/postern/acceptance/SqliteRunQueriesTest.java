package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteRunQueriesTest extends RunQueriesContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }

    @Test
    void readsOnlyRunsOfTheHookTheSessionOrTheFailures() throws Exception {
        assertThat(plan("")).anyMatch(step -> step.startsWith("SEARCH run ") && step.contains("(id>? AND id<?)"));
        assertThat(plan(RunFilter.OF_HOOK, "github"))
                .contains("SEARCH run USING INDEX run_hook (hook=? AND id>? AND id<?)");
        assertThat(plan(RunFilter.OF_SESSION.formatted("?, ?"), "hook:a", "agent:ops:hook:a"))
                .contains("SEARCH run USING INDEX run_session (session_key=? AND id>? AND id<?)");
        assertThat(plan(RunFilter.FAILED)).contains("SEARCH run USING INDEX run_failed (id>? AND id<?)");
    }

    private List<String> plan(String condition, String... values) throws Exception {
        String query = RunQueries.ROWS.formatted("id, state, hook, error", condition, "DESC");
        Object[] all = new Object[values.length + 3];
        all[0] = "run_0";
        all[1] = "run_z";
        System.arraycopy(values, 0, all, 2, values.length);
        all[all.length - 1] = RunQueries.WINDOW;
        return fixture().store.read(sql -> sql.query("EXPLAIN QUERY PLAN " + query, row -> row.text("detail"), all));
    }
}

package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.model.HookResult;
import dev.postern.store.BreakableDataSource;
import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresIntakeTest extends IntakeContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @Test
    void countsWhatIsPendingFromIndexesAlone() throws Exception {
        List<String> plan = fixture.write(sql -> {
            sql.update("SET LOCAL enable_seqscan = off"); // as where there are many rows
            sql.update("SET LOCAL enable_bitmapscan = off");
            return sql.query("EXPLAIN " + PendingActionCounter.COUNT, row -> row.text("QUERY PLAN"));
        });

        assertThat(plan).anyMatch(step -> step.contains("Index Only Scan using run_unfinished"));
        assertThat(plan).anyMatch(step -> step.contains("Index Only Scan using event_waiting"));
    }

    @Test
    void doesNotDenyWhatTheDatabaseMayHaveKept() throws Exception {
        BreakableDataSource wire = new BreakableDataSource();
        try (AcceptanceFixture bound =
                new AcceptanceFixture(clock -> Store.open(wire.source(), home.resolve("bound"), "bound", clock))) {
            Submission submission = AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a"));
            wire.breakAtCommit(true);
            HookResult first = bound.intake.accept(submission);
            wire.breakAtCommit(false);
            HookResult repeat = bound.intake.accept(submission);

            assertThat(first)
                    .asInstanceOf(type(HookResult.Uncertain.class))
                    .satisfies(uncertain -> assertThat(uncertain.retryAfter()).isPositive());
            assertThat(repeat)
                    .asInstanceOf(type(HookResult.Accepted.class))
                    .satisfies(accepted -> assertThat(accepted.replayed()).isTrue());
        }
    }
}

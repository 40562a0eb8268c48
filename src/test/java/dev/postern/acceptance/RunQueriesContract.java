package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.RunQueries.Filter;
import dev.postern.acceptance.RunQueries.Line;
import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the operator's run queries, on every database. */
abstract class RunQueriesContract {

    private static final Filter ALL = new Filter(Set.of(), null, null, null, null, null);

    @TempDir
    Path home;

    private AcceptanceFixture fixture;
    private RunQueries runQueries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), 1_000);
        runQueries = new RunQueries(fixture.store);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        fixture.store.close();

        assertThatThrownBy(() -> runQueries.latest(ALL, 10)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> runQueries.find(new RunId("run_1"))).isInstanceOf(StoreException.class);
    }

    @Test
    void findsNoRunThatThereIsNot() throws Exception {
        fixture.queue("hook:a");

        assertThat(runQueries.find(new RunId("run_1"))).isEmpty();
        assertThat(runQueries.find(new RunId("' OR 1 = 1 --"))).isEmpty();
    }

    @Test
    void showsTheLatestFirstAPageAtATime() throws Exception {
        List<RunId> queued = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            queued.add(0, fixture.queue("hook:" + i % 3));
            fixture.clock.advance(Duration.ofMillis(1));
        }

        List<RunId> shown = new ArrayList<>();
        List<Line> page = runQueries.latest(ALL, 10);
        while (!page.isEmpty()) {
            page.forEach(line -> shown.add(line.id()));
            page = runQueries.latest(new Filter(Set.of(), null, null, null, null, shown.get(shown.size() - 1)), 10);
        }

        assertThat(shown).isEqualTo(queued);
    }

    @Test
    void showsThoseThatAreAskedFor() throws Exception {
        RunId first = fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();
        fixture.write(
                sql -> fixture.runRepository.finish(sql, claimed, RunState.FAILED, null, "the model is away", null));
        RunId second = fixture.queue("hook:b");

        assertThat(ids(new Filter(Set.of(RunState.FAILED), null, null, null, null, null)))
                .containsExactly(first);
        assertThat(ids(new Filter(Set.of(RunState.FAILED, RunState.QUEUED), null, null, null, null, null)))
                .containsExactlyInAnyOrder(second, first);
        assertThat(ids(new Filter(Set.of(), fixture.now().minusMillis(1), null, null, null, null)))
                .containsExactly(first);
        assertThat(ids(new Filter(Set.of(), fixture.now(), null, null, null, null)))
                .isEmpty();
        assertThat(ids(new Filter(Set.of(RunState.QUEUED), null, "agent", null, null, null)))
                .containsExactly(second);
        assertThat(ids(new Filter(Set.of(), null, null, null, "hook:a", null))).containsExactly(first);
        assertThat(ids(new Filter(Set.of(), null, "wake", null, null, null))).isEmpty();
        assertThat(ids(new Filter(Set.of(), null, "' OR 1 = 1 --", null, null, null)))
                .isEmpty();
        assertThat(runQueries.latest(new Filter(Set.of(RunState.FAILED), null, null, null, null, null), 10))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.error()).isEqualTo("the model is away");
                    assertThat(line.attempts()).isOne();
                    assertThat(line.finishedAt()).isEqualTo(fixture.now());
                });
    }

    @Test
    void showsWhatWasAskedFor() throws Exception {
        AllowedAction.Turn turn = AcceptanceFixture.turn("hook:a");
        RunId id = fixture.queue("hook:a");

        assertThat(runQueries.find(id)).hasValueSatisfying(entry -> {
            assertThat(entry.run()).isEqualTo(fixture.intake.run(id).found().orElseThrow());
            assertThat(entry.asked())
                    .isEqualTo(new RunQueries.Asked(
                            turn.name(),
                            "agent",
                            true,
                            "next-heartbeat",
                            true,
                            "slack",
                            "C1",
                            "low",
                            Duration.ofSeconds(90),
                            17,
                            "0102",
                            null));
        });
    }

    @Test
    void addsUpHowTheLatestHaveEnded() throws Exception {
        Instant before = fixture.now();
        end(RunState.FAILED);
        Instant first = fixture.now();
        end(RunState.SUCCEEDED);
        end(RunState.SUCCEEDED);
        fixture.queue("hook:waits");
        String model = AcceptanceFixture.turn("hook:a").model();

        assertThat(runQueries.endedSince(before, 10))
                .containsExactlyInAnyOrder(
                        new RunQueries.Tally(model, RunState.FAILED, 1, first),
                        new RunQueries.Tally(model, RunState.SUCCEEDED, 2, fixture.now()));
        assertThat(runQueries.endedSince(first, 10))
                .extracting(RunQueries.Tally::count)
                .containsExactly(2L);
        assertThat(runQueries.endedSince(before, 1))
                .extracting(RunQueries.Tally::count)
                .containsExactly(1L);
        assertThat(runQueries.endedSince(fixture.now(), 10)).isEmpty();
    }

    private void end(RunState state) throws Exception {
        fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.write(sql -> fixture.runRepository.finish(sql, claimed, state, null, null, null));
    }

    private List<RunId> ids(Filter filter) throws StoreException {
        return runQueries.latest(filter, 10).stream().map(Line::id).toList();
    }
}

package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.RunQueries.Filter;
import dev.postern.acceptance.RunQueries.Line;
import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the operator's run queries, on every database. */
abstract class RunQueriesContract {

    private static final Filter ALL = new Filter(null, null, null, null, null);

    @TempDir
    Path home;

    private Scene scene;
    private RunQueries book;

    abstract Databases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        scene = new Scene(database(home), 1_000);
        book = new RunQueries(scene.store);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        scene.store.close();

        assertThatThrownBy(() -> book.latest(ALL, 10)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> book.find(new RunId("run_1"))).isInstanceOf(StoreException.class);
    }

    @Test
    void findsNoRunThatThereIsNot() throws Exception {
        scene.queue("hook:a");

        assertThat(book.find(new RunId("run_1"))).isEmpty();
        assertThat(book.find(new RunId("' OR 1 = 1 --"))).isEmpty();
    }

    @Test
    void showsTheLatestFirstAPageAtATime() throws Exception {
        List<RunId> queued = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            queued.add(0, scene.queue("hook:" + i % 3));
            scene.clock.advance(Duration.ofMillis(1));
        }

        List<RunId> shown = new ArrayList<>();
        List<Line> page = book.latest(ALL, 10);
        while (!page.isEmpty()) {
            page.forEach(line -> shown.add(line.id()));
            page = book.latest(new Filter(null, null, null, null, shown.get(shown.size() - 1)), 10);
        }

        assertThat(shown).isEqualTo(queued);
    }

    @Test
    void showsThoseThatAreAskedFor() throws Exception {
        RunId first = scene.queue("hook:a");
        ClaimedRun claimed = scene.claimOne();
        scene.write(sql -> scene.runRepository.finish(sql, claimed, RunState.FAILED, null, "the model is away", null));
        RunId second = scene.queue("hook:b");

        assertThat(ids(new Filter(RunState.FAILED, null, null, null, null))).containsExactly(first);
        assertThat(ids(new Filter(RunState.QUEUED, "agent", null, null, null))).containsExactly(second);
        assertThat(ids(new Filter(null, null, null, "hook:a", null))).containsExactly(first);
        assertThat(ids(new Filter(null, "wake", null, null, null))).isEmpty();
        assertThat(ids(new Filter(null, "' OR 1 = 1 --", null, null, null))).isEmpty();
        assertThat(book.latest(new Filter(RunState.FAILED, null, null, null, null), 10))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.error()).isEqualTo("the model is away");
                    assertThat(line.attempts()).isOne();
                    assertThat(line.finishedAt()).isEqualTo(scene.now());
                });
    }

    @Test
    void showsWhatWasAskedFor() throws Exception {
        AllowedAction.Turn turn = Scene.turn("hook:a");
        RunId id = scene.queue("hook:a");

        assertThat(book.find(id)).hasValueSatisfying(entry -> {
            assertThat(entry.run()).isEqualTo(scene.intake.run(id).found().orElseThrow());
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
                            "0102"));
        });
    }

    @Test
    void addsUpHowTheLatestHaveEnded() throws Exception {
        Instant before = scene.now();
        end(RunState.FAILED);
        Instant first = scene.now();
        end(RunState.SUCCEEDED);
        end(RunState.SUCCEEDED);
        scene.queue("hook:waits");
        String model = Scene.turn("hook:a").model();

        assertThat(book.endedSince(before, 10))
                .containsExactlyInAnyOrder(
                        new RunQueries.Tally(model, RunState.FAILED, 1, first),
                        new RunQueries.Tally(model, RunState.SUCCEEDED, 2, scene.now()));
        assertThat(book.endedSince(first, 10))
                .extracting(RunQueries.Tally::count)
                .containsExactly(2L);
        assertThat(book.endedSince(before, 1))
                .extracting(RunQueries.Tally::count)
                .containsExactly(1L);
        assertThat(book.endedSince(scene.now(), 10)).isEmpty();
    }

    private void end(RunState state) throws Exception {
        scene.queue("hook:a");
        ClaimedRun claimed = scene.claimOne();
        scene.clock.advance(Duration.ofSeconds(1));
        scene.write(sql -> scene.runRepository.finish(sql, claimed, state, null, null, null));
    }

    private List<RunId> ids(Filter filter) throws StoreException {
        return book.latest(filter, 10).stream().map(Line::id).toList();
    }
}

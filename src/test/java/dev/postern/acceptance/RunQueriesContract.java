package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.acceptance.RunFilter.Order;
import dev.postern.acceptance.RunQueries.Line;
import dev.postern.acceptance.RunQueries.Page;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the operator's run queries, on every database. */
abstract class RunQueriesContract {

    private static final RunFilter ALL = RunFilter.NONE;

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

    AcceptanceFixture fixture() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        fixture.store.close();

        assertThatThrownBy(() -> runQueries.search(ALL, 10)).isInstanceOf(StoreException.class);
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
        Page page = runQueries.search(ALL, 10);
        while (page.next() != null) {
            page.runs().forEach(line -> shown.add(line.id()));
            page = runQueries.search(ordered(Order.NEWEST, page.next()), 10);
        }
        page.runs().forEach(line -> shown.add(line.id()));

        assertThat(shown).isEqualTo(queued);
    }

    @Test
    void showsTheEarliestFirstAPageAtATime() throws Exception {
        List<RunId> queued = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            queued.add(fixture.queue("hook:a"));
            fixture.clock.advance(Duration.ofMillis(1));
        }

        Page first = runQueries.search(ordered(Order.OLDEST, null), 3);
        Page second = runQueries.search(ordered(Order.OLDEST, first.next()), 3);

        assertThat(first.runs()).extracting(Line::id).isEqualTo(queued.subList(0, 3));
        assertThat(second.runs()).extracting(Line::id).isEqualTo(queued.subList(3, 5));
        assertThat(second.next()).isNull();
    }

    @Test
    void showsTheLongestFirst() throws Exception {
        RunId brief = end(Duration.ofSeconds(1));
        RunId lengthy = end(Duration.ofSeconds(9));
        fixture.queue("hook:waits");

        Page page = runQueries.search(ordered(Order.LONGEST, null), 10);

        assertThat(page.runs()).extracting(Line::id).containsExactly(lengthy, brief);
        assertThat(page.next()).isNull();
    }

    @Test
    void findsByModelErrorAndTime() throws Exception {
        RunId early = end(Duration.ofSeconds(1));
        Instant later = fixture.now();
        RunId late = end(Duration.ofSeconds(1));
        String model = AcceptanceFixture.turn("hook:a").model();

        assertThat(ids(search(model, null, null, null))).containsExactly(late, early);
        assertThat(ids(search("another", null, null, null))).isEmpty();
        assertThat(ids(search(null, "100% of LINE_1", null, null))).containsExactly(late, early);
        assertThat(ids(search(null, "ärger", null, null))).containsExactly(late, early);
        assertThat(ids(search(null, "lineX1", null, null))).isEmpty();
        assertThat(ids(search(null, null, later, null))).containsExactly(late);
        assertThat(ids(search(null, null, null, later))).containsExactly(early);
    }

    @Test
    void showsRunsByTheirIds() throws Exception {
        RunId first = fixture.queue("hook:a");
        RunId second = fixture.queue("hook:b");

        assertThat(runQueries.lines(List.of(second, new RunId("run_1"), first)))
                .extracting(Line::id)
                .containsExactly(second, first);
    }

    @Test
    void showsThoseThatAreAskedFor() throws Exception {
        RunId first = fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();
        fixture.write(
                sql -> fixture.runRepository.finish(sql, claimed, RunState.FAILED, null, "the model is away", null));
        RunId second = fixture.queue("hook:b");

        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(RunState.FAILED),
                        /* endedAfter= */ null,
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactly(first);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(RunState.FAILED, RunState.QUEUED),
                        /* endedAfter= */ null,
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactlyInAnyOrder(second, first);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ fixture.now().minusMillis(1),
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactly(first);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ fixture.now(),
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .isEmpty();
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(RunState.QUEUED),
                        /* endedAfter= */ null,
                        /* hook= */ "agent",
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactly(second);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ null,
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ "hook:a",
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactly(first);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ null,
                        /* hook= */ "wake",
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .isEmpty();
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ null,
                        /* hook= */ "' OR 1 = 1 --",
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ null,
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .isEmpty();
        assertThat(runQueries
                        .search(
                                new RunFilter(
                                        /* states= */ Set.of(RunState.FAILED),
                                        /* endedAfter= */ null,
                                        /* hook= */ null,
                                        /* agent= */ null,
                                        /* session= */ null,
                                        /* model= */ null,
                                        /* sender= */ null,
                                        /* error= */ null,
                                        /* since= */ null,
                                        /* until= */ null,
                                        /* order= */ Order.NEWEST,
                                        /* after= */ null),
                                10)
                        .runs())
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.error()).isEqualTo("the model is away");
                    assertThat(line.attempts()).isOne();
                    assertThat(line.finishedAt()).isEqualTo(fixture.now());
                });
    }

    @Test
    void showsTheRunsOfASender() throws Exception {
        fixture.queue("hook:a");
        RunId ofShop = fixture.queue("hook:b");
        fixture.write(sql -> sql.update("UPDATE run SET sender = 'shop' WHERE id = ?", ofShop.value()));

        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ null,
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ "shop",
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .containsExactly(ofShop);
        assertThat(ids(new RunFilter(
                        /* states= */ Set.of(),
                        /* endedAfter= */ null,
                        /* hook= */ null,
                        /* agent= */ null,
                        /* session= */ null,
                        /* model= */ null,
                        /* sender= */ "sho",
                        /* error= */ null,
                        /* since= */ null,
                        /* until= */ null,
                        /* order= */ Order.NEWEST,
                        /* after= */ null)))
                .isEmpty();
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
                            /* hook= */ "agent",
                            /* trusted= */ true,
                            /* wakeMode= */ "next-heartbeat",
                            /* deliver= */ true,
                            /* channel= */ "slack",
                            /* to= */ "C1",
                            /* thinking= */ "low",
                            /* timeout= */ Duration.ofSeconds(90),
                            /* bodyBytes= */ 17,
                            /* bodySha256= */ "0102",
                            /* requestId= */ null));
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

    /** A run that fails after {@code duration}. */
    private RunId end(Duration duration) throws Exception {
        RunId id = fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();
        fixture.clock.advance(duration);
        fixture.write(sql ->
                fixture.runRepository.finish(sql, claimed, RunState.FAILED, null, "At 100% of line_1! Ärger.", null));
        return id;
    }

    private static RunFilter ordered(Order order, @Nullable RunId after) {
        return new RunFilter(
                /* states= */ Set.of(),
                /* endedAfter= */ null,
                /* hook= */ null,
                /* agent= */ null,
                /* session= */ null,
                /* model= */ null,
                /* sender= */ null,
                /* error= */ null,
                /* since= */ null,
                /* until= */ null,
                order,
                after);
    }

    private static RunFilter search(
            @Nullable String model, @Nullable String error, @Nullable Instant since, @Nullable Instant until) {
        return new RunFilter(
                /* states= */ Set.of(),
                /* endedAfter= */ null,
                /* hook= */ null,
                /* agent= */ null,
                /* session= */ null,
                model,
                /* sender= */ null,
                error,
                since,
                until,
                /* order= */ Order.NEWEST,
                /* after= */ null);
    }

    private List<RunId> ids(RunFilter filter) throws StoreException {
        return runQueries.search(filter, 10).runs().stream().map(Line::id).toList();
    }
}

package dev.postern.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.budget.SpendingQueries.DaySpending;
import dev.postern.config.ConfigurationFixture;
import dev.postern.config.Settings;
import dev.postern.model.ModelUse;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of spending, on every database. */
abstract class SpendingContract {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final TurnOrigin AGENT_HOOK = new TurnOrigin("agent", null, "main");

    private static final String YAML =
            """
            agents: {defaults: {model: lab/big, fallbacks: [spare/small]}}
            hooks: {mappings: [{match: {path: github}, template: x}]}
            providers:
              lab: {kind: openai, apiKey: k, prices: {big: {input: %s, output: 10}}}
              spare: {kind: openai, apiKey: l}
            """;

    @TempDir
    Path home;

    @TempDir
    Path configuration;

    private final SettableClock clock = new SettableClock();
    private Store store;
    private SpendingRecorder recorder;
    private SpendingQueries queries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        store = database(home).open(clock);
        recorder = recorder("spd_1", "2.5");
        queries = new SpendingQueries(store, clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void countsNothingOfTransactionThatFails() throws Exception {
        assertThatThrownBy(() -> store.writeAndWait(sql -> {
                    recorder.record(sql, AGENT_HOOK, List.of(used("lab/big", 1, 1)), true);
                    throw new IllegalStateException("after the record");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(queries.since(SpendingDimension.HOOK, HOUR)).isEmpty();
        assertThat(recorder.counters().sum(key("agent", "lab/big"))).isEqualTo(SpendingAmount.NONE);
    }

    @Test
    void countsNothingOfTurnThatOnlyWaits() throws Exception {
        record(AGENT_HOOK, false, used("lab/big", 0, 0));
        record(AGENT_HOOK, true);

        assertThat(queries.since(SpendingDimension.HOOK, HOUR)).isEmpty();
    }

    @Test
    void countsTurnWithoutTokens() throws Exception {
        record(AGENT_HOOK, true, used("spare/small", 0, 0));

        assertThat(queries.since(SpendingDimension.MODEL, HOUR))
                .extracting(each -> each.group().name(), SpendingQueries.GroupSpending::spending)
                .containsExactly(tuple("spare/small", new SpendingAmount(1, 0, 0, null)));
    }

    @Test
    void countsTokensOfTurnThatWillBeTakenAgain() throws Exception {
        record(AGENT_HOOK, false, used("lab/big", 100, 0));

        assertThat(queries.since(SpendingDimension.AGENT, HOUR))
                .extracting(SpendingQueries.GroupSpending::spending)
                .containsExactly(new SpendingAmount(1, 100, 0, 250L));
    }

    @Test
    void dividesTurnBetweenModels() throws Exception {
        record(AGENT_HOOK, true, new ModelUse("lab/big", 100, 0, false), used("spare/small", 100, 20));

        assertThat(queries.since(SpendingDimension.MODEL, HOUR))
                .extracting(each -> each.group().name(), SpendingQueries.GroupSpending::spending)
                .containsExactly(
                        tuple("lab/big", new SpendingAmount(0, 100, 0, 250L)),
                        tuple("spare/small", new SpendingAmount(1, 100, 20, null)));
        assertThat(queries.since(SpendingDimension.PROVIDER, HOUR))
                .extracting(each -> each.group().name())
                .containsExactly("lab", "spare");
    }

    @Test
    void keepsOneNameForAllThatRequestsMakeUp() throws Exception {
        for (int i = 0; i < 3; i++) {
            record(new TurnOrigin("any/" + i, "ci", "main"), true, used("lab/made-up-" + i, 1, 1));
            record(new TurnOrigin("any/" + i, "ci", "main"), true, used("nobody/made-up-" + i, 0, 0));
            record(new TurnOrigin("any/" + i, "ci", "main"), true, used("nothing" + i, 0, 0));
        }

        assertThat(queries.since(SpendingDimension.MODEL, HOUR))
                .extracting(each -> each.group().name(), each -> each.spending().turns())
                .containsExactly(tuple("lab/*", 3L), tuple("*", 6L));
        assertThat(queries.since(SpendingDimension.HOOK, HOUR))
                .extracting(each -> each.group().name())
                .containsExactly("");
        assertThat(queries.since(SpendingDimension.SENDER, HOUR))
                .extracting(each -> each.group().name())
                .containsExactly("ci");
    }

    @Test
    void tellsHeartbeatsFromHooks() throws Exception {
        record(TurnOrigin.heartbeat("main"), true, used("lab/big", 1_000_000, 0));
        record(new TurnOrigin("github", null, "main"), true, used("lab/big", 0, 1_000_000));
        record(new TurnOrigin("elsewhere", null, "main"), true, used("lab/big", 0, 0));

        assertThat(queries.since(SpendingDimension.HOOK, HOUR))
                .extracting(each -> each.group(), each -> each.spending().cost())
                .containsExactly(
                        tuple(new SpendingGroup("github", false), new BigDecimal("10")),
                        tuple(new SpendingGroup("", true), new BigDecimal("2.5")),
                        tuple(new SpendingGroup("", false), BigDecimal.ZERO));
    }

    @Test
    void keepsThePricesOfTheTime() throws Exception {
        record(AGENT_HOOK, true, used("lab/big", 1_000_000, 0));
        recorder = recorder("spd_2", "5");
        record(AGENT_HOOK, true, used("lab/big", 1_000_000, 0));

        assertThat(queries.since(SpendingDimension.MODEL, HOUR))
                .extracting(each -> each.spending().cost())
                .containsExactly(new BigDecimal("7.5"));
    }

    @Test
    void addsUpEachDayInUtc() throws Exception {
        Instant midnight = Instant.parse("2026-03-01T00:00:00Z");
        clock.advance(Duration.between(clock.instant(), midnight.minusMillis(1)));
        record(AGENT_HOOK, true, used("lab/big", 1, 0));
        clock.advance(Duration.ofMillis(1));
        record(AGENT_HOOK, true, used("lab/big", 10, 0));
        record(new TurnOrigin("github", null, "main"), true, used("lab/big", 100, 0));

        List<DaySpending> days = queries.days(SpendingDimension.HOOK, 3);

        assertThat(days)
                .extracting(DaySpending::start, day -> day.spending().inputTokens())
                .containsExactly(
                        tuple(midnight.minus(Duration.ofDays(2)), 0L),
                        tuple(midnight.minus(Duration.ofDays(1)), 1L),
                        tuple(midnight, 110L));
        assertThat(SpendingQueries.total(days))
                .extracting(each -> each.group().name(), each -> each.spending().inputTokens())
                .containsExactly(tuple("github", 100L), tuple("agent", 11L));
    }

    @Test
    void forgetsMinutesAndQuartersBeforeDays() throws Exception {
        record(AGENT_HOOK, true, used("lab/big", 7, 0));
        assertThat(queries.since(SpendingDimension.HOOK, WEEK)).hasSize(1);

        clock.advance(Duration.ofDays(20));
        expire();

        assertThat(queries.since(SpendingDimension.HOOK, Duration.ofDays(8))).isEmpty();
        assertThat(rows()).isEqualTo(1);
        assertThat(SpendingQueries.total(queries.days(SpendingDimension.HOOK, 30)))
                .hasSize(1);

        clock.advance(Duration.ofDays(400));
        expire();
        assertThat(rows()).isZero();
    }

    @Test
    void countsWhatThisProcessHasSpent() throws Exception {
        record(AGENT_HOOK, true, used("lab/big", 1, 2));
        record(AGENT_HOOK, true, used("lab/big", 1, 2));
        record(AGENT_HOOK, true, used("spare/small", 1, 2));

        assertThat(recorder.counters().keys())
                .containsExactlyInAnyOrder(key("agent", "lab/big"), key("agent", "spare/small"));
        assertThat(recorder.counters().sum(key("agent", "lab/big"))).isEqualTo(new SpendingAmount(2, 2, 4, 46L));
    }

    private static SpendingKey key(String hook, String model) {
        return new SpendingKey(SpendingKey.RUN, hook, "", "main", model);
    }

    private static ModelUse used(String model, long input, long output) {
        return new ModelUse(model, input, output, true);
    }

    private void record(TurnOrigin origin, boolean ended, ModelUse... uses) throws StoreException {
        store.writeAndWait(sql -> {
            recorder.record(sql, origin, List.of(uses), ended);
            return true;
        });
    }

    private void expire() throws StoreException {
        while (store.writeAndWait(sql -> SpendingRecorder.expired().deleteBatch(sql, clock.instant(), 100))) {
            // in batches
        }
    }

    private long rows() throws StoreException {
        return store.read(sql -> sql.first("SELECT COUNT(*) AS n FROM spending", row -> row.number("n"))
                .orElseThrow());
    }

    private SpendingRecorder recorder(String writer, String price) {
        Settings settings =
                ConfigurationFixture.yaml(configuration, YAML.formatted(price)).settings();
        return new SpendingRecorder(
                writer, settings, clock, new BudgetRegistry(List.of(), clock, (sql, budget, used) -> {}));
    }
}

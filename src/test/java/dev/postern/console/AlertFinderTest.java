package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.budget.BudgetRegistry.BudgetState;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.Scope;
import dev.postern.config.BudgetSettings.Unit;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.console.ServiceStatus.Tally;
import dev.postern.console.SystemStatus.Part;
import dev.postern.console.SystemStatus.RecentResults;
import dev.postern.ingress.SkippedRequests.OtherPostern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AlertFinderTest {

    private static final AlertFinder CONCERNS = new AlertFinder(true, Duration.ofHours(1));
    private static final Instant NOW = Instant.EPOCH;

    private List<RuntimeInfo.Outage> outages = List.of();
    private List<BudgetLine> budgets = List.of();
    private List<Part> parts = List.of(new Part("commits", "up", ""), new Part("database", "up", ""));
    private boolean answers = true;
    private long waiting;
    private int running;
    private @Nullable Duration oldestRun = Duration.ZERO;
    private @Nullable Duration oldestEvent = Duration.ZERO;
    private RecentResults providers = new RecentResults(List.of(), 0, null, "runs?status=failed");
    private RecentResults channels = new RecentResults(List.of(), 0, null, "deliveries?status=failed");
    private List<String> switchedOff = List.of();
    private List<OtherPostern> otherPosterns = List.of();
    private long undecidedApprovals;
    private long lockedOut;
    private @Nullable Long freeBytes = 1L << 40;

    @Test
    void saysFirstThatTheDatabaseDoesNotAnswerAndSaysItOnce() {
        parts = List.of(
                new Part("database", "down", "the database does not answer; the log says more"),
                new Part("mail", "impaired", "the server is away"));
        answers = false;
        oldestRun = null;
        oldestEvent = null;
        providers = RecentResults.UNKNOWN;
        channels = RecentResults.UNKNOWN;
        freeBytes = null;

        assertThat(CONCERNS.of(standing()))
                .extracting(Alert::sentence)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("The database does not answer."),
                        second -> assertThat(second).isEqualTo("mail: the server is away"));
    }

    @Test
    void saysThatTheDatabaseTakesNothing() {
        parts = List.of(new Part("database", "down", "the database does not take what is written; the log says more"));

        assertThat(sentences())
                .containsExactly("database: the database does not take what is written; the log says more");
    }

    @Test
    void saysThatNothingCanArrive() {
        assertThat(new AlertFinder(false, null).of(standing()))
                .extracting(Alert::sentence)
                .containsExactly("The hooks are off (hooks.enabled is false): every hook request is rejected.");
    }

    @Test
    void saysThatTooMuchWaits() {
        waiting = 79;
        assertThat(sentences()).isEmpty();
        waiting = 80;
        assertThat(sentences())
                .containsExactly("80 actions are pending, of at most 100 (hooks.maxPending). At the limit, senders are"
                        + " told to try again later.");
    }

    @Test
    void saysThatSomethingHasWaitedTooLong() {
        oldestRun = Duration.ofMinutes(5);
        oldestEvent = Duration.ofHours(1);
        assertThat(sentences()).isEmpty();

        oldestRun = Duration.ofMinutes(6);
        oldestEvent = Duration.ofMinutes(61);
        assertThat(sentences())
                .containsExactly(
                        "The oldest queued run has waited for 6 min.",
                        "The oldest event has waited for a heartbeat for 1 h 1 min.");

        running = 8;
        assertThat(sentences())
                .first()
                .isEqualTo("The oldest queued run has waited for 6 min. This node runs as many turns as"
                        + " agents.maxConcurrent allows.");
        assertThat(new AlertFinder(true, null).of(standing()))
                .extracting(Alert::place)
                .containsExactly("runs?status=queued&sort=oldest");
    }

    @Test
    void saysWhatHasFailedLately() {
        providers = new RecentResults(
                ServiceStatus.of(List.of("openai"), List.of(new Tally("openai", false, 2, NOW))),
                3,
                5_000,
                "runs?status=failed,timed_out");
        channels = new RecentResults(
                ServiceStatus.of(List.of("slack"), List.of(new Tally("slack", false, 1, NOW))),
                1,
                null,
                "deliveries?status=failed");

        assertThat(CONCERNS.of(standing()))
                .containsExactly(
                        new Alert(
                                "3 runs failed in the last hour, counted among the latest 5000.",
                                "runs?status=failed,timed_out"),
                        new Alert("1 delivery failed in the last day.", "deliveries?status=failed"));
    }

    @Test
    void namesEachProviderThatIsDown() {
        outages = List.of(new RuntimeInfo.Outage("openai", NOW, "the provider answered 503"));

        assertThat(CONCERNS.of(standing()))
                .containsExactly(new Alert(
                        "The provider openai is down, and its runs wait: the provider answered 503.", "#providers"));
    }

    @Test
    void namesBudgetsThatAreNearlySpentAndWhatHappensToTurns() {
        budgets = List.of(
                budget("half", 50, "hold", null),
                budget("nearly", 80, "hold", null),
                budget("held", 100, "hold", NOW),
                budget("refused", 120, "refuse", NOW),
                budget("failed", 100, "fail", NOW));

        assertThat(sentences())
                .containsExactly(
                        "The budget nearly is used to 80 %.",
                        "The budget held is spent. Turns wait until " + NOW + ".",
                        "The budget refused is spent. Requests are rejected until " + NOW + ".",
                        "The budget failed is spent. Runs fail until " + NOW + ".");
    }

    private static BudgetLine budget(String id, long used, String whenSpent, @Nullable Instant spentUntil) {
        BudgetSettings settings = new BudgetSettings(
                id,
                new Scope(null, null, null, null, null),
                Unit.RUNS,
                100,
                Duration.ofHours(1),
                WhenSpent.valueOf(whenSpent.toUpperCase(Locale.ROOT)),
                80);
        return BudgetLine.of(new BudgetState(settings, used, spentUntil), 0);
    }

    @Test
    void saysWhoAndWhatIsShutOut() {
        switchedOff = List.of("a.js");
        lockedOut = 2;
        freeBytes = 100L << 20;

        assertThat(sentences())
                .containsExactly(
                        "The transform [a.js] is switched off for a minute: it was stopped too often.",
                        "2 clients are locked out after too many wrong tokens, signatures or passwords.",
                        "The disk of the home is nearly full: 104.9 MB are free.");
    }

    @Test
    void anotherPosternIsNamedWithTheMappingThatItReaches() {
        otherPosterns = List.of(new OtherPostern("github-issue-comment", 2, NOW, NOW.plusSeconds(9)));

        assertThat(CONCERNS.of(standing()))
                .containsExactly(new Alert(
                        "Another Postern writes where the mapping github-issue-comment listens: 2 events asked for"
                                + " nothing since 1970-01-01T00:00:00Z.",
                        "requests?code=other_postern"));
    }

    @Test
    void tellsOfToolCallsThatWaitForApproval() {
        undecidedApprovals = 1;
        assertThat(CONCERNS.of(standing()))
                .containsExactly(new Alert("1 tool call waits for approval.", "approvals?undecided=true"));

        undecidedApprovals = 2;
        assertThat(sentences()).containsExactly("2 tool calls wait for approval.");
    }

    private List<String> sentences() {
        return CONCERNS.of(standing()).stream().map(Alert::sentence).toList();
    }

    private SystemStatus standing() {
        return new SystemStatus(
                parts,
                answers,
                waiting,
                /* mostWaiting= */ 100,
                running,
                /* mostRunning= */ 8,
                /* threads= */ "threads of its own",
                oldestRun,
                oldestEvent,
                /* deliveriesPending= */ 0L,
                /* commitMs= */ 1,
                /* commits= */ 1,
                /* failedWrites= */ 0,
                providers,
                channels,
                outages,
                /* waitingForProvider= */ outages.isEmpty() ? 0L : 7L,
                undecidedApprovals,
                budgets,
                switchedOff,
                otherPosterns,
                lockedOut,
                freeBytes,
                /* mail= */ null);
    }
}

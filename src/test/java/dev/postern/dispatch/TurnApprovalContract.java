package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.TurnResult.Interrupted;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnResult.ToolServerDown;
import dev.postern.approval.ApprovalQueries;
import dev.postern.model.AllowedAction;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.OperatorResult;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.TurnRecord;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of dispatch for turns that wait for an operator's approval, on every database. */
abstract class TurnApprovalContract {

    static final Duration WITHIN = Duration.ofHours(24);

    final DeployingBackend backend = new DeployingBackend();
    DispatchFixture fixture;

    /** A scenario on an empty database. */
    abstract DispatchFixture scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        fixture = scenario().provider("test", backend).start();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void refusesACallThatNobodyDecidesAbout() throws StoreException {
        RunId run = paused("hook:1");

        fixture.time.advance(WITHIN.minusMinutes(1));
        assertThat(fixture.view(run).state()).isEqualTo(RunState.QUEUED);
        fixture.time.advance(Duration.ofMinutes(1));

        assertThat(fixture.ended(run).reply()).isEqualTo("[EXPIRED]");
        assertThat(backend.made).isEmpty();
        assertThat(decide(approvals(run).get(0), ApprovalDecision.APPROVED))
                .isEqualTo(new OperatorResult.Conflict("The time for this decision is over."));
    }

    @Test
    void countsTheFirstDecisionAlone() throws StoreException {
        RunId run = paused("hook:1");
        String call = approvals(run).get(0);

        assertThat(decide("apr_00000000000000000000000000", ApprovalDecision.APPROVED))
                .isEqualTo(new OperatorResult.NotFound());
        assertThat(decide(call, ApprovalDecision.REFUSED)).isEqualTo(new OperatorResult.Done("The call is refused."));
        assertThat(decide(call, ApprovalDecision.APPROVED))
                .isEqualTo(new OperatorResult.Conflict("The call is refused already, by ann."));

        assertThat(fixture.ended(run).reply()).isEqualTo("[REFUSED]");
        assertThat(backend.made).isEmpty();
    }

    @Test
    void goesOnOnceAllCallsAreDecidedAbout() throws StoreException {
        backend.calls = 2;
        RunId run = paused("hook:1");
        List<String> calls = approvals(run);

        assertThat(decide(calls.get(1), ApprovalDecision.REFUSED).sentence())
                .isEqualTo("The call is refused. The turn waits for further decisions.");
        fixture.run("hook:2", "another");
        await().until(() -> backend.begun.contains("another"));
        assertThat(fixture.view(run).state()).isEqualTo(RunState.QUEUED);
        decide(calls.get(0), ApprovalDecision.APPROVED);

        assertThat(fixture.ended(run).reply()).isEqualTo("[APPROVED, REFUSED]");
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void holdsNeitherAWorkerNorAnAttempt() throws StoreException {
        RunId run = paused("hook:1");

        RunView waiting = fixture.view(run);
        assertThat(waiting.state()).isEqualTo(RunState.QUEUED);
        assertThat(waiting.attempts()).isZero();
        assertThat(waiting.retryReason()).isEqualTo("an operator has to approve a tool call");
        assertThat(waiting.retryAt()).isEqualTo(fixture.time.instant().plus(WITHIN));
        assertThat(fixture.dispatcher.metrics().running()).isZero();
        assertThat(fixture.dispatcher.runsWaitingForProvider()).isZero();
        assertThat(fixture.dispatcher.undecidedApprovals()).isEqualTo(1);

        assertThat(approved(run).attempts()).isEqualTo(1);
        assertThat(fixture.dispatcher.undecidedApprovals()).isZero();
        assertThat(fixture.view(run).retryAt()).isNull();
    }

    @Test
    void keepsLaterRunsOfTheSessionWaiting() throws StoreException {
        RunId run = paused("hook:1");
        RunId later = fixture.run("hook:1", "later");
        fixture.ended(fixture.run("hook:2", "other"));

        assertThat(backend.begun).doesNotContain("later");
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);

        fixture.ended(later);
        assertThat(backend.begun).containsSubsequence("deploy", "deploy", "later");
    }

    @Test
    void goesOnAfterARestart() throws StoreException {
        RunId run = paused("hook:1");
        fixture.crashAndRestart();

        assertThat(approved(run).reply()).isEqualTo("[APPROVED]");
        assertThat(backend.asked).hasValue(1);
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void makesACallOnceWhoseResultIsWritten() throws StoreException {
        backend.failures.add(new Interrupted("a shutdown"));
        RunId run = paused("hook:1");

        RunView ended = approved(run);

        assertThat(ended.reply()).isEqualTo("[deployed]");
        assertThat(ended.attempts()).isEqualTo(2);
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void makesNoCallAgainWhoseResultIsUnknown() throws StoreException {
        backend.failures.add(new Interrupted("a shutdown"));
        backend.losesResults = true;
        RunId run = paused("hook:1");

        assertThat(approved(run).reply()).isEqualTo("[begun before]");
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void makesACallThatALostTurnDidNotBegin() throws StoreException {
        RunId run = paused("hook:1");
        backend.beforeBegin.set(() -> fixture.store.writeAndWait(sql -> {
            sql.update("DELETE FROM node");
            return fixture.runRepository.recover(sql, 2, (each, beat) -> {});
        }));

        RunView ended = approved(run);

        assertThat(backend.notMade).hasValue(1);
        assertThat(ended.attempts()).isEqualTo(2);
        assertThat(ended.reply()).isEqualTo("[APPROVED]");
        assertThat(backend.made).containsExactly(0);
        assertThat(used()).as("with the lost turn").startsWith("20 in, 4 out");
    }

    @Test
    void makesACallThatCouldNotBeWrittenAsBegun() throws StoreException {
        RunId run = paused("hook:1");
        backend.beforeBegin.set(
                () -> fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE approval RENAME TO away")));
        backend.afterBegin.set(
                () -> fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE away RENAME TO approval")));

        RunView ended = approved(run);

        assertThat(backend.notMade).hasValue(1);
        assertThat(ended.attempts()).isEqualTo(2);
        assertThat(ended.reply()).isEqualTo("[APPROVED]");
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void endsTheQuestionsAndForgetsTheWordsOfARunThatHasEnded() throws StoreException {
        RunId run = paused("hook:1");
        String call = approvals(run).get(0);
        RunId done = paused("hook:2");
        approved(done);

        fixture.dispatcher.operatorCommands().cancel(run);

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.CANCELLED);
        assertThat(decide(call, ApprovalDecision.APPROVED))
                .isEqualTo(new OperatorResult.Conflict("The run has ended: withdrawn."));
        assertThat(fixture.texts("SELECT run_id AS text FROM paused_turn")).isEmpty();
        assertThat(fixture.texts("SELECT id AS text FROM approval WHERE arguments IS NOT NULL OR result IS NOT NULL"))
                .isEmpty();
        assertThat(fixture.dispatcher.undecidedApprovals()).isZero();
    }

    @Test
    void doesNotCountThePauseAgainstTheTimeOfTheTurn() throws StoreException {
        RunId run = paused("hook:1");
        fixture.time.advance(Duration.ofHours(1));

        assertThat(approved(run).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void countsWhatWasUsedBeforeThePauseOnceAfterAnInterruption() throws StoreException {
        backend.failures.add(new Interrupted("a shutdown"));
        RunId run = paused("hook:1");
        assertThat(used()).isEqualTo("10 in, 2 out, 0 call(s)");

        assertThat(approved(run).turn().inputTokens()).isEqualTo(15);
        assertThat(used()).isEqualTo("20 in, 4 out, 1 call(s)");
        assertThat(spent()).containsExactly("20 in, 4 out");
    }

    @Test
    void countsWhatWasUsedBeforeThePauseOnceAfterAnOutage() throws StoreException {
        backend.failures.add(new ProviderDown("it answered 503", Duration.ZERO));
        RunId run = paused("hook:1");
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);
        fixture.time.advance(Duration.ofMinutes(1));

        fixture.ended(run);

        assertThat(used()).isEqualTo("20 in, 4 out, 1 call(s)");
        assertThat(spent()).containsExactly("20 in, 4 out");
    }

    @Test
    void keepsTheRecordOfARunThatIsCancelledWhileItWaits() throws StoreException {
        backend.looksFirst = true;
        RunId run = paused("hook:1");
        assertThat(recorded(fixture.view(run))).isEqualTo("10 in, 2 out, [look]");

        fixture.dispatcher.operatorCommands().cancel(run);

        assertThat(fixture.ended(run).attempts()).isZero();
        assertThat(recorded(fixture.view(run))).isEqualTo("10 in, 2 out, [look]");
        assertThat(spent()).containsExactly("10 in, 2 out");
    }

    @Test
    void recordsTheWholeTurnThatGoesOn() throws StoreException {
        backend.looksFirst = true;
        RunId run = paused("hook:1");

        assertThat(recorded(approved(run))).isEqualTo("15 in, 3 out, [look, deploy]");
        assertThat(spent()).containsExactly("15 in, 3 out");
        assertThat(used()).isEqualTo("15 in, 3 out, 2 call(s)");
    }

    @Test
    void keepsTheRecordWhileTheToolServerIsDown() throws StoreException {
        backend.looksFirst = true;
        RunId run = paused("hook:1");
        toolServerIsDown();
        toolServerIsDown();
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);
        assertThat(recorded(fixture.view(run))).isEqualTo("10 in, 2 out, [look]");

        fixture.time.advance(Duration.ofHours(7));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.FAILED);
        assertThat(recorded(fixture.view(run))).isEqualTo("10 in, 2 out, [look]");
    }

    @Test
    void keepsTheRecordOfAnOutageAfterAPause() throws StoreException {
        backend.looksFirst = true;
        backend.failures.add(new ProviderDown("it answered 503", Duration.ZERO));
        RunId run = paused("hook:1");
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);

        fixture.dispatcher.operatorCommands().cancel(run);

        assertThat(recorded(fixture.ended(run))).isEqualTo("15 in, 3 out, [look, deploy]");
        assertThat(spent()).containsExactly("15 in, 3 out");
    }

    private static String recorded(RunView run) {
        TurnRecord turn = run.turn();
        return turn == null
                ? "nothing"
                : turn.inputTokens() + " in, " + turn.outputTokens() + " out, "
                        + turn.toolCalls().stream()
                                .map(TurnRecord.ToolCall::tool)
                                .toList();
    }

    @Test
    void makesTheApprovedCallOnceItsToolServerIsBack() throws StoreException {
        RunId run = paused("hook:1");
        toolServerIsDown();
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);

        RunView waiting = fixture.view(run);
        assertThat(waiting.state()).isEqualTo(RunState.QUEUED);
        assertThat(waiting.attempts()).isZero();
        assertThat(waiting.retryReason()).isEqualTo("the tool server lab is down");
        assertThat(backend.made).isEmpty();
        fixture.time.advance(Duration.ofMinutes(1));

        assertThat(fixture.ended(run).reply()).isEqualTo("[APPROVED]");
        assertThat(fixture.view(run).attempts()).isEqualTo(1);
        assertThat(backend.made).containsExactly(0);
    }

    @Test
    void failsWhoseToolServerStaysDownAfterAnApproval() throws StoreException {
        RunId run = paused("hook:1");
        toolServerIsDown();
        toolServerIsDown();
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);
        fixture.time.advance(Duration.ofHours(7));

        RunView ended = fixture.ended(run);
        assertThat(ended.state()).isEqualTo(RunState.FAILED);
        assertThat(ended.error()).isEqualTo("the tool server lab is down");
        assertThat(backend.made).isEmpty();
    }

    /** Lets the next turn find the tool server down. */
    private void toolServerIsDown() {
        backend.earlyFailures.add(new ToolServerDown("the tool server lab is down"));
    }

    @Test
    void waitsForTheProviderAsLongAsEverAfterAPause() throws StoreException {
        backend.earlyFailures.add(new ProviderDown("it answered 503", Duration.ZERO));
        backend.failures.add(new ProviderDown("it answered 503", Duration.ZERO));
        RunId run = deploy("hook:1");
        await("the first outage").until(() -> fixture.dispatcher.metrics().postponed() == 1);
        fixture.time.advance(Duration.ofMinutes(1));
        await("the question").until(() -> !approvals(run).isEmpty());
        fixture.time.advance(Duration.ofHours(12));

        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the second outage").until(() -> fixture.dispatcher.metrics().postponed() == 2);
        fixture.time.advance(Duration.ofMinutes(1));

        assertThat(fixture.ended(run).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void countsOnEachNodeWhatWasUsedThere() throws StoreException {
        RunId run = paused("hook:1");
        assertThat(used()).isEqualTo("10 in, 2 out, 0 call(s)");
        fixture.crashAndRestart();
        approved(run);

        assertThat(used()).isEqualTo("5 in, 1 out, 1 call(s)");
        assertThat(spent()).containsExactly("15 in, 3 out");
    }

    @Test
    void countsARunOnceThatGoesOn() throws StoreException {
        restart("few: {runs: 1, per: 1h, whenSpent: fail}");
        RunId run = paused("hook:1");

        assertThat(approved(run).reply()).isEqualTo("[APPROVED]");

        assertThat(fixture.texts("SELECT CAST(SUM(amount) AS text) AS text FROM budget_use"))
                .containsExactly("1");
        RunView next = fixture.ended(fixture.run("hook:2", "another"));
        assertThat(next.error()).startsWith("the budget few is spent until ").endsWith("Z");
    }

    @Test
    void saysThatTheApprovedCallWasNotMadeWhereTheTurnHasSpentItsBudget() throws StoreException {
        restart("tokens: {outputTokens: 2, per: 1h, whenSpent: fail}");
        backend.looksFirst = true;
        backend.calls = 3;
        RunId run = paused("hook:1");
        List<String> calls = approvals(run);
        decide(calls.get(0), ApprovalDecision.APPROVED);
        decide(calls.get(1), ApprovalDecision.APPROVED);
        decide(calls.get(2), ApprovalDecision.REFUSED);

        RunView ended = fixture.ended(run);

        assertThat(ended.state()).isEqualTo(RunState.FAILED);
        assertThat(ended.error())
                .startsWith("the approved calls of lab/deploy were not made: the budget tokens is spent until ");
        assertThat(recorded(ended)).isEqualTo("10 in, 2 out, [look]");
        assertThat(backend.made).isEmpty();
    }

    @Test
    void namesNoCallThatWasRefusedWhereTheTurnHasSpentItsBudget() throws StoreException {
        restart("tokens: {outputTokens: 2, per: 1h, whenSpent: fail}");
        RunId run = paused("hook:1");

        decide(approvals(run).get(0), ApprovalDecision.REFUSED);

        assertThat(fixture.ended(run).error()).startsWith("the budget tokens is spent until ");
    }

    @Test
    void holdsATurnThatHasSpentItsBudgetUntilThereIsRoom() throws StoreException {
        restart("tokens: {outputTokens: 2, per: 1h}");
        RunId run = paused("hook:1");
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        await("the hold").until(() -> "tokens".equals(fixture.view(run).heldBy()));
        assertThat(backend.made).isEmpty();

        fixture.time.advance(Duration.ofHours(1));

        assertThat(fixture.ended(run).reply()).isEqualTo("[APPROVED]");
    }

    private void restart(String budgets) throws StoreException {
        fixture.budgets(budgets).crashAndRestart();
    }

    /** What the turns of this node have used. */
    private String used() {
        DispatchMetrics.Used used = fixture.dispatcher.metrics().used();
        long calls =
                used.toolCalls().values().stream().mapToLong(Long::longValue).sum();
        return used.inputTokens() + " in, " + used.outputTokens() + " out, " + calls + " call(s)";
    }

    private List<String> spent() throws StoreException {
        return fixture.texts("SELECT SUM(input_tokens) || ' in, ' || SUM(output_tokens) || ' out' AS text FROM spending"
                + " WHERE step = 86400000");
    }

    RunId paused(String session) throws StoreException {
        RunId run = deploy(session);
        await("the questions").until(() -> !approvals(run).isEmpty());
        return run;
    }

    private RunId deploy(String session) {
        return fixture.run(new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey(session),
                /* message= */ "deploy",
                /* name= */ "GitHub",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ true,
                /* recipient= */ new Recipient(Recipient.INBOX, null),
                /* model= */ "test/model",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMinutes(10),
                /* provenance= */ DispatchFixture.OUTSIDE,
                /* operatorInstructions= */ new OperatorInstructions(
                        null, Optional.empty(), List.of("lab/deploy"), Optional.empty(), TurnPriority.NORMAL, null)));
    }

    List<String> approvals(RunId run) throws StoreException {
        return new ApprovalQueries(fixture.store)
                .ofRun(run, 10).stream().map(ApprovalQueries.Line::id).toList();
    }

    /** Approves the first call of {@code run}; returns the run once it has ended. */
    private RunView approved(RunId run) throws StoreException {
        decide(approvals(run).get(0), ApprovalDecision.APPROVED);
        return fixture.ended(run);
    }

    private OperatorResult decide(String id, ApprovalDecision decision) throws StoreException {
        return fixture.dispatcher.operatorCommands().decide(id, decision, "ann");
    }
}

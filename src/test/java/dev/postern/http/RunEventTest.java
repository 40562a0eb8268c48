package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RunState;
import dev.postern.model.RunView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the events that a run's record shows, and of their ids. */
class RunEventTest {

    private static final Instant LATER = RunViewFixture.TIME.plusSeconds(60);

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "garbage",
                "0",
                "0.1",
                "0.1.tool.x",
                "0.1.beginning",
                "-1.0.queued",
                "0.1.tool.99999999999999999999",
                "99999999999.1.running",
                "0.1.running.",
                "0.1.RUNNING",
                "0.3.running",
                "1.0.waiting",
                "0.1.end",
                "0.1.reply"
            })
    void takesNoIdThatRunCannotHaveHad(String header) {
        RunView run = new RunViewFixture().state(RunState.RUNNING).attempts(1).view();

        assertThat(RunEventId.parse(header, run)).isEmpty();
    }

    @Test
    void takesEachIdThatItGives() {
        RunView run =
                new RunViewFixture().attempts(2).succeeded("done", "a", "b").view();

        assertThat(RunEvent.of(run)).allSatisfy(event -> assertThat(RunEventId.parse(" " + event.id() + " ", run))
                .isEqualTo(Optional.of(event.id())));
    }

    /** A turn that could not begin after all is not counted, although it was told of. */
    @Test
    void takesIdOfTurnThatDidNotBeginAfterAll() {
        assertThat(RunEventId.parse("0.1.running", new RunViewFixture().view())).isPresent();
    }

    @Test
    void tellsWholeLifeOfRunThatHasEnded() {
        RunView run = new RunViewFixture()
                .attempts(2)
                .succeeded("two\nlines", "read", "write")
                .view();

        assertThat(ids(run))
                .containsExactly(
                        "0.0.queued",
                        "0.1.running",
                        "0.1.queued",
                        "0.2.running",
                        "0.2.tool.1",
                        "0.2.tool.2",
                        "0.2.ended",
                        "0.2.reply",
                        "0.2.end");
        assertThat(text(run))
                .contains(
                        "event: status\nid: 0.0.queued\ndata: {\"runId\":\"run_1\",\"status\":\"queued\",\"attempts\":0,"
                                + "\"acceptedAt\":\"2026-01-02T03:04:05Z\"}\n\n",
                        "event: tool\nid: 0.2.tool.1\ndata: {\"server\":\"server\",\"tool\":\"read\",\"status\":\"ok\","
                                + "\"argumentBytes\":1,\"resultBytes\":2,\"durationMs\":3}\n\n",
                        "event: reply\nid: 0.2.reply\ndata: {\"reply\":\"two\\nlines\"}\n\n",
                        "event: end\nid: 0.2.end\ndata: {\"runId\":\"run_1\",\"status\":\"succeeded\"}\n\n")
                .doesNotContain("own words");
    }

    @Test
    void tellsReasonOfFailureAndNoReply() {
        RunView run = new RunViewFixture().attempts(1).failed("it broke").view();

        assertThat(ids(run)).containsExactly("0.0.queued", "0.1.running", "0.1.ended", "0.1.end");
        assertThat(text(run)).contains("\"status\":\"failed\"", "\"error\":\"it broke\"");
    }

    @Test
    void tellsOfWaitAsLongAsItLasts() {
        RunView waiting = new RunViewFixture().waits(1, LATER).view();
        RunView held = new RunViewFixture().heldBy("daily", LATER).view();
        RunView collecting = new RunViewFixture().collectingUntil(LATER).view();

        assertThat(ids(waiting)).containsExactly("0.0.queued", "1.0.waiting");
        assertThat(text(waiting)).contains("\"retryAt\":\"2026-01-02T03:05:05Z\",\"retryReason\":\"it is down\"");
        assertThat(ids(held)).containsExactly("0.0.queued", "0.0.held." + LATER.toEpochMilli());
        assertThat(text(held)).contains("\"heldBy\":\"daily\"");
        assertThat(ids(collecting)).containsExactly("0.0.collecting." + LATER.toEpochMilli());
        assertThat(text(collecting)).contains("\"collectingUntil\":\"2026-01-02T03:05:05Z\"");
    }

    @Test
    void tellsOfTheCallsOfRunThatWaitsOnceItHasEnded() {
        RunView waiting =
                new RunViewFixture().waits(1, LATER).attempts(1).called("a").view();
        RunView cancelled = new RunViewFixture()
                .waits(1, null)
                .attempts(1)
                .called("a")
                .state(RunState.CANCELLED)
                .view();
        RunEventId last = RunEventId.parse("1.1.waiting", waiting).orElseThrow();

        assertThat(ids(waiting)).containsExactly("0.0.queued", "1.1.waiting");
        assertThat(RunEvent.of(cancelled))
                .filteredOn(event -> event.id().isAfter(last))
                .extracting(event -> event.id().toString())
                .containsExactly("1.1.tool.1", "1.1.ended", "1.1.end");
    }

    /** Whoever has seen one of these states has its last event, and each later state has something after that. */
    @Test
    void hasSomethingNewInEachLaterState() {
        List<RunView> life = List.of(
                new RunViewFixture().collectingUntil(LATER).view(),
                new RunViewFixture().collectingUntil(LATER.plusSeconds(20)).view(),
                new RunViewFixture().view(),
                new RunViewFixture().heldBy("a", LATER).view(),
                new RunViewFixture().heldBy("a", RunViewFixture.TIME).view(),
                new RunViewFixture().state(RunState.RUNNING).attempts(1).view(),
                new RunViewFixture().waits(1, LATER).view(),
                new RunViewFixture()
                        .waits(1, null)
                        .state(RunState.RUNNING)
                        .attempts(1)
                        .view(),
                new RunViewFixture().waits(1, null).attempts(1).view(),
                new RunViewFixture().waits(2, LATER).attempts(1).view(),
                new RunViewFixture()
                        .waits(2, null)
                        .heldBy("a", LATER)
                        .attempts(1)
                        .view(),
                new RunViewFixture()
                        .waits(2, null)
                        .state(RunState.RUNNING)
                        .attempts(2)
                        .view(),
                new RunViewFixture()
                        .waits(2, null)
                        .attempts(2)
                        .succeeded("done", "a")
                        .view());
        RunEventId last = null;
        for (RunView run : life) {
            List<String> news = new ArrayList<>();
            for (RunEvent event : RunEvent.of(run)) {
                if (last == null || event.id().isAfter(last)) {
                    last = event.id();
                    news.add(last.toString());
                }
            }
            assertThat(news).as("news of %s", run).isNotEmpty();
            RunEventId seen = last;
            assertThat(RunEvent.of(run)).noneMatch(event -> event.id().isAfter(seen));
        }
    }

    @Test
    void saysNothingOfTurnThatDidNotBeginAfterAll() {
        RunEventId running =
                RunEventId.parse("0.1.running", new RunViewFixture().view()).orElseThrow();

        assertThat(RunEvent.of(new RunViewFixture().view()))
                .noneMatch(event -> event.id().isAfter(running));
    }

    private static List<String> ids(RunView run) {
        return RunEvent.of(run).stream().map(event -> event.id().toString()).toList();
    }

    private static String text(RunView run) {
        return RunEvent.of(run).stream()
                .map(event -> new String(event.bytes(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }
}

package dev.postern.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.WaitingEvent;
import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeartbeatPromptTest {

    @Test
    void asksNothingWhenThereIsNothing() {
        assertThat(HeartbeatPrompt.of(" \n", List.of())).isEmpty();
    }

    @Test
    void asksForTheStandingInstructionsAlone() {
        HeartbeatPrompt prompt =
                HeartbeatPrompt.of("Look at the backups.", List.of()).orElseThrow();

        assertThat(prompt.events()).isEmpty();
        assertThat(prompt.text().fromOutside()).isEmpty();
        assertThat(prompt.text().text()).startsWith("Look at the backups.\n").endsWith("answer HEARTBEAT_OK.");
    }

    @Test
    void holdsTheEventsInOrderWithTheirTimes() {
        HeartbeatPrompt prompt = HeartbeatPrompt.of("", List.of(event("1", "disk is full"), event("2", "build failed")))
                .orElseThrow();

        assertThat(prompt.events()).containsExactly(new EventId("1"), new EventId("2"));
        assertThat(prompt.text().text())
                .matches(
                        """
                        Since your last heartbeat this came in, oldest first:

                        \\[2026-11-21T12:00:00Z]
                        What stands between the markers .+
                        <<<EXTERNAL_UNTRUSTED_CONTENT id="\\w+">>>
                        Source: hook wake
                        ---
                        disk is full
                        <<<END_EXTERNAL_UNTRUSTED_CONTENT id="\\w+">>>

                        \\[2026-11-21T12:00:00Z]
                        <<<EXTERNAL_UNTRUSTED_CONTENT id="\\w+">>>
                        Source: hook wake
                        ---
                        build failed
                        <<<END_EXTERNAL_UNTRUSTED_CONTENT id="\\w+">>>

                        Do what has to be done about it. If there is nothing to tell anybody, answer HEARTBEAT_OK.""");
    }

    @Test
    void leavesForTheNextWhatHasNoRoom() {
        String third = "x".repeat(20_000);
        HeartbeatPrompt prompt = HeartbeatPrompt.of(
                        "",
                        List.of(
                                event("1", third),
                                event("2", third),
                                event("3", third.substring(1)),
                                event("4", "y"),
                                event("5", "z")))
                .orElseThrow();

        assertThat(prompt.events())
                .containsExactly(new EventId("1"), new EventId("2"), new EventId("3"), new EventId("4"));
    }

    @Test
    void tellsTheBeginningOfAnEventThatIsTooLongAndThatItIsCut() {
        HeartbeatPrompt prompt = HeartbeatPrompt.of(
                        "", List.of(event("1", "x".repeat(19_998) + "😀".repeat(90_001)), event("2", "y")))
                .orElseThrow();

        assertThat(prompt.events()).containsExactly(new EventId("1"), new EventId("2"));
        assertThat(prompt.text().fromOutside()).isEqualTo("x".repeat(19_998) + "…\ny");
        assertThat(prompt.text().text().lines())
                .containsOnlyOnce("[cut here: the event has 200000 characters]")
                .anyMatch(line -> line.startsWith("xxx") && line.length() == 19_999);
    }

    private static WaitingEvent event(String id, String text) {
        return new WaitingEvent(
                new EventId(id), text, Provenance.untrusted("wake"), null, Instant.parse("2026-11-21T12:00:00Z"));
    }
}

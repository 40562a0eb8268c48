package dev.postern.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.WaitingEvent;
import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BeatPromptTest {

    @Test
    void asksNothingWhenThereIsNothing() {
        assertThat(BeatPrompt.of(" \n", List.of())).isEmpty();
    }

    @Test
    void asksForTheStandingInstructionsAlone() {
        BeatPrompt prompt = BeatPrompt.of("Look at the backups.", List.of()).orElseThrow();

        assertThat(prompt.events()).isEmpty();
        assertThat(prompt.text().fromOutside()).isEmpty();
        assertThat(prompt.text().text()).startsWith("Look at the backups.\n").endsWith("answer HEARTBEAT_OK.");
    }

    @Test
    void holdsTheEventsInOrderWithTheirTimes() {
        BeatPrompt prompt = BeatPrompt.of("", List.of(event("1", "disk is full"), event("2", "build failed")))
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
        BeatPrompt prompt = BeatPrompt.of("", List.of(event("1", "x".repeat(59_999)), event("2", "y"), event("3", "z")))
                .orElseThrow();

        assertThat(prompt.events()).containsExactly(new EventId("1"), new EventId("2"));
    }

    @Test
    void takesOneEventHoweverLongItIs() {
        BeatPrompt prompt = BeatPrompt.of("", List.of(event("1", "x".repeat(200_000)), event("2", "y")))
                .orElseThrow();

        assertThat(prompt.events()).containsExactly(new EventId("1"));
    }

    private static WaitingEvent event(String id, String text) {
        return new WaitingEvent(
                new EventId(id), text, Provenance.untrusted("wake"), null, Instant.parse("2026-11-21T12:00:00Z"));
    }
}

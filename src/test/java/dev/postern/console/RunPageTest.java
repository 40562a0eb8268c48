package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sentences of a run's page that depend on its state. */
class RunPageTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T12:03:06Z"));
    private static final String RETRY_AT = "2026-11-21T12:59:06Z";

    @Test
    void tellsUntilWhenARunWaitsForItsBudget() {
        assertThat(textOf("queued", Map.of("heldBy", "runs", "retryAt", RETRY_AT)))
                .contains("Waits for the budget runs until 2026-11-21 12:59:06 UTC (in 56 min)");
    }

    @Test
    void tellsUntilWhenARunWaitsForItsProvider() {
        assertThat(textOf("queued", Map.of("retryAt", RETRY_AT, "retryReason", "it is down")))
                .contains("Waits for its provider until 2026-11-21 12:59:06 UTC (in 56 min): it is down");
    }

    @Test
    void tellsUntilWhenARunCollectsRequests() {
        assertThat(textOf("queued", Map.of("collectingUntil", RETRY_AT)))
                .contains("Collects further requests until 2026-11-21 12:59:06 UTC (in 56 min); 1 so far");
    }

    @Test
    void promisesNoDeliveryOfARunThatHasEnded() {
        assertThat(textOf("queued", Map.of())).contains("No deliveries yet.");
        assertThat(textOf("cancelled", Map.of()))
                .doesNotContain("No deliveries yet")
                .contains("No deliveries. The run ended without one.");
    }

    private static String textOf(String status, Map<String, Object> more) {
        Map<String, Object> run = new HashMap<>(Map.of(
                "runId",
                "run_1",
                "status",
                status,
                "agentId",
                "main",
                "sessionKey",
                "hook:1",
                "model",
                "test/model",
                "items",
                1,
                "attempts",
                0,
                "deliveries",
                List.of()));
        run.putAll(more);
        Map<String, Object> asked = new HashMap<>(Map.of(
                "hook", "agent",
                "name", "Hook",
                "trusted", false,
                "timeout", "PT10M",
                "wakeMode", "now",
                "deliver", false,
                "channel", "last",
                "bodyBytes", 2,
                "bodySha256", "00"));
        Map<String, Object> shown =
                Map.of("run", run, "asked", asked, "approvals", List.of(), "steps", List.of(), "items", List.of());
        Map<String, Object> assets = Map.of("icon", "i", "style", "s", "htmx", "h", "script", "c");
        String page = new PageRenderer(CLOCK)
                .page("run", Map.of("shown", shown, "base", "/", "again", "/", "word", "", "assets", assets));
        return page.replaceAll("<[^>]*>", "").replaceAll("\\s+", " ");
    }
}

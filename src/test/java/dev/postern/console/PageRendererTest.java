package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageRendererTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T12:03:06Z"));

    @Test
    void leadsToWhatIsMeantAndNotToHowItIsShown() {
        String page = new PageRenderer(CLOCK)
                .page("test-page", Map.of("shown", Map.of("key", "a:\u202E<b>/&\"", "number", 1_234_567_890_123L)));

        assertThat(page)
                .isEqualToIgnoringNewLines(
                        "<a href=\"?key=a%3A%E2%80%AE%3Cb%3E%2F%26%22&amp;before=1234567890123&amp;none=\">"
                                + "a:⟦U+202E⟧&lt;b&gt;/&amp;&quot;</a>");
    }

    @Test
    void writesAgesWithTimesAndZones() {
        Map<String, Object> shown =
                Map.of("times", List.of("2026-11-21T12:00:05.123Z", "2026-11-21T12:00:05Z"), "durations", List.of());

        assertThat(formatted(shown))
                .contains(
                        "<time datetime=\"2026-11-21T12:00:05.123Z\" title=\"2026-11-21 12:00:05 UTC\">3 min ago</time>",
                        "<time datetime=\"2026-11-21T12:00:05Z\" title=\"2026-11-21 12:00:05 UTC\">3 min ago</time>");
    }

    @Test
    void writesDurationsInOneFormat() {
        Map<String, Object> shown = Map.of("times", List.of(), "durations", List.of("PT2M5S", "", 1_300L, 0.42));

        assertThat(formatted(shown)).contains("[2 min 5 s][unknown][1.3 s][0.4 ms]");
    }

    @Test
    void writesSizesWithTheirUnit() {
        assertThat(formatted(Map.of("times", List.of(), "durations", List.of(), "bytes", 3_400_000L)))
                .contains("(3.4 MB)");
    }

    @Test
    void namesEachCellForScreensWithoutRoomForATable() throws IOException {
        try (Stream<Path> templates = Files.list(Path.of("src/main/resources/dev/postern/console"))) {
            for (Path template :
                    templates.filter(file -> file.toString().endsWith(".ftlh")).toList()) {
                String withoutName = "<td(?![^>]*(data-label|colspan)=)[^>]*>(?!</td>)";
                assertThat(Files.readString(template)).as(template.toString()).doesNotContainPattern(withoutName);
            }
        }
    }

    private static String formatted(Map<String, Object> shown) {
        return new PageRenderer(CLOCK).page("test-formats", Map.of("shown", shown));
    }
}

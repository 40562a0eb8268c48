package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PageRendererTest {

    @Test
    void leadsToWhatIsMeantAndNotToHowItIsShown() {
        String page = new PageRenderer()
                .page("test-page", Map.of("shown", Map.of("key", "a:\u202E<b>/&\"", "number", 1_234_567_890_123L)));

        assertThat(page)
                .isEqualToIgnoringNewLines(
                        "<a href=\"?key=a%3A%E2%80%AE%3Cb%3E%2F%26%22&amp;before=1234567890123&amp;none=\">"
                                + "a:⟦U+202E⟧&lt;b&gt;/&amp;&quot;</a>");
    }
}

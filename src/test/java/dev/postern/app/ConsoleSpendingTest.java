package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.WebElement;

/** Tests of the pages that show tokens and cost, in a browser. */
class ConsoleSpendingTest {

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();

    @BeforeEach
    void enter() {
        CONSOLE.enter(OPERATOR);
    }

    @Test
    void showsTokensAndCostOfEachHook() {
        assertThat(browser.all("svg[aria-label^='Tokens by hook']")).isEmpty();
        CONSOLE.post("agent", Map.of("message", "hello", "wakeMode", "next-heartbeat"));

        CONSOLE.openLive("");
        assertThat(browser.find("svg[aria-label^='Tokens by hook']").getAttribute("aria-label"))
                .isEqualTo("Tokens by hook: agent 1204 in and 61 out, cost 1.814");

        CONSOLE.open("hooks");
        assertThat(browser.text()).contains("1204 in, 61 out, cost 1.814");

        CONSOLE.open("spending?by=model");
        assertThat(browser.all("tbody tr").stream().map(WebElement::getText).toList())
                .anySatisfy(row -> assertThat(row).startsWith("openai/a-model 1 1204 61 1.814"))
                .anySatisfy(row -> assertThat(row).startsWith("all 1 1204 61 1.814"));

        CONSOLE.open("runs");
        browser.follow(browser.find("main a[href*='runs/run_']"));
        assertThat(browser.text()).contains("1204 in, 61 out", "1.814");
    }

    @Test
    void rejectsUnknownDimension() {
        CONSOLE.allowBrowserErrors();

        CONSOLE.open("spending?by=colour");

        assertThat(browser.text()).contains("by must be one of hook, sender, agent, provider, model.");
    }
}

package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static dev.postern.app.ConsoleBrowserExtension.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.Select;

/** Tests of the operators' actions in the console, in a browser. */
@Tag("long")
class ConsoleActionsTest {

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();

    @Test
    void sendsAFailedDeliveryOnceMore() {
        CONSOLE.setSlackResponse("{\"ok\":false,\"error\":\"channel_not_found\"}");
        String run = run("To Slack", "channel", "slack", "to", "C0123456789");
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("deliveries?channel=slack");
        browser.until("the failure", any -> rowOf(run).contains("failed") ? true : null);
        assertThat(rowOf(run)).contains("channel_not_found");

        CONSOLE.setSlackResponse("{\"ok\":true,\"ts\":\"1.2\"}");
        browser.updatesOff();
        browser.follow(browser.find("button[aria-label^='Try again']"));

        assertThat(browser.find(".word").getText()).isEqualTo("The delivery is tried again now.");
        assertThat(browser.address()).endsWith("/deliveries?channel=slack");
        browser.until("the delivery", any -> rowOf(run).contains("delivered") ? true : null);
        assertThat(latestAct()).contains(OPERATOR, "deliveries/again");
    }

    @Test
    void cancelsARunAndHasItRunAgain() {
        CONSOLE.delayModelReplies();
        String run = CONSOLE.post("agent", ConsoleBrowserExtension.token(), "{\"message\":\"slow\"}")
                .path("runId")
                .asText();
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("runs/" + run);

        browser.follow(browser.button("Cancel"));
        browser.until("the end of the run", any -> {
            CONSOLE.open("runs/" + run);
            return browser.find(".status").getText().equals("cancelled") ? true : null;
        });

        CONSOLE.setModelReply("This time it is quick.");
        browser.follow(browser.button("Run again"));
        assertThat(browser.heading()).startsWith("Run run_").doesNotContain(run);
        browser.until(
                "the end of the other run", any -> browser.text().contains("This time it is quick.") ? true : null);
        assertThat(browser.button("Run again").isDisplayed()).isTrue();
        assertThat(latestAct()).contains(OPERATOR, "runs/again", run);
    }

    @Test
    void hasAnAgentLookAtItsEventsNow() {
        CONSOLE.setModelReply("I have seen that release 2.4 is out.");
        CONSOLE.post("wake", Map.of("text", "Release 2.4 is out", "mode", "next-heartbeat"));
        CONSOLE.enter(OPERATOR);
        browser.follow(browser.link("Sessions"));
        browser.updatesOff();
        browser.follow(browser.link("main"));
        assertThat(browser.text()).contains("Release 2.4 is out");

        browser.follow(browser.button("Start heartbeat"));

        assertThat(browser.find(".word").getText()).isEqualTo("The heartbeat of main is due now.");
        browser.until("the heartbeat's words", any -> {
            CONSOLE.open("inbox");
            return browser.text().contains("I have seen that release 2.4 is out.") ? true : null;
        });
        assertThat(latestAct()).contains(OPERATOR, "agents/beat", "main");
    }

    @Test
    void discardsAnEventThatWaits() {
        CONSOLE.post("wake", Map.of("text", "Never to be handled", "mode", "next-heartbeat"));
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("session?key=main:main");
        browser.updatesOff();

        WebElement line = browser.all("tbody tr").stream()
                .filter(row -> row.getText().contains("Never to be handled"))
                .findFirst()
                .orElseThrow();
        browser.follow(line.findElement(By.tagName("button")));

        assertThat(browser.find(".word").getText()).startsWith("The event is discarded.");
        assertThat(browser.text()).doesNotContain("Never to be handled");
        assertThat(latestAct()).contains(OPERATOR, "events/discard", "evt_");
        CONSOLE.open("requests?hook=wake");
        browser.follow(browser.find("tbody a[href*='requests/req_']"));
        assertThat(browser.text()).contains("event discarded by an operator");
    }

    @Test
    void letsAClientThatWasLockedOutTryAgain() {
        CONSOLE.enter(OPERATOR);
        for (int i = 0; i < 20; i++) {
            CONSOLE.post("wake", "guessed", "{}");
        }
        browser.follow(browser.link("Settings"));

        browser.follow(browser.button("Unlock"));

        assertThat(browser.find(".word").getText()).isEqualTo("127.0.0.1 is unlocked.");
        assertThat(browser.text()).doesNotContain("Unlock");
        assertThat(latestAct()).contains(OPERATOR, "clients/unlock", "127.0.0.1");
    }

    @Test
    void triesAMappingAndDoesNothing() {
        CONSOLE.enter(VIEWER);
        CONSOLE.open("runs");
        int runs = browser.all("tbody tr").size();
        browser.follow(browser.link("Try a mapping"));

        new Select(browser.find("select[name=sample]")).selectByVisibleText("GitHub: an issue");
        browser.follow(browser.button("Load sample"));
        browser.follow(browser.button("Try it"));

        assertThat(browser.text()).contains("Response: 202", "Checkout fails for empty baskets", "Allowed by policy");
        assertThat(browser.find("pre").getText()).contains("EXTERNAL_UNTRUSTED_CONTENT", "Checkout fails");
        CONSOLE.open("runs");
        assertThat(browser.all("tbody tr")).hasSize(runs);
    }

    @Test
    void offersAViewerNothingToDo() {
        run("For a viewer", "channel", "slack", "to", "C0123456789");
        CONSOLE.enter(VIEWER);

        for (String page : CONSOLE.everyPage().values()) {
            CONSOLE.open(page);
            assertThat(browser.all("main form[method=post]:not(.trial)"))
                    .as(page)
                    .isEmpty();
        }
    }

    private String run(String message, String... more) {
        return CONSOLE.post("agent", Map.of("message", message, more[0], more[1], more[2], more[3]))
                .path("runId")
                .asText();
    }

    /** The text of the table's row for {@code run}. */
    private String rowOf(String run) {
        return browser.until("the row of " + run, any -> any.findElements(By.cssSelector("tbody tr")).stream()
                .map(row -> row.getText())
                .filter(text -> text.contains(run))
                .findFirst()
                .orElse(null));
    }

    private String latestAct() {
        CONSOLE.open("audit");
        return browser.find("tbody tr").getText();
    }
}

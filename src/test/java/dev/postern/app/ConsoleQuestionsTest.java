package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Tests of the questions that an operator has about a request, in a browser with and without scripts. */
@Tag("long")
class ConsoleQuestionsTest {

    private static final int MOST_CLICKS = 3;

    private static final String PUSH =
            """
            {"ref":"refs/heads/main","repository":{"full_name":"acme/shop"},"sender":{"login":"ana"},
             "commits":[{"id":"ec26c3e57ca3","author":{"name":"Ana"},"message":"Take the free port"}],"compare":"c"}""";

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();
    private int clicks;

    @BeforeEach
    void receivePushes() {
        CONSOLE.setModelReply("Ana has made the test take a free port.");
        push("{\"ref\":");
        assertThat(push(PUSH).path("ok").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysThatAPushArrived(boolean scripts) {
        openOverview(scripts);

        click(browser.link("Requests"));

        WebElement row = rows().get(0);
        assertThat(row.getText()).contains("github", "github-push", "202 accepted");
        assertThat(row.findElement(By.tagName("time")).getAttribute("datetime")).isNotEmpty();
        assertThat(clicks).isLessThanOrEqualTo(MOST_CLICKS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysWhyTheOneBeforeWasRefused(boolean scripts) {
        openOverview(scripts);

        click(browser.link("Requests"));
        click(rows().get(1).findElement(By.cssSelector("a[href*='requests/']")));

        assertThat(browser.text())
                .contains("400 invalid_json", "Failed check: the body.", "The body is JSON in UTF-8.")
                .contains("first byte received", "answered 400 invalid_json");
        assertThat(clicks).isLessThanOrEqualTo(MOST_CLICKS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysWhatTheAgentReplied(boolean scripts) {
        openOverview(scripts);

        click(browser.link("Requests"));
        click(rows().get(0).findElement(By.cssSelector("a[href*='requests/']")));
        assertThat(browser.text()).contains("mapped by github-push, answered 202 accepted", "run succeeded");
        click(browser.find("main a[href*='runs/']"));

        assertThat(browser.find("pre").getText()).isEqualTo("Ana has made the test take a free port.");
        assertThat(clicks).isLessThanOrEqualTo(MOST_CLICKS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsItAgain(boolean scripts) {
        openOverview(scripts);

        click(browser.link("Requests"));
        click(rows().get(0).findElement(By.cssSelector("a[href*='requests/']")));
        click(browser.button("Replay"));

        assertThat(browser.find(".word").getText()).startsWith("The request was replayed. The new request is req_");
        assertThat(browser.heading()).startsWith("Run run_");
        assertThat(clicks).isLessThanOrEqualTo(MOST_CLICKS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replaysChosenRequestsAfterAPreview(boolean scripts) {
        openOverview(scripts);
        click(browser.link("Requests"));
        browser.find("input[name=hook]").sendKeys("github");
        click(browser.button("Show"));
        String filtered = browser.address();
        rows().get(0).findElement(By.cssSelector("input[type=checkbox]")).click();
        rows().get(1).findElement(By.cssSelector("input[type=checkbox]")).click();
        click(browser.button("Replay the chosen requests…"));
        assertThat(rows()).hasSize(2);
        assertThat(rows().get(0).getText()).contains("400 invalid_json");
        assertThat(rows().get(1).getText()).contains("202 github-push", "1 action");

        click(browser.button("Replay 2 of 2"));

        assertThat(browser.address()).isEqualTo(filtered).contains("hook=github");
        assertThat(browser.find(".word").getText())
                .contains("1 × The request was replayed.", "1 × The replay was answered 400 invalid_json");
        assertThat(rows().get(0).getText()).contains("202 accepted");
        CONSOLE.open("audit");
        assertThat(rows().get(0).getText()).contains(OPERATOR, "requests/replay");
        assertThat(rows().get(1).getText()).contains(OPERATOR, "requests/replay");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancelsChosenRunsThatHaveNotEnded(boolean scripts) {
        CONSOLE.delayModelReplies();
        for (int i = 0; i < 2; i++) {
            CONSOLE.post(
                    "agent",
                    ConsoleBrowserExtension.token(),
                    ConsoleBrowserExtension.json(Map.of("message", "slow", "sessionKey", "hook:slow" + scripts)));
        }
        openOverview(scripts);
        click(browser.link("Runs"));
        for (int i = 0; i < 3; i++) {
            rows().get(i).findElement(By.cssSelector("input[type=checkbox]")).click();
        }

        click(browser.button("Cancel the chosen"));

        assertThat(browser.heading()).isEqualTo("Runs");
        assertThat(browser.find(".word").getText()).contains("1 × The run has already ended: succeeded.");
        browser.until("the end of both runs", any -> {
            CONSOLE.open("runs?status=cancelled&session=hook:slow" + scripts);
            return rows().size() == 2 ? true : null;
        });
    }

    private JsonNode push(String body) {
        return CONSOLE.post(
                "github", ConsoleBrowserExtension.token(), body, "X-GitHub-Event", "push", "Prefer", "wait=20");
    }

    private void openOverview(boolean scripts) {
        if (!scripts) {
            browser.scriptsOff();
        }
        CONSOLE.enter(OPERATOR);
        clicks = 0;
    }

    private void click(WebElement what) {
        browser.follow(what);
        browser.updatesOff();
        clicks++;
    }

    private List<WebElement> rows() {
        return browser.all("tbody tr");
    }
}

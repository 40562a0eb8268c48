package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static dev.postern.app.ConsoleBrowserExtension.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests of what people usually do with the console, in a browser. */
@Tag("long")
class ConsoleJourneyTest {

    /** The form of a time on a page, in the time zone of this machine. */
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();

    @Test
    void saysThatAPasswordIsWrong() {
        CONSOLE.allowBrowserErrors();
        CONSOLE.open("");

        CONSOLE.logIn(OPERATOR, "guessed");

        assertThat(browser.find("[role=alert]").getText()).contains("wrong");
        assertThat(browser.all("nav")).isEmpty();
        CONSOLE.logIn(OPERATOR, ConsoleBrowserExtension.passwordOf(OPERATOR));
        assertThat(browser.heading()).isEqualTo("Overview");
    }

    @Test
    void leadsThroughTheLoginToWhereALinkLed() {
        CONSOLE.open("runs?status=failed&hook=agent");
        assertThat(browser.heading()).isEqualTo("Log in");

        CONSOLE.logIn(VIEWER, ConsoleBrowserExtension.passwordOf(VIEWER));

        assertThat(browser.address()).isEqualTo(CONSOLE.at("runs?status=failed&hook=agent"));
        assertThat(browser.heading()).isEqualTo("Runs");
        assertThat(browser.find("select[name=status]").getAttribute("value")).isEqualTo("failed");
    }

    @Test
    void showsNothingMoreAfterTheLogout() {
        CONSOLE.enter(VIEWER);
        browser.follow(browser.link("Runs"));

        browser.follow(browser.button("Log out"));
        assertThat(browser.heading()).isEqualTo("Log in");

        browser.back();
        browser.until("the login", any -> browser.heading().equals("Log in") ? true : null);
    }

    @ParameterizedTest
    @ValueSource(strings = {OPERATOR, VIEWER})
    void leadsToEachPageByTheMenu(String user) {
        CONSOLE.enter(user);
        List<String> pages = browser.texts("nav a");

        assertThat(pages).contains("Overview", "Requests", "Runs", "Deliveries", "Inbox");
        for (String page : pages) {
            browser.follow(browser.link(page));
            assertThat(browser.heading()).isEqualTo(page);
            assertThat(browser.find("nav [aria-current=page]").getText()).isEqualTo(page);
        }
    }

    /** Did the hook from 14:05 arrive, and what did the agent answer? */
    @Test
    void answersTheFirstQuestionInThreeClicks() {
        CONSOLE.setModelReply("The build failed because a test waits for a port.");
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        CONSOLE.post("agent", Map.of("name", "CI", "message", "Why did the build fail?"));
        CONSOLE.enter(VIEWER);

        browser.follow(browser.link("Requests"));
        browser.updatesOff();
        WebElement row = browser.find("tbody tr");
        assertThat(row.getText()).contains("agent", "202 accepted");
        WebElement time = row.findElement(By.tagName("time"));
        Instant then = Instant.parse(Objects.requireNonNull(time.getAttribute("datetime")));
        assertThat(then).isBetween(before, Instant.now());
        assertThat(time.getText()).matches("just now|[0-9]+ s ago");
        assertThat(time.getAttribute("title")).matches(CLOCK.format(then) + " [A-Z]{3,4}([+−][0-9:]+)? \\(.* UTC\\)");
        browser.follow(row.findElement(By.tagName("a")));
        assertThat(browser.text()).contains("202 accepted", "admitted by", "token");
        browser.follow(browser.find("main a[href*='runs/']"));

        assertThat(browser.find("pre").getText()).isEqualTo("The build failed because a test waits for a port.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"requests", "runs"})
    void showsWhatArrivesWhileThePageIsOpen(String place) {
        CONSOLE.enter(VIEWER);
        CONSOLE.openLive(place);
        browser.script("window.opened = 'once'");
        WebElement before = browser.find("tbody tr");

        String run = CONSOLE.post("agent", Map.of("message", "anything new?"))
                .path("runId")
                .asText();

        browser.until("the run " + run, any -> browser.text().contains(run) ? true : null);
        assertThat(browser.script("return window.opened")).isEqualTo("once");
        assertThat(browser.find("tbody tr")).isNotEqualTo(before);
        assertThat(browser.find("tbody time").getAttribute("title")).endsWith(" UTC)");
    }

    @Test
    void leadsToOlderRunsBehindThoseThatCameWhileThePageWasOpen() {
        CONSOLE.enter(VIEWER);
        CONSOLE.openLive("runs?session=growing");
        assertThat(browser.text()).contains("No runs with these properties");
        String first = "";
        for (int i = 0; i < 51; i++) {
            String run = CONSOLE.post("agent", Map.of("message", "m", "model", "offline/echo", "sessionKey", "growing"))
                    .path("runId")
                    .asText();
            first = first.isEmpty() ? run : first;
        }
        browser.until("a full page", any -> browser.texts("tbody tr").size() == 50 ? true : null);

        browser.updatesOff();
        browser.follow(browser.link("Older runs"));

        assertThat(browser.texts("tbody tr")).singleElement().asString().contains(first);
    }

    @Test
    void filtersAndTurnsPagesWithoutScripts() {
        for (int i = 0; i < 51; i++) {
            CONSOLE.post("agent", Map.of("message", "m", "name", "paging", "model", "offline/echo", "sessionKey", "p"));
        }
        browser.scriptsOff();
        CONSOLE.enter(VIEWER);
        browser.follow(browser.link("Runs"));

        browser.find("input[name=session]").sendKeys("p");
        browser.follow(browser.button("Show"));
        assertThat(browser.all("tbody tr")).hasSize(50);
        browser.follow(browser.link("Older runs"));

        assertThat(browser.all("tbody tr")).hasSize(1);
        assertThat(browser.find("input[name=session]").getAttribute("value")).isEqualTo("p");
        assertThat(browser.find("tbody time").getText()).matches("just now|[0-9]+ (s|min) ago");
        assertThat(browser.find("tbody time").getAttribute("title")).endsWith(" UTC");
        browser.follow(browser.find("tbody a"));
        assertThat(browser.text()).contains("succeeded");
        assertThat(browser.find(".steps .exact").getText()).endsWith(" UTC");
        assertThat(browser.all("button.copy").stream().filter(WebElement::isDisplayed))
                .isEmpty();
    }

    @Test
    void keepsAgesTrueWhileAPageIsOpen() {
        CONSOLE.post("agent", Map.of("message", "How old is this?"));
        CONSOLE.enter(VIEWER);
        CONSOLE.open("runs");

        browser.script("document.querySelector('tbody time').dateTime = new Date(Date.now() - 7500000).toISOString()");

        browser.until("the age", any -> browser.find("tbody time").getText().equals("2 h ago") ? true : null);
    }

    @Test
    void copiesAnId() {
        String run = CONSOLE.post("agent", Map.of("message", "Which id have I?"))
                .path("runId")
                .asText();
        CONSOLE.enter(VIEWER);
        CONSOLE.open("runs/" + run);

        browser.find("button.copy[aria-label='Copy run id']").click();

        browser.until("the word", any -> browser.text().contains("Copied") ? true : null);
        CONSOLE.open("runs");
        browser.find("input[name=session]").sendKeys(Keys.chord(Keys.CONTROL, "v"));
        assertThat(browser.find("input[name=session]").getAttribute("value")).isEqualTo(run);
    }

    @Test
    void isBrowsedByKeys() {
        String earlier =
                CONSOLE.post("agent", Map.of("message", "one")).path("runId").asText();
        String later =
                CONSOLE.post("agent", Map.of("message", "two")).path("runId").asText();
        CONSOLE.enter(VIEWER);
        CONSOLE.open("runs");

        browser.type("jjk");
        assertThat(browser.focused()).isEqualTo(later);
        browser.type("?");
        assertThat(browser.find("dialog").getText()).contains("go to the filter");
        browser.type("j", Keys.ESCAPE);
        assertThat(browser.find("dialog").isDisplayed()).isFalse();
        browser.type("/");
        browser.type(Keys.TAB, "jk?/");
        assertThat(browser.find("input[name=hook]").getAttribute("value")).isEqualTo("jk?/");
        browser.find("h1").click();
        browser.type("jj", Keys.ENTER);
        browser.until("the run", any -> browser.heading().equals("Run " + earlier) ? true : null);
    }

    @Test
    void turnsItsKeysOff() {
        CONSOLE.post("agent", Map.of("message", "quiet"));
        CONSOLE.enter(VIEWER);
        CONSOLE.open("runs");
        browser.type("?");
        browser.button("Turn off").click();
        browser.button("Close").click();

        browser.type("?");
        assertThat(browser.find("dialog").isDisplayed()).isFalse();

        browser.button("Keys: ?").click();
        browser.button("Turn on").click();
        browser.button("Close").click();
        browser.type("?");
        assertThat(browser.find("dialog").isDisplayed()).isTrue();
    }

    @Test
    void keepsALineThatIsChosenWhileItsListIsRenewed() {
        CONSOLE.post("agent", Map.of("message", "stay"));
        CONSOLE.enter(OPERATOR);
        CONSOLE.openLive("runs");
        browser.script("document.body.addEventListener('htmx:afterRequest', () => { window.renewed = true; });"
                + "document.body.addEventListener('htmx:beforeSwap', () => {"
                + " document.querySelector('tbody input[type=checkbox]').checked = true; }, {once: true});");

        browser.until("a renewal", any -> browser.script("return window.renewed"));

        assertThat(browser.script("return document.querySelector('tbody input[type=checkbox]').checked"))
                .isEqualTo(true);
    }

    @Test
    void keepsTheFocusInItsRowWhenALiveListIsReplaced() {
        for (int i = 0; i < 2; i++) {
            CONSOLE.post("agent", Map.of("message", "stay", "sessionKey", "shared"));
        }
        CONSOLE.enter(OPERATOR);
        CONSOLE.openLive("runs?session=shared");
        for (String what : List.of("input[type=checkbox]", "a[href*='session?']")) {
            String focused = "return document.querySelectorAll('tbody tr')[1].contains(document.activeElement)"
                    + " && document.activeElement.matches(\"" + what + "\")";
            browser.script("document.querySelectorAll('tbody tr')[1].querySelector(\"" + what + "\").focus();");
            WebElement before = browser.find("tbody tr");

            browser.until("the next list", any -> browser.find("tbody tr").equals(before) ? null : true);

            browser.until("the focus", any -> Boolean.TRUE.equals(browser.script(focused)) ? true : null);
        }
    }

    @Test
    void keepsTheFocusWhenALiveListIsReplaced() {
        String run =
                CONSOLE.post("agent", Map.of("message", "stay")).path("runId").asText();
        CONSOLE.enter(VIEWER);
        CONSOLE.openLive("runs");
        browser.type("j");
        WebElement before = browser.find("tbody tr");

        browser.until("the next list", any -> browser.find("tbody tr").equals(before) ? null : true);

        browser.until("the focus", any -> browser.focused().equals(run) ? true : null);
    }
}

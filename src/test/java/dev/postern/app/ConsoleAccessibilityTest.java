package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** Tests of each page's accessibility: WCAG 2 as far as axe-core can check it, and the keyboard. */
@Tag("long")
class ConsoleAccessibilityTest {

    private static final Path PICTURES = Path.of("target", "pictures");
    private static final int MOST_BYTES = 100_000;

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();

    @BeforeAll
    static void work() {
        CONSOLE.createRequests();
    }

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 1280", "light, 360", "dark, 360"})
    void putsNoBarrierInTheWay(String scheme, int width) {
        browser.look(scheme, width);
        CONSOLE.open("");
        List<String> found = new ArrayList<>(of("login", browser.accessibilityViolations()));
        CONSOLE.enter(OPERATOR);
        for (Map.Entry<String, String> page : CONSOLE.everyPage().entrySet()) {
            CONSOLE.open(page.getValue());
            found.addAll(of(page.getKey(), browser.accessibilityViolations()));
        }

        assertThat(found).isEmpty();
        assertThat(CONSOLE.everyPage())
                .containsKeys(
                        "",
                        "hooks",
                        "senders",
                        "spending",
                        "requests",
                        "runs",
                        "runs/*",
                        "sessions",
                        "session",
                        "deliveries",
                        "inbox",
                        "try")
                .containsKeys(
                        "nodes",
                        "settings",
                        "audit",
                        "requests/*",
                        "requests/*/payload",
                        "requests/failed",
                        "backtest");
    }

    @Test
    void noticesABarrier() {
        CONSOLE.open("");

        browser.script("document.querySelector('main').insertAdjacentHTML('beforeend', '<input>')");

        assertThat(browser.accessibilityViolations()).singleElement().asString().startsWith("label ");
    }

    @ParameterizedTest
    @ValueSource(ints = {Chromium.PHONE, 390})
    void scrollsOnAPhoneInOneDirection(int phone) {
        browser.look("light", phone);
        CONSOLE.enter(OPERATOR);
        List<String> wide = new ArrayList<>();
        for (Map.Entry<String, String> page : CONSOLE.everyPage().entrySet()) {
            CONSOLE.open(page.getValue());
            long width = (Long) browser.script("return document.documentElement.scrollWidth");
            if (width > phone) {
                wide.add(page.getKey() + " takes " + width);
            }
        }

        assertThat(wide).isEmpty();
    }

    @Test
    void showsRowsAsCardsOnAPhone() {
        browser.look("light", 390);
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("runs");

        assertThat(
                        browser.script(
                                """
                        const region = document.querySelector('.wide'), cell = document.querySelector('td[data-label=Status]');
                        return [region.scrollWidth <= region.clientWidth, getComputedStyle(cell, '::before').content].join()
                        """))
                .isEqualTo("true,\"Status\"");
    }

    @Test
    void tellsStatesByShapeToo() {
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("runs");

        assertThat(browser.script(
                        "return getComputedStyle(document.querySelector('.status.succeeded'), '::before').content"))
                .isEqualTo("\"✓ \" / \"\"");
    }

    @Test
    void isWithinReachOfTheKeyboard() {
        CONSOLE.enter(OPERATOR);
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, String> page : CONSOLE.everyPage().entrySet()) {
            CONSOLE.open(page.getValue());
            found.addAll(of(page.getKey(), outOfReach()));
        }

        assertThat(found).isEmpty();
    }

    /** The first element that Tab does not reach in the page's order, or focuses without showing it; none in most cases. */
    @SuppressWarnings("unchecked")
    private List<String> outOfReach() {
        long stops = (Long)
                browser.script(
                        """
                const ahead = Array.from(document.querySelectorAll(
                    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'))
                    .filter(each => each.checkVisibility());
                const wrong = [], start = (element) => element.outerHTML.slice(0, 120);
                document.addEventListener('keyup', () => {
                    const here = document.activeElement, meant = ahead.shift();
                    const style = getComputedStyle(here), box = here.getBoundingClientRect();
                    if (here !== meant) {
                        wrong.push('not ' + start(meant) + ' but ' + start(here));
                    } else if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2
                            || box.bottom < 0 || box.top > innerHeight || box.right < 0) {
                        wrong.push('not seen: ' + start(here));
                    }
                });
                window.outOfReach = () => wrong.concat(ahead.map(each => 'not reached: ' + start(each))).slice(0, 1);
                return ahead.length
                """);
        browser.type(Keys.TAB.toString().repeat((int) stops));
        return (List<String>) Objects.requireNonNull(browser.script("return outOfReach()"));
    }

    @Test
    void isUsedByTheKeyboardAlone() {
        CONSOLE.open("runs");
        browser.type(OPERATOR, Keys.TAB, ConsoleBrowserExtension.passwordOf(OPERATOR), Keys.ENTER);
        browser.until("the runs", any -> browser.heading().equals("Runs") ? true : null);

        browser.type(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("Skip to the content");
        browser.type(Keys.ENTER, Keys.TAB);
        assertThat(browser.focused()).contains("all");
        browser.type("succeeded", Keys.TAB, "agent", Keys.ENTER);
        browser.until(
                "the filter",
                any -> browser.address().contains("status=succeeded&hook=agent&agent=&session=&") ? true : null);
    }

    @Test
    void isLight() {
        CONSOLE.enter(OPERATOR);
        List<String> heavy = new ArrayList<>();
        for (Map.Entry<String, String> page : CONSOLE.everyPage().entrySet()) {
            CONSOLE.open(page.getValue());
            long weight = browser.transferredBytes();
            if (weight > MOST_BYTES) {
                heavy.add(page.getKey() + " weighs " + weight);
            }
        }

        assertThat(heavy).isEmpty();
    }

    /** Takes the pictures for {@code src/docs/console.md}, which are copied from target/pictures to src/docs. */
    @Test
    void sitsForItsPicture() throws IOException {
        CONSOLE.enter(OPERATOR);
        CONSOLE.open("");
        browser.writeScreenshot(PICTURES.resolve("overview.png"));

        CONSOLE.open(CONSOLE.everyPage().get("runs/*"));
        browser.writeScreenshot(PICTURES.resolve("run.png"));

        CONSOLE.open("try?sample=" + ConsoleBrowserExtension.encoded("GitHub: an issue"));
        browser.follow(browser.button("Try it"));
        browser.script("document.getElementById('told').scrollIntoView()");
        browser.writeScreenshot(PICTURES.resolve("try.png"));

        assertThat(PICTURES).isDirectoryContaining("glob:**.png");
    }

    private static List<String> of(String page, List<String> findings) {
        return findings.stream().map(finding -> "/" + page + ": " + finding).toList();
    }
}

package dev.postern.app;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A Chromium of this machine, with an empty profile and no network. Without Chromium or chromedriver the test is skipped, and
 * the build's output says so.
 */
final class Chromium implements AutoCloseable {

    /** Wide enough for every table. */
    static final int DESK = 1280;
    /** A small phone. */
    static final int PHONE = 360;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration OFTEN = Duration.ofMillis(30);
    private static final int HEIGHT = 800;

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
        driver.manage().timeouts().scriptTimeout(PATIENCE);
    }

    /** Starts a browser with its files in {@code profile}, which must not exist yet. */
    static Chromium start(Path profile) {
        Optional<Path> browser = program("chromium");
        Optional<Path> driver = program("chromedriver");
        if (browser.isEmpty() || driver.isEmpty()) {
            String reason = "The console is not tried in a browser: there is no chromium or no chromedriver on the PATH"
                    + " (Debian's packages chromium and chromium-driver).";
            System.err.println(reason);
            abort(reason);
        }
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        service.sendOutputTo(OutputStream.nullOutputStream());
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.orElseThrow().toFile());
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // root can't use the sandbox
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--lang=en-GB",
                "--force-color-profile=srgb",
                "--user-data-dir=" + profile.toAbsolutePath());
        return new Chromium(new ChromeDriver(service, options));
    }

    private static Optional<Path> program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Resets the login and the display settings. */
    void reset() {
        driver.get("about:blank");
        devTools("Network.clearBrowserCookies", Map.of());
        devTools("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        look("light", DESK);
        browserErrors();
    }

    /** Shows pages in a colour scheme, {@code light} or {@code dark}, and at a width. */
    void look(String scheme, int width) {
        devTools(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        devTools(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", width == PHONE));
    }

    /** Disables scripts from now on. */
    void scriptsOff() {
        devTools("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    }

    /** Stops the updates of the open page. */
    void updatesOff() {
        script("document.addEventListener('htmx:beforeRequest', event => event.preventDefault())");
    }

    void open(String address) {
        driver.get(address);
    }

    void back() {
        driver.navigate().back();
    }

    String address() {
        return Objects.requireNonNull(driver.getCurrentUrl());
    }

    /** The text of the page's heading. */
    String heading() {
        return find("h1").getText();
    }

    /** The visible text of the page. */
    String text() {
        return find("body").getText();
    }

    /** The first element that {@code selector} finds, as soon as there is one. */
    WebElement find(String selector) {
        return until(selector, any -> any.findElements(By.cssSelector(selector)).stream()
                .findFirst()
                .orElse(null));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** The visible text of each element that {@code selector} finds. */
    List<String> texts(String selector) {
        return texts(selector, "innerText.trim()");
    }

    /** The whole address of each link that {@code selector} finds. */
    List<String> addresses(String selector) {
        return texts(selector, "href");
    }

    /** A property of each element in one call of the browser, which takes some milliseconds. */
    @SuppressWarnings("unchecked")
    private List<String> texts(String selector, String property) {
        String script = "return Array.from(document.querySelectorAll(arguments[0]), each => each." + property + ")";
        return (List<String>) Objects.requireNonNull(script(script, selector));
    }

    /** The link with the text {@code text}, as soon as there is one. */
    WebElement link(String text) {
        return until(
                "the link " + text,
                any -> any.findElements(By.linkText(text)).stream().findFirst().orElse(null));
    }

    /** The button with the text {@code text}, as soon as there is one. */
    WebElement button(String text) {
        return until("the button " + text, any -> all("button").stream()
                .filter(button -> button.getText().equals(text))
                .findFirst()
                .orElse(null));
    }

    /** Clicks, and returns when the next page is there. */
    void follow(WebElement what) {
        script("window.isLeft = true");
        what.click();
        until(
                "another page",
                any -> Boolean.TRUE.equals(script("return !window.isLeft && document.readyState === 'complete'"))
                        ? true
                        : null);
    }

    /** The text of the focused element. */
    String focused() {
        return driver.switchTo().activeElement().getText();
    }

    /** Types on the keyboard, into the focused element. */
    void type(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Returns what {@code condition} gives when it is no longer null. */
    <T> T until(String what, Function<ChromeDriver, T> condition) {
        return new WebDriverWait(driver, PATIENCE, OFTEN)
                .withMessage(what)
                .ignoring(StaleElementReferenceException.class) // of a part that was replaced meanwhile
                .until(unused -> condition.apply(driver));
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The serious and critical findings of axe-core on this page, an element a line. */
    @SuppressWarnings("unchecked")
    List<String> accessibilityViolations() {
        if (!Boolean.TRUE.equals(script("return typeof axe === 'object'"))) {
            script(AxeSource.SOURCE);
        }
        return (List<String>)
                Objects.requireNonNull(
                        driver.executeAsyncScript(
                                """
                const done = arguments[arguments.length - 1];
                axe.run({resultTypes: ['violations']}).then(
                  found => done(found.violations
                      .filter(each => each.impact === 'serious' || each.impact === 'critical')
                      .flatMap(each => each.nodes.map(node => each.id + ' ' + node.target + ': ' + node.failureSummary))),
                  error => done(['axe: ' + error]));
                """));
    }

    /** The messages of the browser's console since the last call: errors, and violations of the page's policy. */
    List<String> browserErrors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** The number of bytes sent for this page and its resources. */
    long transferredBytes() {
        return (Long)
                Objects.requireNonNull(
                        script(
                                """
                return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                    .reduce((sum, each) => sum + Math.max(each.transferSize, each.encodedBodySize), 0)
                """));
    }

    /** Writes a screenshot of the visible page to {@code file}. */
    void writeScreenshot(Path file) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    private void devTools(String command, Map<String, Object> parameters) {
        driver.executeCdpCommand(command, parameters);
    }

    @Override
    public void close() {
        driver.quit();
    }

    /** The source of axe-core, read at first use. */
    private static final class AxeSource {

        static final String SOURCE = source();

        private static String source() {
            try (InputStream in = AxeSource.class.getResourceAsStream("/axe.min.js")) {
                return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

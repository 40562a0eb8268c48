package dev.postern.app;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.WebElement;

/**
 * A JUnit extension, for a static field, with a server whose console the tests of a class open in {@link Chromium}, as users
 * of either role. Tests can set the answers of its model and its Slack. After each test the browser must have reported no
 * error.
 */
final class ConsoleBrowserExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    /** The user with the operator role. */
    static final String OPERATOR = "otto";
    /** The user with the viewer role. */
    static final String VIEWER = "vera";

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final String PASSWORD = "a password of ";
    private static final Path PICTURES = Path.of("target", "browser");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final WireMockServer externalServices = new WireMockServer(WireMockConfiguration.options()
            .dynamicPort()
            .bindAddress("127.0.0.1")
            .jettyStopTimeout(1L));
    private Path directory;
    private TomcatServer server;
    private Chromium browser;
    private final Map<String, String> pages = new LinkedHashMap<>();
    private boolean browserErrorsAllowed;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        directory = Path.of("target", "browser", context.getRequiredTestClass().getSimpleName())
                .toAbsolutePath();
        clear(directory);
        browser = Chromium.start(directory.resolve("profile"));
        externalServices.start();
        setModelReply("It is done.");
        setSlackResponse("{\"ok\":false,\"error\":\"channel_not_found\"}");
        server = new TomcatServer(directory.resolve("tomcat"));
        server.deploy("/postern", home());
        server.user(OPERATOR, PASSWORD + OPERATOR, "postern-operator");
        server.user(VIEWER, PASSWORD + VIEWER, "postern-viewer");
        server.start();
    }

    /** Deletes the files of the last run. */
    private static void clear(Path tree) throws IOException {
        Files.createDirectories(tree);
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private Path home() throws IOException {
        Path home = Files.createDirectories(directory.resolve("home"));
        Files.writeString(
                home.resolve("postern.yaml"),
                """
                hooks:
                  enabled: true
                  token: %s
                  allowRequestSessionKey: true
                  presets: [github, alertmanager]
                agents: {defaults: {model: openai/a-model, heartbeat: {target: inbox}}}
                providers: {openai: {kind: openai, baseUrl: '%2$s/v1', prices: {a-model: {input: 1000, output: 10000}}}}
                channels: {slack: {kind: slack, botToken: a-bot, baseUrl: '%2$s/slack'}}
                requests: {payloads: all}
                """
                        .formatted(TOKEN, externalServices.baseUrl()));
        return home;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        browserErrorsAllowed = false;
        browser.reset();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        if (context.getExecutionException().isPresent()) {
            browser.writeScreenshot(PICTURES.resolve(context.getDisplayName().replaceAll("\\W+", "-") + ".png"));
            System.err.println("The browser was at " + browser.address() + ": " + browser.browserErrors());
        } else if (!browserErrorsAllowed) {
            assertThat(browser.browserErrors())
                    .as("what the browser complains of")
                    .isEmpty();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws LifecycleException {
        if (server != null) {
            server.close();
        }
        externalServices.stop();
        if (browser != null) {
            browser.close();
        }
    }

    Chromium browser() {
        return browser;
    }

    /** Allows errors in this test's browser, such as for a response with 401. */
    void allowBrowserErrors() {
        browserErrorsAllowed = true;
    }

    /** Makes the model reply {@code reply} from now on. */
    void setModelReply(String reply) {
        setModelReply(reply, 0);
    }

    /** Makes the model wait half a minute before each reply from now on. */
    void delayModelReplies() {
        setModelReply("late", 30_000);
    }

    private void setModelReply(String reply, int delayMillis) {
        externalServices.stubFor(WireMock.post(urlPathMatching("/v1/.*"))
                .willReturn(aResponse()
                        .withFixedDelay(delayMillis)
                        .withHeader("Content-Type", "application/json")
                        .withBody(
                                """
                                {"id": "c", "object": "chat.completion", "created": 1, "model": "a-model",
                                 "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": %s}}],
                                 "usage": {"prompt_tokens": 1204, "completion_tokens": 61, "total_tokens": 1265}}
                                """
                                        .formatted(json(reply)))));
    }

    /** Makes Slack respond with {@code body} from now on. */
    void setSlackResponse(String body) {
        externalServices.stubFor(WireMock.post(urlPathMatching("/slack/.*"))
                .willReturn(aResponse()
                        .withHeader("Content-Type", "application/json")
                        .withBody(body)));
    }

    /** The address of a console page; {@code place} is empty for the first one. */
    String at(String place) {
        return server.at("/postern/console/" + place).toString();
    }

    /** Opens a console page without its updates. */
    void open(String place) {
        openLive(place);
        browser.updatesOff();
    }

    /** Opens a console page with its updates. */
    void openLive(String place) {
        browser.open(at(place));
    }

    /** Logs in by the form on the open page, and returns when the next page is there. */
    void logIn(String name, String password) {
        WebElement field = browser.find("input[name=name]");
        field.clear();
        field.sendKeys(name);
        browser.find("input[name=password]").sendKeys(password);
        browser.follow(browser.button("Log in"));
    }

    /** Logs in with an empty browser, and opens the first page. */
    void enter(String name) {
        open("");
        logIn(name, PASSWORD + name);
        assertThat(browser.heading()).isEqualTo("Overview");
    }

    static String passwordOf(String name) {
        return PASSWORD + name;
    }

    /** One linked page of each kind, by its kind, such as {@code runs/*}. A user has to be logged in. */
    Map<String, String> everyPage() {
        if (pages.isEmpty()) {
            pages.putAll(followed());
        }
        return pages;
    }

    private Map<String, String> followed() {
        Map<String, String> found = new LinkedHashMap<>(Map.of("", ""));
        List<String> ahead = new ArrayList<>(List.of(""));
        while (!ahead.isEmpty()) {
            open(ahead.remove(0));
            for (String place : linksHere()) {
                String path = place.replaceFirst("[?#].*", "");
                if (found.putIfAbsent(path.replaceAll("/[a-z]+_[0-9a-z]+", "/*"), place) == null) {
                    ahead.add(place);
                }
            }
        }
        return found;
    }

    private List<String> linksHere() {
        return browser.addresses("a[href]").stream()
                .filter(address -> address.startsWith(at("")))
                .map(address -> address.substring(at("").length()))
                .toList();
    }

    /** Posts to a hook and waits up to 20 s for the run; returns the response. */
    JsonNode post(String hook, Map<String, ?> body) {
        return post(hook, TOKEN, json(body), "Prefer", "wait=20");
    }

    /** Posts to a hook. */
    JsonNode post(String hook, String token, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at("/postern/hooks/" + hook))
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return JSON.readTree(
                    client.send(request.build(), BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Creates requests of each kind, as a small team would send them. */
    void createRequests() {
        setModelReply(
                "The job *test* failed in OrderServiceTest: the port 5432 was taken. It is the third time this week; Ana has"
                        + " touched the test last. I would run it again and give the test a free port.");
        post(
                "agent",
                Map.of(
                        "name",
                        "CI",
                        "message",
                        "Build 164 of shop failed. Why?",
                        "sessionKey",
                        "hook:ci:shop",
                        "channel",
                        "inbox"));
        setModelReply(
                "Disk on db-2 is 91 % full and grows by 2 % a day: five days are left. The largest part is the log of the"
                        + " importer.");
        post(
                "agent",
                Map.of(
                        "name",
                        "Alertmanager",
                        "message",
                        "DiskWillFill on db-2",
                        "sessionKey",
                        "hook:alerts",
                        "channel",
                        "slack",
                        "to",
                        "C0123456789"));
        setModelReply("Nobody is on call on Sunday. I have asked Ana and Ben.");
        post("agent", Map.of("name", "Calendar", "message", "Who is on call?", "channel", "inbox"));
        post("wake", Map.of("text", "Release 2.4 is out", "mode", "next-heartbeat"));
        post("agent", "not-the-token", "{}");
        post("agent", TOKEN, "{\"message\":7}");
    }

    static String token() {
        return TOKEN;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

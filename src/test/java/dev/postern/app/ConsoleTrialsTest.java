package dev.postern.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the payloads and hooks that a trial takes. */
class ConsoleTrialsTest {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"");
    private static final String BUTTON = "<button>Try it</button>";

    @TempDir
    static Path directory;

    private static TomcatServer server;
    private static HttpClient browser;

    @BeforeAll
    static void start() throws Exception {
        server = TomcatServer.withConsole(
                directory,
                """
                hooks:
                  enabled: true
                  path: /in
                  token: %s
                  maxBodyBytes: 1048576
                  mappings:
                    - {id: deploys, match: {path: deploys}, messageTemplate: 'Deployed ${payload.t?length}'}
                requests: {payloads: all}
                console: viewer
                """
                        .formatted(TOKEN));
        browser = server.loggedIn("otto", TomcatServer.PASSWORD);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"deploys", " /deploys/", "/in/deploys", "/in/deploys/ "})
    void takesTheHookAsSendersWriteIt(String hook) throws Exception {
        JsonNode explanation = trial(hook);

        assertThat(explanation.path("status").asInt()).isEqualTo(202);
        assertThat(explanation.path("mapping").asText()).isEqualTo("deploys");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/in", "in/deploys", "/hooks/deploys", "/in/in/deploys", "/ingress/deploys"})
    void findsNoMappingAtAnotherPath(String hook) throws Exception {
        assertThat(trial(hook).path("status").asInt()).isEqualTo(404);
    }

    @Test
    void takesTheLongestPathOfAHook() throws Exception {
        assertThat(trial("/in/" + "a".repeat(1_000)).path("status").asInt()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(ints = {300_000, 262_144})
    void offersNoTrialOfATooLargePayload(int length) throws Exception {
        assertNotOffered("{\"t\":\"" + "a".repeat(length) + "\"}");
    }

    /** Checks the two characters that a browser sends for the end of each line. */
    @Test
    void countsThePayloadAsABrowserSendsIt() throws Exception {
        assertNotOffered("{\"t\":\"" + "a".repeat(200_000) + "\"" + "\n".repeat(40_000) + "}");
    }

    private static void assertNotOffered(String payload) throws Exception {
        String id = deploy(payload);

        assertThat(server.page(browser, "requests/" + id + "/payload"))
                .contains("This payload has more than the 262144 bytes that can be tried here")
                .doesNotContain(BUTTON);
        assertThat(shown(id).path("trialProblem").asText()).contains("262144 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "€", "\uD83D\uDE00"})
    void takesEveryPayloadThatItOffers(String letter) throws Exception {
        String payload = "{\"t\":\"" + letter.repeat(262_000 / letter.getBytes(UTF_8).length) + "\"}";
        String id = deploy(payload);
        String page = server.page(browser, "requests/" + id + "/payload");
        Matcher token = CSRF.matcher(page);
        assertThat(token.find()).isTrue();

        String form =
                "csrf=" + token.group(1) + "&hook=deploys&headers=&query=&payload=" + URLEncoder.encode(payload, UTF_8);
        HttpResponse<String> tried = browser.send(
                HttpRequest.newBuilder(server.at("/postern/console/try"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());

        assertThat(page).contains(BUTTON);
        assertThat(shown(id).has("trialProblem")).isFalse();
        assertThat(tried.body()).contains("Response: 202");
    }

    private static String deploy(String payload) throws Exception {
        HttpResponse<String> accepted = server.post("/postern/in/deploys", TOKEN, payload);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        String id = accepted.headers().firstValue("X-Request-Id").orElseThrow();
        await().until(() -> get("requests/" + id).path("payloadKept").asBoolean());
        return id;
    }

    private static JsonNode trial(String hook) throws Exception {
        String json = "{\"hook\":\"" + hook + "\",\"payload\":{\"t\":\"v1\"}}";
        HttpResponse<String> tried = server.post("/postern/console/api/try", "otto", TomcatServer.PASSWORD, json);
        assertThat(tried.statusCode()).as(tried.body()).isEqualTo(200);
        return new ObjectMapper().readTree(tried.body()).path("explanation");
    }

    private static JsonNode shown(String id) throws Exception {
        return get("requests/" + id + "/payload");
    }

    private static JsonNode get(String place) throws Exception {
        return new ObjectMapper()
                .readTree(server.get("/postern/console/api/" + place, "otto", TomcatServer.PASSWORD)
                        .body());
    }
}

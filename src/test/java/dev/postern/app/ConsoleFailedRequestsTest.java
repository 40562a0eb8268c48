package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the list of failed requests: what a replay of each would lead to, and how the list goes on. */
class ConsoleFailedRequestsTest {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final int AT_ONCE = 200;

    /** As often as a script is ended within a minute before it is switched off. */
    private static final int ENDED = 5;

    @TempDir
    static Path directory;

    private static TomcatServer server;

    @BeforeAll
    static void start() throws Exception {
        Path scripts = Files.createDirectories(directory.resolve("home/hooks/transforms"));
        Files.writeString(scripts.resolve("moody.js"), "export default () => { throw new Error('not now'); };");
        Files.writeString(
                scripts.resolve("greedy.js"),
                "export default ({payload}) => payload.fine ? {message: 'x'} : {name: 'x'.repeat(100000000)};");
        server = TomcatServer.withConsole(
                directory,
                """
                hooks:
                  enabled: true
                  token: %s
                  allowedSessionKeyPrefixes: ["hook:"]
                  mappings:
                    - {id: shop, match: {path: shop}, messageTemplate: Order, sessionKey: '${payload.key}'}
                    - {id: greedy, match: {path: greedy}, transform: {module: greedy.js}, messageTemplate: x}
                    - id: full
                      match: {path: full}
                      messageTemplate: x
                      maxPending: 1
                      coalesce: {key: '${payload.key}', window: 4m}
                    - {id: moody, match: {path: moody}, transform: {module: moody.js}, messageTemplate: x}
                    - {id: many, match: {path: many}, messageTemplate: '${payload.n?round}'}
                requests: {payloads: failed}
                console: viewer
                """
                        .formatted(TOKEN));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void saysWhyPolicyWouldRejectAReplay() throws Exception {
        HttpResponse<String> rejected = server.post("/postern/hooks/shop", TOKEN, "{\"key\":\"elsewhere\"}");
        assertThat(rejected.body()).contains("session_key_prefix");
        String reason =
                new ObjectMapper().readTree(rejected.body()).path("error").asText();
        String id = rejected.headers().firstValue("X-Request-Id").orElseThrow();
        await().until(() -> failed("hook=shop").path("requests").size() == 1);

        JsonNode listed = failed("hook=shop").path("requests").path(0);
        JsonNode chosen =
                get("requests/selection?id=" + id).path("requests").path(0).path("now");

        for (JsonNode forecast : List.of(listed, chosen)) {
            assertThat(forecast.path("status").asInt()).isEqualTo(400);
            assertThat(forecast.path("mapping").asText()).isEqualTo("shop");
            assertThat(forecast.path("error").asText()).isNotEmpty().isEqualTo(reason);
            assertThat(forecast.path("actions").asInt(-1)).isZero();
        }
    }

    @Test
    void switchesNoScriptOffForTheHooksWhileItSaysWhatReplaysLeadTo() throws Exception {
        server.post("/postern/hooks/greedy", TOKEN, "{}");
        String id = server.post("/postern/hooks/greedy", TOKEN, "{}")
                .headers()
                .firstValue("X-Request-Id")
                .orElseThrow();
        await().until(() -> failed("hook=greedy").path("requests").size() == 2);

        for (int i = 0; i < ENDED; i++) {
            assertThat(failed("hook=greedy").path("requests"))
                    .hasSize(2)
                    .allMatch(each -> each.path("status").asInt() == 500);
            assertThat(get("requests/selection?id=" + id)
                            .path("requests")
                            .path(0)
                            .path("now")
                            .path("status")
                            .asInt())
                    .isEqualTo(500);
        }

        assertThat(server.post("/postern/hooks/greedy", TOKEN, "{\"fine\":true}")
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void replaysRequestsOfOtherHooksWhereAMappingIsFull() throws Exception {
        String since = Instant.now().toString();
        assertThat(server.post("/postern/hooks/full", TOKEN, "{\"key\":1}").statusCode())
                .isEqualTo(202);
        assertThat(server.post("/postern/hooks/full", TOKEN, "{\"key\":2}").statusCode())
                .isEqualTo(503);
        assertThat(server.post("/postern/hooks/moody", TOKEN, "{}").statusCode())
                .isEqualTo(500);
        Files.writeString(
                directory.resolve("home/hooks/transforms/moody.js"), "export default () => ({message: 'now'});");
        await().until(() -> server.post("/postern/hooks/moody", TOKEN, "{}").statusCode() == 202);
        await().until(() -> !failed("hook=moody").path("requests").isEmpty());
        await().until(() -> failed("hook=full").path("requests").size() == 1);

        HttpResponse<String> replayed = server.post(
                "/postern/console/api/requests/replay?since=" + since + "&until="
                        + Instant.now().plusSeconds(60),
                "otto",
                TomcatServer.PASSWORD,
                "{}");

        assertThat(replayed.statusCode()).isEqualTo(200);
        assertThat(replayed.body()).contains("The others failed again.");
        assertThat(failed("hook=moody").path("requests")).isEmpty();
        assertThat(failed("hook=full").path("requests")).hasSize(1);
    }

    @Test
    void leadsFromTheEarliestRequestsToTheNextOnes() throws Exception {
        for (int i = 0; i < AT_ONCE; i++) {
            fail();
        }
        await().until(() -> failed("hook=many").path("requests").size() == AT_ONCE);
        assertThat(failed("hook=many").has("nextSince")).isFalse();
        String last = fail();
        await().until(() -> failed("hook=many").has("nextSince"));
        Instant now = Instant.now();
        String times = "&since=" + now.minusSeconds(3600) + "&until=" + now.plusSeconds(3600);

        JsonNode first = failed("hook=many" + times);
        String next = first.path("nextSince").asText();
        JsonNode second = failed("hook=many&since=" + next);
        HttpResponse<String> replayed = server.post(
                "/postern/console/api/requests/replay?hook=many" + times, "otto", TomcatServer.PASSWORD, "{}");

        assertThat(first.path("requests")).hasSize(AT_ONCE);
        assertThat(ids(first)).doesNotContain(last);
        assertThat(ids(second)).contains(last).hasSizeLessThan(AT_ONCE);
        assertThat(second.has("nextSince")).isFalse();
        assertThat(replayed.body())
                .contains("0 of 200 requests were replayed.", "There are more, from " + next + " on.");
        assertThat(page("hook=many" + times))
                .contains("The list shows the earliest 200 of these requests.", "since=" + next.replace(":", "%3A"))
                .containsPattern(
                        "action=\"[^\"]*/requests/replay\\?[^\"]*&amp;until=" + next.replace(":", "%3A") + "\"");
        assertThat(page("hook=many&since=" + next + "&until=" + now)).doesNotContain("The list shows the earliest");
    }

    private static String fail() throws Exception {
        HttpResponse<String> failed = server.post("/postern/hooks/many", TOKEN, "{\"n\":\"a word\"}");
        assertThat(failed.statusCode()).isEqualTo(400);
        return failed.headers().firstValue("X-Request-Id").orElseThrow();
    }

    private static String page(String query) throws Exception {
        return server.page(server.loggedIn("otto", TomcatServer.PASSWORD), "requests/failed?" + query);
    }

    private static List<String> ids(JsonNode failed) {
        return failed.path("requests").findValuesAsText("requestId");
    }

    private static JsonNode failed(String query) throws Exception {
        return get("requests/failed?" + query);
    }

    private static JsonNode get(String place) throws Exception {
        return new ObjectMapper()
                .readTree(server.get("/postern/console/api/" + place, "otto", TomcatServer.PASSWORD)
                        .body());
    }
}

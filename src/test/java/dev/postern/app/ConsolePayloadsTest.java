package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of kept payloads: who may see them, where they stand, and what a replay does. */
class ConsolePayloadsTest {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final String SENDER_TOKEN = "a-token-that-is-long-enough-02";
    private static final String SECRET_WORD = "Zoe's-card-4111";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Fails for a payload whose {@code n} is a text. */
    private static final String BROKEN = "${payload.n?round}";

    private static final String MENDED = "Order ${payload.n}";

    @TempDir
    Path directory;

    private Path home;
    private TomcatServer server;

    @BeforeEach
    void start() throws Exception {
        home = directory.resolve("home");
        start(BROKEN);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void showsAPayloadToOperatorsAlone() throws Exception {
        String id = sendFailing();
        String payload = "requests/" + id + "/payload";
        String replay = "requests/" + id + "/replay";

        assertThat(statuses("GET", payload)).containsExactly(401, 403, 403, 200);
        assertThat(statuses("POST", replay)).containsExactly(401, 403, 403, 409);
        assertThat(statuses("GET", "requests/failed")).containsExactly(401, 403, 403, 200);
        assertThat(statuses("POST", "requests/replay?since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z"))
                .containsExactly(401, 403, 403, 200);
        assertThat(statuses("GET", "requests/req_none/payload")).containsExactly(401, 403, 403, 404);

        assertThat(get("vera", "requests/" + id).body())
                .contains("\"payloadKept\":true")
                .doesNotContain(SECRET_WORD);
        JsonNode shown = JSON.readTree(get("otto", payload).body());
        assertThat(shown.path("body").asText()).isEqualTo(body());
        assertThat(shown.path("headers").path("x-shop").asText()).isEqualTo("seven");
        assertThat(shown.path("headers").has("authorization")).isFalse();
        assertThat(get("vera", "audit").body()).contains("requests/payload", "requests/replay", id);
        assertThat(get("vera", "audit").body()).doesNotContain(SECRET_WORD);
    }

    @Test
    void namesTheSenderOfTheSubjectInTheAuditLog() throws Exception {
        String own =
                order(body(), SENDER_TOKEN).headers().firstValue("X-Request-Id").orElseThrow();
        String other = sendFailing();
        get("otto", "requests/" + own + "/payload");
        get("otto", "requests/" + other + "/payload");

        JsonNode acts = JSON.readTree(get("vera", "audit").body()).path("acts");

        assertThat(acts.path(0).path("subject").asText()).isEqualTo(other);
        assertThat(acts.path(0).has("sender")).isFalse();
        assertThat(acts.path(1).path("subject").asText()).isEqualTo(own);
        assertThat(acts.path(1).path("sender").asText()).isEqualTo("ci");
    }

    @Test
    void leavesNoPayloadInTheFilesOfTheHome() throws Exception {
        String id = sendFailing();
        assertThat(get("otto", "requests/" + id + "/payload").body()).contains(SECRET_WORD);
        server.close();

        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(SECRET_WORD);
            }
        }
        Files.delete(home.resolve("secrets/payload-key"));
        start(BROKEN);
        assertThat(get("otto", "requests/" + id + "/payload").body())
                .contains("encrypted with another key")
                .doesNotContain(SECRET_WORD);
        assertThat(post("otto", "requests/" + id + "/replay", "").body()).contains("another key");
        JsonNode failed = JSON.readTree(get("otto", "requests/failed").body());
        assertThat(failed.path("requests")).isEmpty();
        assertThat(failed.path("unreadable").asInt()).isOne();
        assertThat(failed.path("problem").asText()).contains("another key");
        assertThat(server.page(server.loggedIn("otto", TomcatServer.PASSWORD), "requests/failed"))
                .contains("1 request can't be replayed. The payload was encrypted with another key");
        String times = "since=2026-01-01T00:00:00Z&until=" + Instant.now().plusSeconds(60);
        assertThat(post("otto", "requests/replay?" + times, "").body())
                .contains("0 of 1 requests were replayed. 1 can't be read: The payload was encrypted with another key")
                .doesNotContain("failed again");
    }

    @Test
    void doesNotStartWithAKeyThatIsNone() throws Exception {
        server.close();
        Files.writeString(home.resolve("secrets/payload-key"), "no key\n");

        start(BROKEN);

        assertThat(CLIENT.send(
                                HttpRequest.newBuilder(server.at("/postern/health/ready"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body())
                .contains("payload-key");
    }

    @Test
    void saysThatABodyWasNotRead() throws Exception {
        HttpResponse<String> refused = send("wake", body(), SENDER_TOKEN);
        assertThat(refused.statusCode()).isEqualTo(403);
        String id = refused.headers().firstValue("X-Request-Id").orElseThrow();
        Awaitility.await().until(() -> get("otto", "requests/" + id).statusCode() == 200);

        HttpResponse<String> replay = post("otto", "requests/" + id + "/replay", "");

        assertThat(replay.statusCode()).isEqualTo(409);
        assertThat(replay.body()).contains("was answered before its body was read, so it can't be replayed");
        assertThat(get("otto", "requests/selection?id=" + id).body()).contains("before its body was read");
        assertThat(server.page(server.loggedIn("otto", TomcatServer.PASSWORD), "requests/" + id))
                .contains("before its body was read, so no payload is kept")
                .doesNotContain("requests.payloads");
    }

    @Test
    void replaysARequestOnceForEachForm() throws Exception {
        String id = sendFailing();
        assertThat(post("otto", "requests/" + id + "/replay", "{\"attempt\":7}").body())
                .contains("mapping_failed");
        server.close();
        start(MENDED);

        HttpResponse<String> first = post("otto", "requests/" + id + "/replay", "{\"attempt\":7}");
        HttpResponse<String> second = post("otto", "requests/" + id + "/replay", "{\"attempt\":7}");

        assertThat(first.body()).contains("The request was replayed.");
        assertThat(second.body()).contains("replayed before");
        assertThat(JSON.readTree(get("otto", "runs").body()).path("runs")).hasSize(1);
        JsonNode replays = JSON.readTree(get("otto", "requests/" + id).body()).path("replays");
        assertThat(replays).hasSize(3);
        JsonNode replay =
                JSON.readTree(get("otto", "requests/" + replays.get(1).asText()).body());
        assertThat(replay.path("replayOf").asText()).isEqualTo(id);
        assertThat(replay.path("request").path("credential").asText()).isEqualTo("replay");
        assertThat(replay.path("request").path("status").asInt()).isEqualTo(202);
        assertThat(post("otto", "requests/" + id + "/replay", "{\"attempt\":\"x\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void replaysChosenRequestsOnceForEachForm() throws Exception {
        String first = sendFailing();
        String second = sendFailing();
        String ids = "\"ids\":[\"" + second + "\",\"req_none\",\"" + first + "\",\"" + first + "\"]";
        String page = "requests/selection?id=" + first + "&id=" + second + "&id=req_none";
        assertThat(statuses("GET", page)).containsExactly(401, 403, 403, 200);
        assertThat(statuses("POST", "requests/selection")).containsExactly(401, 403, 403, 400);
        assertThat(get("otto", "requests/selection").body()).contains("id is missing");
        assertThat(get("otto", "requests/selection?" + "id=x&".repeat(3)).body())
                .contains("\"replayable\":0");
        assertThat(post("otto", "requests/selection", "{" + ids + ",\"attempt\":\"x\"}")
                        .body())
                .contains("attempt must be");
        assertThat(post("otto", "requests/selection", "{\"ids\":[7]}").body()).contains("ids is missing");
        assertThat(post("otto", "requests/selection", "{" + ids + "}").statusCode())
                .isEqualTo(409);
        server.close();
        start(MENDED);

        JsonNode preview = JSON.readTree(get("otto", page).body());
        assertThat(preview.path("replayable").asInt()).isEqualTo(2);
        assertThat(preview.path("requests").get(2).path("problem").asText()).contains("does not exist");
        assertThat(preview.path("requests").get(0).path("now").path("status").asInt())
                .isEqualTo(202);
        assertThat(JSON.readTree(get("otto", "runs").body()).path("runs")).isEmpty();
        HttpResponse<String> done = post("otto", "requests/selection", "{" + ids + ",\"attempt\":7}");
        HttpResponse<String> again = post("otto", "requests/selection", "{" + ids + ",\"attempt\":7}");

        assertThat(done.body()).contains("2 × The request was replayed.", "1 × This does not exist");
        assertThat(again.body()).contains("2 × The request was replayed before; nothing was done.");
        JsonNode runs = JSON.readTree(get("otto", "runs").body()).path("runs");
        assertThat(runs).hasSize(2);
        assertThat(JSON.readTree(get("otto", "requests/" + first).body()).path("replays"))
                .hasSize(3);
        assertThat(get("vera", "audit").body()).contains(first, second, "req_none");
    }

    @Test
    void repeatsChosenRunsOnceForEachForm() throws Exception {
        order("{\"n\":1}");
        String run = JSON.readTree(get("otto", "runs?sort=oldest").body())
                .path("runs")
                .get(0)
                .path("runId")
                .asText();
        Awaitility.await().until(() -> get("otto", "runs/" + run).body().contains("succeeded"));
        String body = "{\"ids\":[\"" + run + "\",\"run_none\"],\"attempt\":\"1\"}";

        assertThat(statuses("POST", "runs/again")).containsExactly(401, 403, 403, 400);
        assertThat(statuses("POST", "runs/cancel")).containsExactly(401, 403, 403, 400);
        assertThat(post("otto", "runs/cancel", body).body())
                .contains("1 × The run has already ended: succeeded.", "1 × This does not exist");
        assertThat(post("otto", "runs/again", body).body()).contains("1 × The run is accepted again");
        assertThat(post("otto", "runs/again", body).body()).contains("1 × The run was accepted again before");

        assertThat(JSON.readTree(get("otto", "runs").body()).path("runs")).hasSize(2);
        assertThat(get("otto", "runs?sort=best").body()).contains("sort must be one of newest, oldest, longest.");
    }

    @Test
    void replaysAllFailedRequestsOfAHookOnce() throws Exception {
        for (int i = 0; i < 5; i++) {
            sendFailing();
        }
        server.close();
        start(MENDED);
        String times = "since=" + Instant.now().minusSeconds(600) + "&until="
                + Instant.now().plusSeconds(600);

        JsonNode preview =
                JSON.readTree(get("otto", "requests/failed?hook=shop&" + times).body());
        assertThat(preview.path("requests"))
                .hasSize(5)
                .allSatisfy(each -> assertThat(each.path("status").asInt()).isEqualTo(202));
        assertThat(post("otto", "requests/replay?hook=elsewhere&" + times, "").body())
                .contains("0 of 0");
        assertThat(post("otto", "requests/replay?hook=shop&" + times, "").body())
                .contains("5 of 5");
        assertThat(post("otto", "requests/replay?hook=shop&" + times, "").body())
                .contains("0 of 0");

        assertThat(JSON.readTree(get("otto", "runs").body()).path("runs")).hasSize(5);
    }

    @Test
    void runsABacktestForOperatorsAlone() throws Exception {
        sendFailing();

        assertThat(statuses("GET", "backtest")).containsExactly(401, 403, 403, 200);
        assertThat(statuses("POST", "backtest")).containsExactly(401, 403, 403, 200);
        assertThat(get("vera", "audit").body()).contains("requests/backtest").doesNotContain(SECRET_WORD);
    }

    @Test
    void showsWhatAChangedConfigurationWouldChange() throws Exception {
        String id = sendFailing();

        JsonNode same = backtest("24h", null, configuration(BROKEN));
        JsonNode mended = backtest("24h", "shop", configuration(MENDED));
        JsonNode byLog = backtest("24h", null, null);

        assertThat(same.path("result").path("requests").asInt()).isEqualTo(1);
        assertThat(same.path("result").path("changes")).isEmpty();
        JsonNode change = mended.path("result").path("changes").path(0);
        assertThat(change.path("requestId").asText()).isEqualTo(id);
        assertThat(change.path("differences").toString()).contains("Order " + SECRET_WORD, "mapping_failed");
        assertThat(byLog.path("result").path("changed").asInt()).isZero();
        assertThat(JSON.readTree(get("otto", "runs").body()).path("runs")).isEmpty();
        assertThat(JSON.readTree(get("otto", "requests").body()).path("requests"))
                .hasSize(1);
    }

    @Test
    void saysWhyAConfigurationCanNotBeTested() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), SECRET_WORD + "-that-is-long-enough");
        String referring = configuration(MENDED).replace(TOKEN, "${file:" + secret + "}");
        String missing = configuration(MENDED).replace(TOKEN, "${file:" + directory.resolve("none") + "}");

        assertThat(problems("24h", null, configuration("${payload.n?nonsense}")))
                .contains("nonsense");
        assertThat(problems("24h", null, "hooks: [")).contains("postern.yaml");
        assertThat(problems("24h", "shpo", configuration(MENDED))).contains("did you mean shop?");
        assertThat(problems("24h", null, referring))
                .contains("hooks.token", "does not refer to")
                .doesNotContain(SECRET_WORD)
                .isEqualTo(problems("24h", null, missing));
        assertThat(post("otto", "backtest", backtestRequest("yesterday", null, null))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void runsOneBacktestAtATime() throws Exception {
        sendFailing();
        String body = backtestRequest("24h", null, configuration(MENDED));
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, 16)
                .mapToObj(each -> CLIENT.sendAsync(request("POST", "otto", "backtest", body), BodyHandlers.ofString()))
                .toList();

        List<Integer> statuses = sent.stream()
                .map(CompletableFuture::join)
                .map(HttpResponse::statusCode)
                .toList();

        assertThat(statuses).contains(200, 409).containsOnly(200, 409);
    }

    private JsonNode backtest(String since, @Nullable String mapping, @Nullable String configuration) throws Exception {
        HttpResponse<String> response = post("otto", "backtest", backtestRequest(since, mapping, configuration));
        assertThat(response.statusCode()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private String problems(String since, @Nullable String mapping, String configuration) throws Exception {
        HttpResponse<String> response = post("otto", "backtest", backtestRequest(since, mapping, configuration));
        assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(422);
        return JSON.readTree(response.body()).path("problems").toString();
    }

    private static String backtestRequest(String since, @Nullable String mapping, @Nullable String configuration) {
        return JSON.createObjectNode()
                .put("since", since)
                .put("mapping", mapping)
                .put("configuration", configuration)
                .toString();
    }

    private void start(String template) throws Exception {
        server = TomcatServer.withConsole(directory, configuration(template));
    }

    private static String configuration(String template) {
        return """
                hooks:
                  enabled: true
                  token: %s
                  throttle: {failures: 1000}
                  mappings:
                    - {id: shop, match: {path: shop}, messageTemplate: '%s'}
                senders: {ci: {token: %s, hooks: [shop]}}
                requests: {payloads: failed}
                console: viewer
                """
                .formatted(TOKEN, template, SENDER_TOKEN);
    }

    private static String body() {
        return "{\"n\":\"" + SECRET_WORD + "\"}";
    }

    private HttpResponse<String> order(String body) throws Exception {
        return order(body, TOKEN);
    }

    private HttpResponse<String> order(String body, String token) throws Exception {
        return send("shop", body, token);
    }

    private HttpResponse<String> send(String hook, String body, String token) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(server.at("/postern/hooks/" + hook))
                        .header("Authorization", "Bearer " + token)
                        .header("X-Shop", "seven")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private String sendFailing() throws Exception {
        HttpResponse<String> response = order(body());
        assertThat(response.body()).contains("mapping_failed").doesNotContain(SECRET_WORD);
        return response.headers().firstValue("X-Request-Id").orElseThrow();
    }

    private List<Integer> statuses(String method, String place) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (@Nullable String user : new @Nullable String[] {null, "nora", "vera", "otto"}) {
            statuses.add(send(method, user, place, "").statusCode());
        }
        return statuses;
    }

    private HttpResponse<String> get(String user, String place) throws Exception {
        return send("GET", user, place, "");
    }

    private HttpResponse<String> post(String user, String place, String form) throws Exception {
        return send("POST", user, place, form);
    }

    private HttpResponse<String> send(String method, @Nullable String user, String place, String form)
            throws Exception {
        return CLIENT.send(request(method, user, place, form), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, @Nullable String user, String place, String form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at("/postern/console/api/" + place));
        if (method.equals("GET")) {
            request.GET();
        } else {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        if (user != null) {
            String credentials = user + ":" + TomcatServer.PASSWORD;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return request.build();
    }
}

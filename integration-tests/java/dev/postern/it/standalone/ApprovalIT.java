package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.postern.it.ProofReport;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of turns that wait for an operator's decision about a tool call. */
@Tag("long")
class ApprovalIT {

    private static final int PAUSED = Integer.getInteger("it.paused", 100);
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Pattern CITY = Pattern.compile("\"city\": ?\"Rome-([0-9]+)\"");
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
    private static final String ASKS = "tools: {mcp: [weather], approve: [weather/forecast], askChannel: inbox}";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void makesNoCallBeforeAnOperatorHasApprovedIt() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(settings(ASKS));
        PosternProcess postern = home.start();
        String run = asked(postern, 7);

        CompletableFuture<String> followed = followed(postern, run);

        JsonObject approval = undecided(home, postern, 1).get(0);
        assertThat(approval.get("runId").getAsString()).isEqualTo(run);
        assertThat(approval.get("tool").getAsString()).isEqualTo("forecast");
        assertThat(approval.get("arguments").getAsString()).isEqualTo("{\"city\": \"Rome-7\"}");
        PosternResponse waiting = postern.sender().run(run);
        assertThat(waiting.text("status")).isEqualTo("queued");
        assertThat(waiting.text("retryReason")).isEqualTo("an operator has to approve a tool call");
        assertThat(waiting.body()).doesNotContain("Rome-7");
        assertThat(calls()).isEmpty();
        String question = page(home, postern, "api/inbox").body();
        assertThat(question).contains("weather/forecast", run).doesNotContain("Rome-7");
        HttpClient browser = browser(home, postern);
        assertThat(shown(browser, postern, "runs/" + run)).contains("for an operator's approval", "Rome-7");
        String approvals = shown(browser, postern, "approvals");
        assertThat(approvals).contains("Rome-7", "/approve");
        assertThat(shown(browser, postern, "")).contains("1 tool call waits for approval.");

        String id = approval.get("id").getAsString();
        assertThat(decide(home, postern, "apr_00000000000000000000000000", "approve")
                        .statusCode())
                .isEqualTo(404);
        HttpRequest byForm = HttpRequest.newBuilder(at(postern, "approvals/" + id + "/approve"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("csrf=" + csrf(approvals)))
                .build();
        assertThat(browser.send(byForm, BodyHandlers.ofString()).statusCode()).isEqualTo(303);
        HttpResponse<String> second = decide(home, postern, id, "refuse");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("The call is approved already, by operator.");

        PosternResponse ended = postern.sender().ended(run);
        assertThat(ended.text("reply")).isEqualTo("It rains.");
        assertThat(followed.get(1, TimeUnit.MINUTES))
                .containsSubsequence(
                        "id: 1.0.waiting\n",
                        "an operator has to approve a tool call",
                        "id: 1.1.tool.1\n",
                        "It rains.",
                        "event: end\n");
        assertThat(ended.number("attempts")).isEqualTo(1);
        assertThat(ended.number("inputTokens")).isEqualTo(22);
        assertThat(calls()).containsExactly("7");
        assertThat(page(home, postern, "api/runs/" + run).body())
                .contains("\"decision\":\"approved\"")
                .doesNotContain("Rome-7\\\"}");
        assertThat(page(home, postern, "api/audit").body()).contains("approvals/approve", id);
        assertThat(postern.stop()).isZero();
        assertThat(postern.log() + postern.out()).doesNotContain("Rome-7");
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT run_id FROM paused_turn")).isEmpty();
            assertThat(database.column("SELECT id FROM approval WHERE arguments IS NOT NULL OR result IS NOT NULL"))
                    .isEmpty();
        }
    }

    @Test
    void tellsTheModelOfARefusalAndOfACallThatNobodyApproves() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(settings(ASKS));
        PosternProcess postern = home.start();
        String run = asked(postern, 1);

        String id = undecided(home, postern, 1).get(0).get("id").getAsString();
        assertThat(decide(home, postern, id, "refuse").statusCode()).isEqualTo(200);

        assertThat(postern.sender().ended(run).text("reply")).isEqualTo("It rains.");
        assertThat(PEERS.chatRequests()).last().asString().contains("Not called: an operator has refused this call.");
        assertThat(calls()).isEmpty();
    }

    @Test
    void asksForToolsThatOnlyTheMappingNames() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(settings(
                        "tools: {mcp: [weather]}",
                        "mappings: [{match: {path: mapped}, messageTemplate: 'number 3', approve: [forecast],"
                                + " wakeMode: next-heartbeat}]"));
        PosternProcess postern = home.start();
        String mapped = postern.sender().post("mapped", "{}").text("runId");
        String plain = asked(postern, 4);

        assertThat(postern.sender().ended(plain).text("reply")).isEqualTo("It rains.");
        assertThat(calls()).containsExactly("4");
        JsonObject approval = undecided(home, postern, 1).get(0);
        assertThat(approval.get("runId").getAsString()).isEqualTo(mapped);
        assertThat(decide(home, postern, approval.get("id").getAsString(), "approve")
                        .statusCode())
                .isEqualTo(200);
        assertThat(postern.sender().ended(mapped).text("reply")).isEqualTo("It rains.");
        assertThat(calls()).containsExactly("4", "3");
    }

    @Test
    void withdrawsTheQuestionOfARunThatIsCancelled() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(settings(ASKS));
        PosternProcess postern = home.start();
        String run = asked(postern, 1);
        String id = undecided(home, postern, 1).get(0).get("id").getAsString();

        assertThat(send(home, postern, "api/runs/" + run + "/cancel", true).statusCode())
                .isEqualTo(200);

        assertThat(postern.sender().ended(run).text("status")).isEqualTo("cancelled");
        HttpResponse<String> late = decide(home, postern, id, "approve");
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("The run has ended: withdrawn.");
        assertThat(undecided(home, postern, 0)).isEmpty();
    }

    /** A hundred turns wait; both nodes are killed, one of them again while it makes the calls that were approved. */
    @Test
    @Tag("kill")
    @Timeout(600)
    void goesOnWithEveryTurnOverKillsOfAllNodes() throws Exception {
        stubs(100);
        try (Cluster cluster = Cluster.start(
                homeFixtureExtension,
                2,
                HomeFixture.hooks(),
                agents("tools: {mcp: [weather], approve: [weather/forecast]}"),
                PEERS.provider(),
                PEERS.tools())) {
            Map<String, String> runs = new LinkedHashMap<>();
            for (int i = 1; i <= PAUSED; i++) {
                runs.put(asked(cluster.node(0).postern(), i), String.valueOf(i));
            }
            await().atMost(LONGEST)
                    .until(() -> cluster.column("SELECT id FROM approval WHERE decision IS NULL")
                                    .size()
                            == PAUSED);
            assertThat(calls()).isEmpty();
            cluster.node(0).kill();
            cluster.node(1).kill();

            cluster.node(1).start();
            for (String id : cluster.column("SELECT id FROM approval ORDER BY id")) {
                assertThat(decide(cluster.node(1).home(), cluster.node(1).postern(), id, "approve")
                                .statusCode())
                        .isEqualTo(200);
            }
            await().atMost(LONGEST).until(() -> calls().size() > PAUSED / 5);
            cluster.node(1).kill();
            cluster.node(0).start();

            await().atMost(LONGEST).until(() -> cluster.column("SELECT id FROM run WHERE finished_at IS NULL")
                    .isEmpty());
            Map<String, Long> made =
                    calls().stream().collect(Collectors.groupingBy(call -> call, Collectors.counting()));
            assertThat(made).allSatisfy((call, times) -> assertThat(times).isEqualTo(1));
            List<String> told = new ArrayList<>();
            for (Map.Entry<String, String> run : runs.entrySet()) {
                PosternResponse ended = cluster.node(0).sender().run(run.getKey());
                assertThat(ended.text("status")).isEqualTo("succeeded");
                if (ended.body().contains("It may have been made")) {
                    told.add(run.getValue());
                } else {
                    assertThat(made).containsKey(run.getValue());
                }
            }
            ProofReport.add(
                    "approvals",
                    PAUSED + " paused turns, 3 kills: " + made.size() + " calls made once, " + told.size()
                            + " told as \"may have been made\"");
        }
    }

    /** The model calls {@code forecast} with the number of its message; each call takes {@code millis}. */
    private static void stubs(int millis) {
        PEERS.toolServer(millis);
        String call = PeerServersExtension.reply(null, "tool_calls")
                .replace("Rome", "Rome-{{regexExtract request.body 'number ([0-9]+)' 'n'}}{{n.0}}");
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(call).withTransformers("response-template")));
        PEERS.stubFor(post(PeerServersExtension.CHAT)
                .withRequestBody(matching("(?s).*\"role\" ?: ?\"tool\".*"))
                .willReturn(okJson(PeerServersExtension.reply("It rains.", "stop"))));
    }

    private String[] settings(String tools, String... hooks) {
        stubs(0);
        return new String[] {HomeFixture.hooks(hooks), agents(tools), PEERS.provider(), PEERS.tools()};
    }

    private static String agents(String tools) {
        return "agents: {defaults: {model: lab/large}, list: [{id: main, " + tools + "}]}";
    }

    private static String asked(PosternProcess postern, int number) throws Exception {
        return postern.sender()
                .post("agent", "{\"message\":\"number " + number + "\",\"wakeMode\":\"next-heartbeat\"}")
                .text("runId");
    }

    /** The numbers of the calls that the tool server got, in order. */
    private static List<String> calls() {
        return PEERS
                .findAll(postRequestedFor(urlPathEqualTo(PeerServersExtension.MCP))
                        .withRequestBody(containing("tools/call")))
                .stream()
                .map(LoggedRequest::getBodyAsString)
                .map(CITY::matcher)
                .filter(Matcher::find)
                .map(city -> city.group(1))
                .toList();
    }

    /** The calls that wait for a decision, as soon as there are {@code count}. */
    private static List<JsonObject> undecided(HomeFixture home, PosternProcess postern, int count) {
        return await().atMost(LONGEST)
                .until(
                        () -> JsonParser.parseString(page(home, postern, "api/approvals?undecided=true")
                                        .body())
                                .getAsJsonObject()
                                .getAsJsonArray("approvals")
                                .asList()
                                .stream()
                                .map(JsonElement::getAsJsonObject)
                                .toList(),
                        found -> found.size() == count);
    }

    private static HttpResponse<String> decide(HomeFixture home, PosternProcess postern, String id, String decision)
            throws Exception {
        return send(home, postern, "api/approvals/" + id + "/" + decision, true);
    }

    /** The events of {@code run}, which ends when the run does. */
    private static CompletableFuture<String> followed(PosternProcess postern, String run) {
        HttpRequest request = HttpRequest.newBuilder(postern.base().resolve("/hooks/runs/" + run))
                .header("Authorization", "Bearer " + HomeFixture.TOKEN)
                .header("Accept", "text/event-stream")
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }

    /** A browser whose user is logged in. */
    private static HttpClient browser(HomeFixture home, PosternProcess postern) throws Exception {
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        String form = "name=operator&password="
                + URLEncoder.encode(home.read("secrets/console-password").strip(), StandardCharsets.UTF_8);
        HttpRequest login = HttpRequest.newBuilder(at(postern, "login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        assertThat(browser.send(login, BodyHandlers.ofString()).statusCode()).isEqualTo(303);
        return browser;
    }

    private static String shown(HttpClient browser, PosternProcess postern, String place) throws Exception {
        return browser.send(HttpRequest.newBuilder(at(postern, place)).build(), BodyHandlers.ofString())
                .body();
    }

    private static String csrf(String page) {
        Matcher field = CSRF.matcher(page);
        assertThat(field.find()).isTrue();
        return field.group(1);
    }

    private static URI at(PosternProcess postern, String place) {
        return postern.base().resolve("/console/" + place);
    }

    private static HttpResponse<String> page(HomeFixture home, PosternProcess postern, String place) throws Exception {
        return send(home, postern, place, false);
    }

    private static HttpResponse<String> send(HomeFixture home, PosternProcess postern, String place, boolean isAct)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at(postern, place)).header("Authorization", home.operator());
        return CLIENT.send(
                (isAct ? request.POST(BodyPublishers.noBody()) : request.GET()).build(), BodyHandlers.ofString());
    }
}

package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.it.standalone.TraceCollector.ReceivedSpan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the traces that an agent on the command line sends, and of Postern without one. */
@Tag("long")
@Timeout(600)
class TraceIT {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int REQUESTS = 20;
    private static final String CANARY = "canary-4711";
    private static final String SENDERS_SPAN = "b7ad6b7169203331";
    private static final String RECEIVER = "/crm";
    private static final String SENT = "delivered";

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final TraceCollector collector = new TraceCollector();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void connectsRequestAndReplyAcrossTwoNodesAndRestart() throws Exception {
        askForToolThenReply();
        PEERS.stubFor(post(RECEIVER).willReturn(aResponse().withStatus(503).withHeader("Retry-After", "1")));
        HomeFixture first = collector.watch(homeFixtureExtension.newHome(), "node-a");
        HomeFixture second = collector
                .watch(homeFixtureExtension.newHome(), "node-b")
                // As the documentation advises; the other node has all of the agent's own spans.
                .environment("OTEL_INSTRUMENTATION_JDBC_ENABLED", "false")
                .environment("OTEL_INSTRUMENTATION_JAVA_HTTP_CLIENT_ENABLED", "false");
        try (Cluster cluster = Cluster.start(
                List.of(first, second),
                HomeFixture.hooks("allowRequestSessionKey: true"),
                agents("maxConcurrent: 1, "),
                PEERS.provider().replace("}}", "}, gate: {kind: command, command: [sh, -c, '" + gate() + "']}}"),
                PEERS.tools(),
                channels())) {
            Cluster.Node a = cluster.node(0);
            Cluster.Node b = cluster.node(1);
            occupy(cluster, a);
            Map<String, String> runs = ask(a);
            assertThat(a.sender().withToken("wrong").post("agent", "{}").status())
                    .isEqualTo(401);

            assertThat(a.sender().get("runs/run_0?token=" + CANARY).status()).isEqualTo(400);

            a.postern().terminate();
            await().atMost(LONGEST).until(() -> isRefusing(a.postern()));
            first.file("agents/main/go", "");
            assertThat(a.postern().awaitExit()).isZero();
            second.file("agents/main/go", "");
            await("an attempt at each delivery")
                    .atMost(LONGEST)
                    .until(() -> deliveries().stream()
                                    .map(each -> each.getHeader("webhook-id"))
                                    .distinct()
                                    .count()
                            == REQUESTS);
            String log = b.postern().log();
            assertThat(b.postern().stop()).isZero();
            // The agent stops beside Postern, so that the span of an attempt that ends meanwhile may not be sent.
            PEERS.resetRequests();
            PEERS.stubFor(post(RECEIVER).willReturn(ok()));
            b.start();
            for (String run : runs.keySet()) {
                await(run).atMost(LONGEST).until(() -> b.sender().run(run).text("delivery"), SENT::equals);
            }
            List<String> woken = wake(b);

            runs.forEach((run, trace) -> {
                await("the whole trace of " + run).atMost(LONGEST).until(() -> isWhole(collector.trace(trace)));
                assertSteps(run, trace);
                assertThat(log).contains(run + " of hook agent, agent main, model lab/large, trace " + trace);
            });
            await("the heartbeats' links").atMost(LONGEST).until(() -> links().containsAll(woken));
            assertThat(deliveries()).hasSizeGreaterThanOrEqualTo(REQUESTS);
            await("the span of each attempt since the restart")
                    .atMost(LONGEST)
                    .untilAsserted(this::assertAttemptsHaveSpans);
            assertThat(named("hook request"))
                    .as("requests that were let in, and no other")
                    .hasSize(REQUESTS + 2 + woken.size());
            assertThat(collector.spans().toString()).doesNotContain(CANARY, PeerServersExtension.KEY, "Rome");
        }
    }

    @Test
    void showsSendersTraceWithoutAgent() throws Exception {
        askForToolThenReply();
        PEERS.stubFor(post(RECEIVER).willReturn(ok()));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks("allowRequestSessionKey: true"),
                        agents(""),
                        PEERS.provider(),
                        PEERS.tools(),
                        channels());
        PosternProcess postern = home.start();
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String parent = "00-" + trace + "-00f067aa0ba902b7-01";

        String run = accepted(
                postern.sender().post("agent", body(1), "traceparent", parent, "tracestate", "vendor=" + CANARY));
        await().atMost(LONGEST).until(() -> postern.sender().run(run).text("delivery"), SENT::equals);

        assertThat(postern.sender().run(run).text("traceId")).isEqualTo(trace);
        PosternResponse seen = postern.sender()
                .withToken(null)
                .get("../console/api/runs/" + run, List.of("Authorization", home.operator()));
        assertThat(seen.body()).as("the console").contains("\"traceId\":\"" + trace + "\"");
        assertThat(postern.log())
                .contains("agent main, model lab/large, trace " + trace + ": begins")
                .doesNotContain(CANARY)
                .doesNotContainIgnoringCase("opentelemetry");
        assertThat(traced())
                .as("the model, the tool and the receiver")
                .extracting(LoggedRequest::getUrl)
                .contains(PeerServersExtension.CHAT, "/mcp", RECEIVER);
        assertThat(traced()).allSatisfy(each -> {
            assertThat(each.getHeader("traceparent")).isEqualTo(parent);
            assertThat(each.containsHeader("tracestate")).isFalse();
        });
        assertThat(collector.spans()).isEmpty();
    }

    @Test
    void acceptsRequestsWhateverTheirTraceHeadersSay() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks("allowRequestSessionKey: true"));
        PosternProcess postern = home.start();
        String valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        List<List<String>> headers = List.of(
                List.of("traceparent", ""),
                List.of("traceparent", CANARY),
                List.of("traceparent", valid.toUpperCase(Locale.ROOT)),
                List.of("traceparent", "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01"),
                List.of("traceparent", "ff" + valid.substring(2)),
                List.of("traceparent", valid + "-" + CANARY),
                List.of("traceparent", "0".repeat(5_000)),
                List.of("traceparent", valid, "traceparent", valid),
                List.of("tracestate", "a=" + CANARY));
        for (List<String> each : headers) {
            String run = accepted(postern.sender().post("agent", "{\"message\":\"m\"}", each.toArray(String[]::new)));
            assertThat(postern.sender().run(run).text("traceId"))
                    .as(each.toString())
                    .isEmpty();
        }
        for (String state : List.of("A B=" + CANARY, "=" + CANARY, "a=" + "x".repeat(600))) {
            String run = accepted(
                    postern.sender().post("agent", "{\"message\":\"m\"}", "traceparent", valid, "tracestate", state));
            assertThat(postern.sender().run(run).text("traceId")).isEqualTo(valid.substring(3, 35));
        }

        assertThat(postern.stop()).isZero();
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT trace_context FROM run WHERE trace_context IS NOT NULL"))
                    .hasSize(3)
                    .containsOnly(valid);
        }
    }

    private void assertSteps(String run, String trace) {
        List<ReceivedSpan> spans = collector.trace(trace);
        Map<String, Set<String>> steps = spans.stream()
                .filter(ReceivedSpan::isPosterns)
                .collect(Collectors.groupingBy(
                        ReceivedSpan::name,
                        TreeMap::new,
                        Collectors.mapping(ReceivedSpan::service, Collectors.toSet())));
        assertThat(steps)
                .as(run)
                .containsOnlyKeys(
                        "chat large",
                        "commit",
                        "delivery",
                        "execute_tool forecast",
                        "hook request",
                        "invoke_agent main",
                        "mapping",
                        "run");
        steps.forEach((name, services) -> assertThat(services)
                .as(name)
                .containsExactly(Set.of("hook request", "mapping", "commit").contains(name) ? "node-a" : "node-b"));
        ReceivedSpan request = only(spans, "hook request");
        ReceivedSpan server = spans.stream()
                .filter(span -> span.id().equals(request.parent()))
                .findFirst()
                .orElseThrow();
        assertThat(server.scope()).contains("tomcat");
        assertThat(only(spans, "run").parent()).isEqualTo(request.id());
        assertThat(only(spans, "run").attributes())
                .containsEntry("postern.run.id", run)
                .containsEntry("postern.run.attempt", "1");
        assertThat(only(spans, "invoke_agent main").attributes())
                .containsEntry("gen_ai.operation.name", "invoke_agent")
                .containsEntry("gen_ai.provider.name", "openai")
                .containsEntry("gen_ai.request.model", "large")
                .containsEntry("gen_ai.response.model", "large")
                .containsEntry("gen_ai.usage.input_tokens", "22")
                .containsEntry("gen_ai.usage.output_tokens", "14");
        assertThat(spans.stream().filter(span -> span.name().equals("delivery")).map(span -> span.attributes()
                        .get("postern.delivery.attempt")))
                .as("one span for each attempt, but for those of a killed node that it had not sent")
                .doesNotHaveDuplicates()
                .contains("1")
                .hasSizeGreaterThan(1);
    }

    private void assertAttemptsHaveSpans() {
        Map<String, String> senders =
                named("delivery").stream().collect(Collectors.toMap(ReceivedSpan::id, ReceivedSpan::trace));
        assertThat(deliveries()).allSatisfy(each -> assertThat(senders)
                .containsEntry(
                        each.getHeader("traceparent").substring(36, 52),
                        each.getHeader("traceparent").substring(3, 35)));
    }

    /** Whether each span's parent has been received too, the sender's apart, up to a second attempt at the delivery. */
    private static boolean isWhole(List<ReceivedSpan> spans) {
        Set<String> known = spans.stream().map(ReceivedSpan::id).collect(Collectors.toSet());
        long begins =
                spans.stream().filter(span -> !known.contains(span.parent())).count();
        boolean isConnected = spans.stream()
                .filter(span -> !known.contains(span.parent()))
                .allMatch(span -> span.parent().isEmpty() || span.parent().equals(SENDERS_SPAN));
        return isConnected
                && begins == 1
                && spans.stream()
                        .anyMatch(span -> span.name().equals("delivery")
                                && !"1".equals(span.attributes().get("postern.delivery.attempt")));
    }

    private static ReceivedSpan only(List<ReceivedSpan> spans, String name) {
        List<ReceivedSpan> found =
                spans.stream().filter(span -> span.name().equals(name)).toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private List<ReceivedSpan> named(String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .toList();
    }

    private Set<String> links() {
        return named("heartbeat").stream()
                .flatMap(span -> span.links().stream())
                .collect(Collectors.toSet());
    }

    /** Has each node run a turn that ends when its home has a file. */
    private static void occupy(Cluster cluster, Cluster.Node node) throws Exception {
        for (String session : List.of("hook:one", "hook:two")) {
            accepted(node.sender()
                    .post(
                            "agent",
                            "{\"message\":\"wait\",\"model\":\"gate/x\",\"wakeMode\":\"next-heartbeat\",\"sessionKey\":\""
                                    + session + "\"}"));
        }
        await("a turn on each node").atMost(LONGEST).until(() -> cluster.nodes().stream()
                .allMatch(each -> each.sessionLocks().size() == 1));
    }

    /** Asks for runs, every second time with a sender's trace; returns the trace of each run by its id. */
    private static Map<String, String> ask(Cluster.Node node) throws Exception {
        Map<String, String> runs = new TreeMap<>();
        for (int i = 0; i < REQUESTS; i++) {
            String sent = "%032x".formatted(0x4711_0000L + i);
            String[] headers = i % 2 == 0
                    ? new String[] {"traceparent", "00-" + sent + "-" + SENDERS_SPAN + "-01"}
                    : new String[0];
            String run = accepted(node.sender().post("agent", body(i), headers));
            String trace = node.sender().run(run).text("traceId");
            assertThat(trace).matches(i % 2 == 0 ? sent : "[0-9a-f]{32}");
            runs.put(run, trace);
        }
        assertThat(runs.values()).doesNotHaveDuplicates();
        return runs;
    }

    private static List<String> wake(Cluster.Node node) throws Exception {
        List<String> traces = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String trace = "%032x".formatted(0x4712_0000L + i);
            assertThat(node.sender()
                            .post(
                                    "wake",
                                    "{\"text\":\"" + CANARY + "\"}",
                                    "traceparent",
                                    "00-" + trace + "-" + SENDERS_SPAN + "-01")
                            .status())
                    .isEqualTo(200);
            traces.add(trace);
        }
        return traces;
    }

    private static String accepted(PosternResponse response) {
        assertThat(response.status()).as(response.toString()).isEqualTo(202);
        return response.text("runId");
    }

    private static String body(int number) {
        return ("{\"message\":\"%s in Rome\",\"wakeMode\":\"next-heartbeat\",\"channel\":\"crm\",\"to\":\"r%d\","
                        + "\"sessionKey\":\"hook:r%d\"}")
                .formatted(CANARY, number, number);
    }

    private static String agents(String more) {
        return "agents: {" + more
                + "defaults: {model: lab/large}, list: [{id: main, tools: {mcp: [weather], allow: [forecast]}}]}";
    }

    private static String gate() {
        return "cat > /dev/null; while [ ! -e go ]; do sleep 0.1; done; echo done";
    }

    private static String channels() {
        return "channels: {crm: {kind: webhook, url: '" + PEERS.baseUrl() + RECEIVER
                + "', secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, allowPrivateAddresses: true}}";
    }

    private static void askForToolThenReply() {
        PEERS.toolServer();
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        PEERS.stubFor(post(PeerServersExtension.CHAT)
                .withRequestBody(matching("(?s).*\"role\" ?: ?\"tool\".*"))
                .willReturn(okJson(PeerServersExtension.reply("It rains.", "stop"))));
    }

    private static List<LoggedRequest> deliveries() {
        return PEERS.findAll(postRequestedFor(urlPathEqualTo(RECEIVER)));
    }

    private static List<LoggedRequest> traced() {
        return PEERS.findAll(anyRequestedFor(anyUrl()).withHeader("traceparent", matching(".+")));
    }

    private static boolean isRefusing(PosternProcess postern) {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), postern.base().getPort())) {
            return !socket.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }
}

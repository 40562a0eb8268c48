package dev.postern.it;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A test of redeployments while requests come in, on servers as processes: {@code -Dit.redeploys} of them, 6 by default.
 * Every accepted action is there afterwards, once. A removed version leaves no thread, no MBean, no file and no class
 * loader.
 */
@Timeout(3_600)
class RedeployLoadIT extends RedeploymentFixture {

    private static final int REDEPLOYS = Integer.getInteger("it.redeploys", 6);
    /** What the JVM opens once and keeps. */
    private static final long MORE_FILES = 20;

    /** Less than the minute in which Tomcat and Java give up threads that have nothing to do. */
    private static final Duration LONGEST_END = Duration.ofSeconds(60);

    private static final int SENDERS = 2;
    /** A pause that leaves the machine to the redeployment while there is no response. */
    private static final long PAUSE_MILLIS = 20;

    private static final int AT_ONCE = 12;
    /** Versions that a few idle threads of WildFly still hold on their stacks, as the last thing that they ran. */
    private static final int HELD_BY_WILDFLY = 4;

    private static final Set<String> SERVERS = Set.of("tomcat10", "tomcat11", "jetty12", "wildfly");
    private static final Pattern LISTENER = Pattern.compile("(?m)\\bdev\\.postern\\.app\\.PosternListener$");
    private static final String[] STRINGS = {String[].class.getName()};

    private final Queue<SentRequest> accepted = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();

    private record SentRequest(String hook, String body, String key, RawResponse answer) {}

    @Deployment(name = "again", managed = false, testable = false)
    static WebArchive again() {
        return DeploymentHome.empty("again").war();
    }

    @Test
    void loseNothingAndLeaveNothing() throws Exception {
        Assumptions.assumeTrue(SERVERS.contains(DeploymentHost.server()), "one server shows it for all of its kind");
        WireMockServer provider =
                new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));
        provider.start();
        ScheduledExecutorService senders = Executors.newScheduledThreadPool(SENDERS);
        try {
            provider.stubFor(any(anyUrl())
                    .willReturn(okJson(
                            "{\"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"Fine.\"}}]}")));
            DeploymentHome home = home(provider.baseUrl());
            deploy("again", home);
            URI site = site();
            String token = token();
            List<Future<?>> sending = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                sending.add(senders.scheduleWithFixedDelay(
                        () -> send(site, token), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS));
            }
            long files = 0;
            for (int i = 0; i < REDEPLOYS; i++) {
                assertThat(sending).noneMatch(Future::isDone);
                int before = count.get();
                await().atMost(Duration.ofSeconds(30)).until(() -> count.get() > before + 10);
                if (i == 2) {
                    files = openFiles();
                }
                undeploy();
                deploy("again", home);
            }
            senders.shutdown();
            assertThat(senders.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            undeploy();

            assertThat(wrong).isEmpty();
            DeploymentHost server = new DeploymentHost("again");
            assertThatNoClassLoaderIsLeft(server);
            assertThat(server.threads()).noneMatch(name -> name.startsWith("postern-"));
            assertThat(server.beans().queryNames(new ObjectName("dev.postern:*"), null))
                    .isEmpty();
            assertThat(openFiles()).isLessThan(files + MORE_FILES);

            deploy("again", home);
            System.out.printf(
                    "%d redeployments: %d accepted, %d not answered, open files %d, then %d%n",
                    REDEPLOYS, accepted.size(), unanswered.get(), files, openFiles());
            assertThat(accepted).hasSizeGreaterThan(REDEPLOYS).allSatisfy(this::isKnown);
        } finally {
            senders.shutdownNow();
            provider.stop();
        }
    }

    /** A server may make a thread of its own while it is told that somebody's wait is over. */
    @Test
    void leaveNothingWithThreadsThatAnswerWhoWaited() throws Exception {
        assumeThatItIsTomcat();
        DeploymentHome home = holding();
        deploy("again", home);
        List<CompletableFuture<RawResponse>> answers = new ArrayList<>();
        for (int i = 1; i <= AT_ONCE; i++) {
            answers.add(startHeldTurn(i));
        }

        await().until(() -> {
            endHeldTurns(home);
            return answers.stream().allMatch(CompletableFuture::isDone);
        });

        assertThat(answers)
                .allSatisfy(answer -> assertThatResponse(answer.join()).isOk(200));
        undeploy();
        assertThatNoClassLoaderIsLeft(new DeploymentHost("again"));
    }

    /** Tomcat gives who waits two seconds more, and then ends the request. */
    @Test
    void tellWhoWaitsThatItIsAcceptedWhenTheyTakeLonger() throws Exception {
        assumeThatItIsTomcat();
        DeploymentHome home = holding();
        deploy("again", home);
        CompletableFuture<RawResponse> waiting = startHeldTurn(1);

        CompletableFuture<RawResponse> told = waiting.whenComplete((rawResponse, failure) -> endHeldTurns(home));

        undeploy();

        RawResponse rawResponse = told.get(60, TimeUnit.SECONDS);
        assertThatResponse(rawResponse).isOk(202);
        deploy("again", home);
        await().until(() -> get("hooks/runs/" + rawResponse.text("runId"))
                .send()
                .text("status")
                .equals("succeeded"));
    }

    /** A home in which turns take until {@link #endHeldTurns}. */
    private static DeploymentHome holding() throws IOException, InterruptedException {
        DeploymentHome home = DeploymentHome.with(
                "again",
                List.of(),
                "providers: {gate: {kind: command, command: [cat, '"
                        + DeploymentHome.empty("again").path("gate") + "']}}",
                "agents: {maxConcurrent: " + AT_ONCE + ", defaults: {model: gate/hold}}");
        assertThat(new ProcessBuilder("mkfifo", home.path("gate").toString())
                        .start()
                        .waitFor())
                .isZero();
        return home;
    }

    /** Asks for a turn, the {@code number}th that is held, and waits for it. */
    private CompletableFuture<RawResponse> startHeldTurn(int number) {
        CompletableFuture<RawResponse> answer = agent(
                        "{\"message\":\"a\",\"wakeMode\":\"next-heartbeat\",\"deliver\":false}")
                .header("Prefer", "wait=20")
                .begin();
        await().untilAsserted(() -> assertThat(host().threadsIn("dev.postern.dispatch", "dev.postern.agent"))
                .hasSize(number));
        return answer;
    }

    /** Lets go of all turns that are held. */
    private static void endHeldTurns(DeploymentHome home) {
        try {
            new RandomAccessFile(home.path("gate").toFile(), "rw").close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assumeThatItIsTomcat() {
        Assumptions.assumeTrue(DeploymentHost.server().equals("tomcat11"), "one Tomcat shows it for all");
    }

    private static void assertThatNoClassLoaderIsLeft(DeploymentHost server) {
        await().atMost(LONGEST_END).untilAsserted(() -> assertThat(classLoaders(server))
                .isLessThanOrEqualTo(DeploymentHost.server().equals("wildfly") ? HELD_BY_WILDFLY : 0));
    }

    /** A request without a response found no web application, or its end; a repeated request is served. */
    private void send(URI site, String token) {
        int number = count.incrementAndGet();
        String text = "text " + number;
        send(site, token, "wake", "{\"text\":\"" + text + "\",\"mode\":\"next-heartbeat\"}", "wake-" + number);
        send(site, token, "scripted", "{\"message\":\"" + text + "\"}", "scripted-" + number);
        send(site, token, "agent", "{\"message\":\"" + text + "\"}", "agent-" + number);
    }

    private void send(URI site, String token, String hook, String body, String key) {
        try {
            RawResponse rawResponse = new Request(site, "hooks/" + hook, "hooks")
                    .bearer(token)
                    .method("POST", body)
                    .header("Idempotency-Key", key)
                    .header("Prefer", "wait=20")
                    .send();
            if (rawResponse.status() == 200 || rawResponse.status() == 202) {
                accepted.add(new SentRequest(hook, body, key, rawResponse));
            } else if (rawResponse.status() != 404 && rawResponse.status() != 503 && !isWildFlyEnd(rawResponse)) {
                wrong.add(rawResponse.status());
            }
        } catch (UncheckedIOException gone) {
            unanswered.incrementAndGet();
        }
    }

    /** WildFly's own response to a request that came in while it removed the web application. */
    private static boolean isWildFlyEnd(RawResponse rawResponse) {
        return rawResponse.status() == 500
                && DeploymentHost.server().equals("wildfly")
                && rawResponse.header("X-Request-Id").isEmpty();
    }

    private void isKnown(SentRequest sent) {
        RawResponse again = post("hooks/" + sent.hook(), sent.body())
                .header("Idempotency-Key", sent.key())
                .send();
        assertThat(again.header("Idempotent-Replayed")).as(sent.key()).hasValue("true");
        if (!sent.hook().equals("wake")) {
            String run = again.text("runId");
            assertThat(sent.answer().text("runId")).isEqualTo(run);
            await(sent.key())
                    .atMost(Duration.ofSeconds(60))
                    .pollDelay(Duration.ZERO)
                    .until(() -> get("hooks/runs/" + run).send().text("status").equals("succeeded"));
        }
    }

    private static DeploymentHome home(String provider) {
        DeploymentHome home = DeploymentHome.with(
                "again",
                List.of("mappings: [{match: {path: scripted}, transform: {module: m.ts}}]"),
                "providers: {lab: {kind: openai, baseUrl: '" + provider + "/v1'}}",
                "agents: {defaults: {model: lab/large, heartbeat: {target: ops}}}",
                "channels: {ops: {kind: webhook, url: '" + provider + "/ops', secret: whsec_c2VjcmV0,"
                        + " allowPrivateAddresses: true}}");
        home.write("hooks/transforms/m.ts", "export default ({payload}) => ({message: 'm ' + payload.message});");
        return home;
    }

    private static long openFiles() throws IOException, JMException {
        return (long) new DeploymentHost("again")
                .beans()
                .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "OpenFileDescriptorCount");
    }

    /** How many class loaders have loaded Postern and are still there after a collection. */
    private static long classLoaders(DeploymentHost server) throws IOException, JMException {
        server.beans().invoke(new ObjectName("java.lang:type=Memory"), "gc", null, null);
        String loaded = (String) server.beans()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmMetaspace",
                        new Object[] {new String[] {"show-loaders=true", "show-classes=true"}},
                        STRINGS);
        return LISTENER.matcher(loaded).results().count();
    }
}

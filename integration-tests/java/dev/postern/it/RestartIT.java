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
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A test of the state that outlives a web application, and of the state that must not. */
class RestartIT extends RedeploymentFixture {

    private static final String WAKE = "{\"text\":\"once\",\"mode\":\"next-heartbeat\"}";
    private static final String AGENT = "{\"message\":\"once\"}";

    @Deployment(name = "restart-before", managed = false, testable = false)
    static WebArchive before() {
        return DeploymentHome.empty("restart").war("before");
    }

    @Deployment(name = "restart-after", managed = false, testable = false)
    static WebArchive after() {
        return DeploymentHome.empty("restart").war("after");
    }

    @Deployment(name = "left", managed = false, testable = false)
    static WebArchive left() {
        return DeploymentHome.empty("left").war();
    }

    @Test
    void remembersWhatWasAcceptedBefore() {
        DeploymentHome home = DeploymentHome.empty("restart");
        deploy("restart-before", home);
        RawResponse event = wake(WAKE).header("Idempotency-Key", "wake").send();
        RawResponse run = agent(AGENT).header("Idempotency-Key", "agent").send();
        undeploy();

        deploy("restart-after", home);

        assertThatResponse(wake(WAKE).header("Idempotency-Key", "wake").send())
                .isOk(200)
                .hasHeader("Idempotent-Replayed", "true");
        assertThat(wake(WAKE).header("Idempotency-Key", "wake").send().body()).isEqualTo(event.body());
        assertThat(agent(AGENT).header("Idempotency-Key", "agent").send().body())
                .isEqualTo(run.body());
        assertThatResponse(wake("{\"text\":\"other\"}")
                        .header("Idempotency-Key", "wake")
                        .send())
                .isError(422, "idempotency_conflict");
        await().until(() ->
                get("hooks/runs/" + run.text("runId")).send().text("status").equals("succeeded"));
        assertThat(metrics().accepted()).isZero();
    }

    @Test
    void leavesNothingOfItselfBehind() throws IOException, JMException {
        Assumptions.assumeTrue(DeploymentHost.isShared(), "the process ends with its deployment");
        WireMockServer provider =
                new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));
        provider.start();
        try (LogCapture log = host().log()) {
            provider.stubFor(any(anyUrl())
                    .willReturn(okJson(
                            "{\"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"Fine.\"}}]}")));
            deploy("left", withAScriptAndAModel(provider.baseUrl()));
            assertThat(agent(AGENT).header("Prefer", "wait=20").send().text("reply"))
                    .isEqualTo("Fine.");
            assertThat(threads()).anyMatch(name -> name.contains("http"));
            assertThatResponse(post("hooks/scripted", "{}").send()).isOk(202);
            assertThat(threads()).anyMatch(name -> name.contains("script"));
            undeploy();

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(threads()).isEmpty());
            assertThat(host().beans().queryNames(new ObjectName("dev.postern:*"), null))
                    .isEmpty();
            assertThat(log.lines())
                    .noneMatch(line -> line.contains("WARNING")
                            && (line.contains("postern-left-") || line.contains("SelectorManager")));
        } finally {
            provider.stop();
        }
    }

    private static DeploymentHome withAScriptAndAModel(String provider) {
        DeploymentHome home = DeploymentHome.with(
                "left",
                List.of("mappings: [{match: {path: scripted}, transform: {module: m.ts}}]"),
                "providers: {lab: {kind: openai, baseUrl: '" + provider + "/v1'}}",
                "agents: {defaults: {model: lab/large}}");
        home.write("hooks/transforms/m.ts", "export default () => ({message: 'm'});");
        return home;
    }

    private List<String> threads() throws IOException {
        return host().threads().stream()
                .filter(name -> name.startsWith("postern-left-"))
                .toList();
    }
}

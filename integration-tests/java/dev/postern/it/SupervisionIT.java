package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the pages outside the hook path and of the operator's view: health, metrics, JMX, the log. */
class SupervisionIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.empty("supervision").war();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c4nary",
                "hook",
                "hooksy/wake",
                "HOOKS/wake",
                "metrics/c4nary",
                "dev/postern/app/launch/Launcher.class",
                "index.html",
                "x.jsp",
                "a/x.jspx"
            })
    void hasNothingElseToShow(String path) {
        Assumptions.assumeFalse(
                path.isEmpty() && DeploymentHost.server().equals("jar"), "java -jar leads to the console from there");
        assertThatResponse(get(path).send()).isError(404, "not_found");
        assertThatResponse(post(path, "{}").send()).isError(404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WEB-INF/web.xml",
                "WEB-INF/",
                "WEB-INF/lib/postern-classes.jar",
                "WEB-INF/classes/dev/postern/app/PosternListener.class",
                "META-INF/MANIFEST.MF",
                "web-inf/web.xml",
                ";x/WEB-INF/web.xml",
                "x/../WEB-INF/web.xml",
                "%57EB-INF/web.xml",
                "WEB-INF%2fweb.xml"
            })
    void givesNoFileAway(String path) throws IOException {
        RawResponse rawResponse = exchange(head("GET " + path));

        assertThat(rawResponse.status()).isIn(400, 404);
        assertThat(rawResponse.body()).doesNotContain("web-app", "listener", "Main-Class", "\tat ");
    }

    @Test
    void isLiveAndReady() {
        RawResponse live = to("health/live").send();
        RawResponse ready = to("health/ready").send();

        assertThat(live.status()).isEqualTo(200);
        assertThat(live.text("status")).isEqualTo("up");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.text("status")).isEqualTo("up");
        assertThat(ready.json().getAsJsonArray("parts"))
                .extracting(part -> part.getAsJsonObject().get("part").getAsString())
                .containsExactly("commits", "database");
    }

    @ParameterizedTest
    @ValueSource(strings = {"health", "health/", "health/c4nary", "health/live/c4nary"})
    void knowsNoOtherHealth(String path) {
        assertThatResponse(to(path).send()).isError(404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"health/live", "health/ready", "metrics"})
    void lookingIsAllThatCanBeDoneToPages(String path) {
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "PROPFIND")) {
            assertThatResponse(to(path).method(method).send())
                    .isError(405, "method_not_allowed")
                    .hasHeader("Allow", "GET, HEAD");
        }
        assertThat(to(path).method("HEAD").send().status()).isEqualTo(200);
    }

    @Test
    void showsFiguresInPrometheusFormat() {
        wake("{\"text\":\"counted\"}").send();
        to("hooks/wake").method("POST", "{}").send();

        RawResponse rawResponse = to("metrics").send();

        assertThatResponse(rawResponse)
                .hasHeader("Cache-Control", "no-store")
                .hasHeader("X-Content-Type-Options", "nosniff");
        assertThat(rawResponse.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).matches("text/plain; ?version=0.0.4; ?charset=utf-8"));
        assertThat(rawResponse.body())
                .contains(
                        "# TYPE postern_accepted_total counter",
                        "# TYPE postern_failed_writes_total counter",
                        "# HELP postern_pending ");
        assertThat(metrics().sum("postern_accepted_total{action=\"wake\"}")).isPositive();
        assertThat(metrics().refused("unauthorized")).isPositive();
        assertThat(metrics().sum("jvm_threads_live_threads")).isPositive();
    }

    @Test
    void showsTheSameFiguresThroughJmxUnderTheContextsName() throws IOException, JMException {
        wake("{\"text\":\"counted\"}").send();
        MBeanServerConnection server = host().beans();
        String context = site().getPath().equals("/") ? "/" : "/supervision";
        ObjectName name = new ObjectName("dev.postern:type=Postern,context=" + ObjectName.quote(context));

        assertThat(server.isRegistered(name)).isTrue();
        assertThat(server.getAttribute(name, "Accepted")).isEqualTo(metrics().accepted());
        assertThat(server.getAttribute(name, "RefusedUnauthorized"))
                .isEqualTo(metrics().refused("unauthorized"));
    }

    @Test
    void logsNeitherTokensNorWhatIsSent() {
        try (LogCapture log = host().log()) {
            wake("{\"text\":\"c4nary\"}").header("Idempotency-Key", "c4nary").send();
            wake("{\"text\":c4nary}").header("X-Mine", "c4nary").send();
            wake("{\"text\":\"c4nary\",\"mode\":\"c4nary\"}").send();
            agent("{\"message\":\"c4nary\",\"name\":\"\\r\\n\",\"to\":\"c4nary\"}")
                    .header("Prefer", "wait=20")
                    .send();
            post("hooks/c4nary", "{}").send();
            to("hooks/wake?token=c4nary").method("POST").send();
            to("hooks/wake").bearer("c4nary").method("POST").send();
            get("hooks/runs/c4nary").send();

            assertThat(log.lines()).noneMatch(line -> line.contains(Request.CANARY) || line.contains(token()));
            assertThat(log.alarms()).isEmpty();
        }
    }
}

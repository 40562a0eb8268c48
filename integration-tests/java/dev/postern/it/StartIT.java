package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A test of starts with settings other than the usual ones. */
class StartIT extends RedeploymentFixture {

    @Deployment(name = "typo", managed = false, testable = false)
    static WebArchive typo() {
        return DeploymentHome.empty("typo").war();
    }

    @Deployment(name = "disabled", managed = false, testable = false)
    static WebArchive disabled() {
        return DeploymentHome.empty("disabled").war();
    }

    @Deployment(name = "elsewhere", managed = false, testable = false)
    static WebArchive elsewhere() {
        return DeploymentHome.empty("elsewhere").war();
    }

    @Test
    void deploysWithATypoAndSaysWhatToMend() {
        Assumptions.assumeTrue(DeploymentHost.isShared(), "java -jar says it on the console, and ends");
        deploy("typo", DeploymentHome.with("typo", List.of("maxBodyByte: 1", "maxPendin: 1")));

        RawResponse rawResponse = wake("{\"text\":\"a\"}").send();
        RawResponse ready = to("health/ready").send();

        assertThat(rawResponse.status()).isEqualTo(503);
        assertThat(rawResponse.json().keySet()).containsExactly("ok", "error", "code");
        assertThatResponse(rawResponse)
                .hasHeader("Cache-Control", "no-store")
                .hasHeader("X-Content-Type-Options", "nosniff");
        assertThat(rawResponse.text("code")).isEqualTo("unavailable");
        assertThat(rawResponse.text("error"))
                .contains("maxBodyByte", "maxBodyBytes", "(the first of 2, see /health/ready)")
                .doesNotContain(token());
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).contains("maxBodyByte", "maxPendin").doesNotContain(token());
        assertThat(to("health/live").send().status()).isEqualTo(200);
    }

    /** Clients behind a proxy, or on other machines, learn neither the home's path nor the content of its files. */
    @Test
    void tellsStrangersInOutlineWhyItHasNotStarted() {
        Assumptions.assumeTrue(DeploymentHost.isShared(), "java -jar says it on the console, and ends");
        DeploymentHome home = DeploymentHome.with("typo", List.of("maxBodyByte: 1"));
        deploy("typo", home);
        String directory = home.path("").toString();

        assertThat(to("health/ready").send().body()).contains(directory);
        assertThat(wake("{\"text\":\"a\"}").send().text("error")).contains(directory);
        for (String path : List.of("hooks/wake", "health/ready", "metrics", "console/", "console/runs")) {
            RawResponse rawResponse =
                    to(path).header("X-Forwarded-For", "192.0.2.1").send();
            assertThat(rawResponse.status()).as(path).isEqualTo(503);
            assertThat(rawResponse.body())
                    .contains("its settings can't work")
                    .doesNotContain(directory, "postern.yaml", "maxBodyByte");
        }
    }

    @Test
    void mountsNothingWhileHooksAreDisabled() {
        DeploymentHome home = DeploymentHome.with("disabled", List.of());
        home.write("postern.yaml", "hooks: {enabled: false}\n");
        deploy("disabled", home);

        assertThatResponse(wake("{\"text\":\"a\"}").send()).isError(404, "not_found");
        assertThatResponse(to("hooks/wake?token=a").send()).isError(404, "not_found");
        assertThat(to("health/ready").send().status()).isEqualTo(200);
    }

    @Test
    void mountsHooksWhereItIsTold() {
        deploy("elsewhere", DeploymentHome.with("elsewhere", List.of("path: in/deep/")));
        hooksAt("in/deep");

        assertThatResponse(post("in/deep/wake", "{\"text\":\"a\"}").send()).isOk(200);
        assertThatResponse(wake("{\"text\":\"a\"}").send()).isError(404, "not_found");
        RawResponse run = post("in/deep/agent", "{\"message\":\"a\"}").send();
        assertThatResponse(run).hasHeader("Location", site().getPath() + "in/deep/runs/" + run.text("runId"));
        assertThatResponse(get("in/deep/runs/" + run.text("runId")).send()).isOk(200);
    }
}

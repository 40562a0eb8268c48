package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** A test of two deployments in one server, each with a home of its own. */
class SideBySideIT extends RedeploymentFixture {

    private static final String WAKE = "{\"text\":\"once\",\"idempotencyKey\":\"k\"}";

    @Deployment(name = "side-one", managed = false, testable = false)
    static WebArchive one() {
        return DeploymentHome.empty("side-one").war();
    }

    @Deployment(name = "side-two", managed = false, testable = false)
    static WebArchive two() {
        return DeploymentHome.empty("side-two").war();
    }

    @Deployment(name = "side-goes", managed = false, testable = false)
    static WebArchive goes() {
        return DeploymentHome.empty("side-goes").war();
    }

    @Deployment(name = "side-stays", managed = false, testable = false)
    static WebArchive stays() {
        return DeploymentHome.empty("side-stays").war();
    }

    @Test
    void sharesNothingWithTheOther() throws IOException, JMException {
        PosternClient one = deploy("side-one", DeploymentHome.with("side-one", List.of()));
        DeploymentHome other = DeploymentHome.with("side-two", List.of());
        other.write("secrets/hook-token", "another-0123456789abcdefghijklmnopqrstuv");
        PosternClient two = deploy("side-two", other);

        assertThatResponse(two.to("hooks/wake")
                        .bearer(one.token())
                        .method("POST", WAKE)
                        .send())
                .isError(401, "unauthorized");
        assertThatResponse(one.wake(WAKE).send()).isOk(200);
        assertThatResponse(two.wake(WAKE).send()).isOk(200).hasNoHeader("Idempotent-Replayed");
        RawResponse run =
                one.agent("{\"message\":\"a\"}").header("Prefer", "wait=20").send();

        assertThatResponse(one.get("hooks/runs/" + run.text("runId")).send()).isOk(200);
        assertThatResponse(two.get("hooks/runs/" + run.text("runId")).send()).isError(404, "not_found");
        assertThat(one.metrics().accepted()).isEqualTo(2);
        assertThat(two.metrics().accepted()).isEqualTo(1);
        assertThat(one.host().beans().getAttribute(bean(one), "Accepted")).isEqualTo(2L);
        assertThat(two.host().beans().getAttribute(bean(two), "Accepted")).isEqualTo(1L);
    }

    @Test
    void isNotDisturbedWhenTheOtherGoes() throws IOException, JMException {
        PosternClient goes = deploy("side-goes", DeploymentHome.with("side-goes", List.of()));
        PosternClient stays = deploy("side-stays", DeploymentHome.with("side-stays", List.of()));
        assertThatResponse(goes.wake(WAKE).send()).isOk(200);

        undeploy("side-goes");

        assertThatResponse(stays.wake(WAKE).send()).isOk(200);
        assertThatResponse(stays.agent("{\"message\":\"a\"}")
                        .header("Prefer", "wait=20")
                        .send())
                .isOk(200);
        Set<ObjectName> beans = stays.host().beans().queryNames(new ObjectName("dev.postern:*"), null);
        assertThat(beans).containsExactly(bean(stays));
    }

    private static ObjectName bean(PosternClient deployment) throws JMException {
        String path = deployment.site().getPath();
        String context = path.equals("/") ? path : path.substring(0, path.length() - 1);
        return new ObjectName("dev.postern:type=Postern,context=" + ObjectName.quote(context));
    }
}

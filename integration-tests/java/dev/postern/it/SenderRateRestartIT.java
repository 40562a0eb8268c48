package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** A test that a restart within a rate's window gives a sender no second rate. */
class SenderRateRestartIT extends RedeploymentFixture {

    private static final String TOKEN = "rate-token-0123456789abcdefghij";
    private static final String WAKE = "{\"text\":\"once\",\"mode\":\"next-heartbeat\"}";

    @Deployment(name = "sender-rate-before", managed = false, testable = false)
    static WebArchive before() {
        return rateHome().war("before");
    }

    @Deployment(name = "sender-rate-after", managed = false, testable = false)
    static WebArchive after() {
        return rateHome().war("after");
    }

    @Test
    void keepsTheRateOverRestart() {
        DeploymentHome home = rateHome();
        deploy("sender-rate-before", home);
        for (int i = 0; i < 3; i++) {
            assertThatResponse(send()).isOk(200);
        }
        undeploy();

        deploy("sender-rate-after", home);

        assertThatResponse(send()).isOk(200);
        RawResponse refused = send();
        assertThatResponse(refused).isError(429, "rate_limited");
        assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow())).isBetween(700L, 900L);
    }

    private RawResponse send() {
        return to("hooks/wake").method("POST", WAKE).bearer(TOKEN).send();
    }

    private static DeploymentHome rateHome() {
        return DeploymentHome.with(
                "sender-rate", List.of(), "senders: {ci: {token: " + TOKEN + ", hooks: [wake], rate: 4/1h}}");
    }
}

package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the failure throttle. Each test uses loopback addresses of its own. */
class ThrottleIT extends DeploymentFixture {

    private static final int FAILURES = 20;
    private static final int LOCKOUT_SECONDS = 8;

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("throttle", List.of("throttle: {lockoutSeconds: " + LOCKOUT_SECONDS + "}"))
                .war();
    }

    @Test
    void locksOutAClientAfterTwentyFailuresAndNobodyElse() throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            assertThatResponse(fail("127.0.0.11")).isError(401, "unauthorized").hasNoHeader("Retry-After");
        }

        RawResponse rawResponse = fail("127.0.0.11");

        assertThatResponse(rawResponse).isError(429, "throttled").hasNoHeader("WWW-Authenticate");
        assertThat(Integer.parseInt(rawResponse.header("Retry-After").orElseThrow()))
                .isBetween(1, LOCKOUT_SECONDS);
        assertThatResponse(fail("127.0.0.12")).isError(401, "unauthorized");
    }

    @Test
    void letsTheRightTokenInBetweenWrongOnesAndGivesNoTriesBackForIt() throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            assertThatResponse(fail("127.0.0.13")).isError(401, "unauthorized");
            assertThatResponse(send("127.0.0.13", bearer(), "Content-Length: 0"))
                    .isError(400, "invalid_payload", "text");
        }

        assertThatResponse(fail("127.0.0.13")).isError(429, "throttled");
        assertThatResponse(send("127.0.0.13", bearer(), "Content-Length: 0")).isError(400, "invalid_payload", "text");
        assertThatResponse(fail("127.0.0.13")).isError(429, "throttled");
    }

    @Test
    void endsALockOutInTimeHoweverOftenItIsTriedMeanwhile() throws IOException {
        lockOut("127.0.0.14");

        await().atMost(Duration.ofSeconds(LOCKOUT_SECONDS + 20))
                .until(() -> fail("127.0.0.14").status() == 401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 10.1.1.%d",
                "X-Forwarded-For: 1.2.3.4, 10.1.1.%d",
                "X-Forwarded-For: 2001:db8::%d",
                "X-Forwarded-For: ${%d}\u00ff;DROP",
                "X-Real-IP: 10.1.1.%d",
                "Forwarded: for=10.1.1.%d",
                "True-Client-IP: 10.1.1.%d",
                "CF-Connecting-IP: 10.1.1.%d",
                "Client-IP: 10.1.1.%d"
            })
    void believesNoHeaderThatNamesAnotherClient(String header) throws IOException {
        String client = "127.0.1." + (1 + Math.floorMod(header.hashCode(), 250));
        for (int i = 0; i < FAILURES; i++) {
            send(client, "Authorization: Bearer c4nary", "Content-Length: 0", header.formatted(i));
        }

        assertThatResponse(
                        send(client, "Authorization: Bearer c4nary", "Content-Length: 0", header.formatted(FAILURES)))
                .isError(429, "throttled");
    }

    @Test
    void countsNeitherWrongMethodsNorTokensInTheQuery() throws IOException {
        for (int i = 0; i <= FAILURES; i++) {
            assertThat(from("127.0.0.15", head("GET hooks/wake")).status()).isEqualTo(405);
            assertThat(from("127.0.0.15", head("POST hooks/wake?token=c4nary", "Content-Length: 0"))
                            .status())
                    .isEqualTo(400);
        }

        assertThatResponse(fail("127.0.0.15")).isError(401, "unauthorized");
    }

    @Test
    void countsLockedOutClientsAndRefusals() throws IOException {
        long before = metrics().refused("throttled");
        lockOut("127.0.0.16");

        assertThat(metrics().refused("throttled")).isEqualTo(before + 1);
        assertThat(metrics().sum("postern_locked_out_clients{of=\"hooks\"}")).isPositive();
        assertThat(metrics().sum("postern_locked_out_clients{of=\"logins\"}")).isZero();
    }

    /** Fails until the client is locked out: the last answer is the first 429. */
    private void lockOut(String client) throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            fail(client);
        }
        assertThatResponse(fail(client)).isError(429, "throttled");
    }

    private RawResponse fail(String client) throws IOException {
        return send(client, "Authorization: Bearer c4nary", "Content-Length: 0");
    }

    private RawResponse send(String client, String... headers) throws IOException {
        return from(client, head("POST hooks/wake", headers));
    }

    private RawResponse from(String client, String request) throws IOException {
        try (RawConnection rawConnection = RawConnection.to(site(), client)) {
            return rawConnection.send(request).answer().orElseThrow();
        }
    }
}

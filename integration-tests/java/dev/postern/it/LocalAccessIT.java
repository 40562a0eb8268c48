package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of which clients count as local, for the settings {@code metrics} and {@code console}. */
class LocalAccessIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("local", List.of()).war();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 192.0.2.1",
                "X-Forwarded-For: 127.0.0.1",
                "x-forwarded-for:",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: localhost",
                "X-Forwarded-Anything: 1",
                "X-Real-IP: 127.0.0.1",
                "Forwarded: for=127.0.0.1",
                "Via: 1.1 proxy"
            })
    void makesNobodyLocalWhoComesByAProxy(String header) throws IOException {
        assertSeesNothing(site().getAuthority(), header);
    }

    /** A page elsewhere may have its own name lead here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "127.0.0.1.evil.example",
                "127.evil.example",
                "localhost.evil.example",
                "10.0.0.1",
                "[::2]",
                "[2001:db8::1]:80",
                "evil.example.localhost"
            })
    void makesNobodyLocalWhoAsksForAnotherHost(String host) throws IOException {
        assertSeesNothing(host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:1",
                "127.0.0.1",
                "127.0.0.1:65535",
                "127.3.4.5:8080",
                "[::1]",
                "[::1]:8080",
                "[0:0:0:0:0:0:0:1]:80"
            })
    void showsPagesToWhoeverIsHere(String host) throws IOException {
        assertThat(ask("metrics", host).status()).as(host).isEqualTo(200);
        assertThat(ask("console/login", host).status()).as(host).isEqualTo(200);
    }

    private void assertSeesNothing(String host, String... headers) throws IOException {
        for (String page : List.of("metrics", "console/login", "console/api/runs", "console/assets/console.css")) {
            RawResponse rawResponse = ask(page, host, headers);
            if (rawResponse.header("X-Content-Type-Options").isPresent()) {
                assertThatResponse(rawResponse).isError(404, "not_found");
            } else { // a server that has nothing for that host
                assertThat(rawResponse.status()).isIn(400, 404);
            }
        }
    }

    private RawResponse ask(String page, String host, String... headers) throws IOException {
        return exchange("GET " + site().getRawPath() + page + " HTTP/1.1\r\nHost: " + host + "\r\n"
                + String.join(
                        "", List.of(headers).stream().map(each -> each + "\r\n").toList()) + "\r\n");
    }
}

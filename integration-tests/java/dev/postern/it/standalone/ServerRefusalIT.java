package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of requests that the server of {@code java -jar} rejects before Postern sees them. */
class ServerRefusalIT {

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static URI base;

    @BeforeAll
    static void start() throws IOException {
        base = HOMES.newHome()
                .settings(HomeFixture.hooks(), "metrics: anyone")
                .start()
                .base();
    }

    /**
     * A {@code |} ends a line, {@code {long}} is more than a header may hold, and {@code {crowd}} more headers than there may
     * be. Where Postern has a code for the status, the body is its error, else there is none.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GARBAGE||; 400; ''",
                "G@T / HTTP/1.1|Host: a||; 400; ''",
                "GET / http/1.1|Host: a||; 400; ''",
                "GET /{long}{long} HTTP/1.1|Host: a||; 400; ''",
                "GET / HTTP/1.1|Host: a|X-Long: {long}||; 400; ''",
                "GET / HTTP/1.1|Host: a|{crowd}|; 400; ''",
                "GET / HTTP/1.1|Host: a|X c4nary: a||; 400; ''",
                "GET / HTTP/1.1|Host: a|X-Control: a\u0001b||; 400; ''",
                "GET / HTTP/1.1|Host: a b||; 400; ''",
                "GET / HTTP/1.1|Host: a:c4nary||; 400; ''",
                "GET / HTTP/1.1||; 400; ''",
                "GET / HTTP/1.1|Host: a|Host: b||; 400; ''",
                "GET http://b/ HTTP/1.1|Host: a||; 400; ''",
                "GET ftp://a/ HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET / HTTP/9.9|Host: a||; 505; ''",
                "PRI * HTTP/2.0|Host: a||SM||; 400; ''",
                "GET /hooks/{wake} HTTP/1.1|Host: a||; 400; ''",
                "GET /hooks/wake?{a} HTTP/1.1|Host: a||; 400; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Content-Length: many||; 400; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Content-Length: 99999999999999999999||; 400; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Content-Length: 2|Content-Length: 3||{}; 400; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Transfer-Encoding: chunked, chunked||; 400; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Transfer-Encoding: c4nary||; 501; ''",
                "POST /hooks/wake HTTP/1.1|Host: a|Expect: c4nary|Content-Length: 2||; 417; ''",
                "CONNECT a:443 HTTP/1.1|Host: a:443|Connection: close||; 501; ''",
                "GET /health/live HTTP/1.1|Host: a|Cookie: {cookies}|Connection: close||; 400; ''",
                "TRACE /hooks/wake HTTP/1.1|Host: a|Connection: close||; 405; method_not_allowed",
                "TRACE /none HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "TRACE /none%2f HTTP/1.1|Host: a|Content-Length: 2||; 404; not_found",
                "GET /WEB-INF/web.xml HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "POST /META-INF/MANIFEST.MF HTTP/1.1|Host: a|Content-Length: 2||; 404; not_found",
                "GET /hooks%2fwake HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /hooks%2Fwake?a=%2f HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /health%5clive HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /health\\live HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "POST /x\\..\\hooks/wake HTTP/1.1|Host: a|Content-Length: 2||; 404; not_found",
                "POST /hooks/none%2f..%2fwake HTTP/1.1|Host: a|Transfer-Encoding: chunked||; 404; not_found",
                "GET /../health/live HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /%2e%2e/health/live HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /%00 HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /%c0%af HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /%zz HTTP/1.1|Host: a|Connection: close||; 404; not_found",
                "GET /a% HTTP/1.1|Host: a|Connection: close||; 404; not_found"
            })
    void saysNothingOfWhatRunsHere(String request, int status, String code) throws IOException {
        String answer = RawExchange.with(
                        base,
                        request.replace("{crowd}", "X: a|".repeat(200))
                                .replace("|", "\r\n")
                                .replace("{cookies}", "a=b; ".repeat(300))
                                .replace("{long}", "c4nary".repeat(2_000)))
                .answer();

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer)
                .doesNotContainIgnoringCase(
                        "tomcat", "apache", "catalina", "coyote", "jakarta", "java", "postern", "exception", "c4nary")
                .doesNotContain("\tat ", "\nServer:", "\nX-Powered-By:", "<html")
                .doesNotContainPattern("[0-9]+\\.[0-9]+\\.[0-9]+");
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        if (code.isEmpty()) {
            assertThat(body).isEmpty();
        } else {
            assertThat(body).matches("\\{\"ok\":false,\"error\":\"[^\"]+\",\"code\":\"" + code + "\"}");
            assertThat(answer)
                    .contains("Content-Type: application/json\r\n")
                    .contains("Cache-Control: no-store\r\n")
                    .contains("X-Content-Type-Options: nosniff\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "hooks/wake, POST",
        "hooks/runs/run_0, GET",
        "health/live, 'GET, HEAD'",
        "metrics, 'GET, HEAD'",
        "console/login, 'GET, HEAD, POST'"
    })
    void namesTheMethodsOfAnAddressInPlaceOfTrace(String address, String methods) throws IOException {
        String answer = RawExchange.with(
                        base,
                        "TRACE /" + address
                                + " HTTP/1.1\r\nHost: localhost\r\nX-Sent: c4nary\r\nConnection: close\r\n\r\n")
                .answer();

        assertThat(answer)
                .startsWith("HTTP/1.1 405 ")
                .contains("\r\nAllow: " + methods + "\r\n")
                .doesNotContain("c4nary");
    }

    /** What is behind a refused request is no request of its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /hooks%2fwake HTTP/1.1|Host: a|Content-Length: 2||",
                "POST /hooks%2fwake HTTP/1.1|Host: a|Transfer-Encoding: chunked||",
                "POST /WEB-INF/web.xml HTTP/1.1|Host: a|Transfer-Encoding: chunked||",
                "POST /none.jsp HTTP/1.1|Host: a|Transfer-Encoding: chunked||",
                "TRACE /hooks/wake HTTP/1.1|Host: a|Transfer-Encoding: chunked||",
                "OPTIONS * HTTP/1.1|Host: a|Transfer-Encoding: chunked||"
            })
    void readsNoSecondRequestFromTheBodyOfARefusedOne(String head) throws IOException {
        String hidden = "GET /health/live HTTP/1.1|Host: a|Connection: close||";

        String answer =
                RawExchange.with(base, (head + hidden).replace("|", "\r\n")).answer();

        assertThat(answer).containsOnlyOnce("HTTP/1.1 ").doesNotContain("\"status\"");
    }
}

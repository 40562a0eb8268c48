package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of requests that the server of {@code java -jar} rejects before Postern sees them. */
class ServerRefusalIT {

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static URI base;

    @BeforeAll
    static void start() throws IOException {
        base = HOMES.newHome().settings(HomeFixture.hooks()).start().base();
    }

    /** A {@code |} ends a line, {@code {long}} is more than a header may hold. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GARBAGE||; 400",
                "GET / HTTP/1.1|Host: a|X-Long: {long}||; 400",
                "GET / HTTP/1.1|Host: a b||; 400",
                "GET / HTTP/1.1||; 400",
                "GET / HTTP/1.1|Host: a|Host: b||; 400",
                "GET / HTTP/9.9|Host: a||; 505",
                "GET /hooks/{wake} HTTP/1.1|Host: a||; 400",
                "GET /%00 HTTP/1.1|Host: a||; 400",
                "POST /hooks/wake HTTP/1.1|Host: a|Content-Length: many||; 400",
                "POST /hooks/wake HTTP/1.1|Host: a|Transfer-Encoding: c4nary||; 501",
                "TRACE /hooks/wake HTTP/1.1|Host: a|Connection: close||; 405",
                "GET /WEB-INF/web.xml HTTP/1.1|Host: a|Connection: close||; 404"
            })
    void saysNothingOfWhatRunsHere(String request, int status) throws IOException {
        String answer = RawExchange.with(base, request.replace("|", "\r\n").replace("{long}", "c4nary".repeat(2_000)))
                .answer();

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer)
                .doesNotContainIgnoringCase(
                        "tomcat", "apache", "catalina", "coyote", "jakarta", "java", "postern", "exception", "c4nary")
                .doesNotContain("\tat ", "\nServer:", "\nX-Powered-By:")
                .doesNotContainPattern("[0-9]+\\.[0-9]+\\.[0-9]+");
    }
}

package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of who may call a hook, and of the order in which requests are checked. */
class AdmissionIT extends DeploymentFixture {

    private static final String WAKE = "{\"text\":\"hello\"}";

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("admission", List.of("tokenHeaders: [x-other-token]", "throttle: {failures: 1000}"))
                .war();
    }

    @Test
    void answersForTheFirstCheckThatFails() throws IOException {
        String junk = "Content-Encoding: c4nary";
        String tooLarge = "Content-Length: 262145";
        String small = "Content-Length: 6";

        assertThatResponse(exchange(head("PUT hooks/?token=c4nary", tooLarge, junk)))
                .isError(400, "query_token");
        assertThatResponse(exchange(head("PUT hooks/", tooLarge, junk))).isError(405, "method_not_allowed");
        assertThatResponse(exchange(head("POST hooks/", tooLarge, junk))).isError(401, "unauthorized");
        assertThatResponse(exchange(head("POST hooks/", bearer(), tooLarge, junk)))
                .isError(404, "not_found");
        assertThatResponse(exchange(head("POST hooks/wake", bearer(), tooLarge, junk)))
                .isError(413, "payload_too_large");
        assertThatResponse(exchange(head("POST hooks/wake", bearer(), small, junk) + "c4nary"))
                .isError(415, "unsupported_media_type");
        assertThatResponse(exchange(head("POST hooks/wake", bearer(), small) + "c4nary"))
                .isError(400, "invalid_json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token",
                "token=",
                "token=c4nary",
                "a=b&token=c4nary",
                "%74oken=c4nary",
                "to%6ben=c4nary",
                "token=c4nary&token=c4nary",
                "token=c4nary;a=b"
            })
    void refusesATokenInTheQueryWhateverElseIsSent(String query) throws IOException {
        assertThatResponse(exchange(head("POST hooks/wake?" + query, bearer(), "Content-Length: 0")))
                .isError(400, "query_token");
        assertThatResponse(exchange(head("GET hooks/runs/x?" + query))).isError(400, "query_token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"access_token=%s", "Token=%s", "tokens=%s", "a=token&b=%s"})
    void readsNoTokenFromAnyOtherParameter(String query) {
        String path = "hooks/wake?" + query.formatted(token());

        assertThatResponse(to(path).method("POST", WAKE).send()).isError(401, "unauthorized");
        assertThatResponse(post(path, WAKE).send()).isOk(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "POSTX", "post"})
    void takesNoMethodButPost(String method) throws IOException {
        assumeFalse(method.equals("post") && DeploymentHost.server().equals("liberty"), "to Open Liberty it is POST");
        assertThatResponse(exchange(head(method + " hooks/wake", bearer(), "Content-Length: 0")))
                .isError(405, "method_not_allowed")
                .hasHeader("Allow", "POST");
    }

    @Test
    void answersHeadWithoutABody() {
        RawResponse rawResponse =
                to("hooks/wake").bearer(token()).method("HEAD").send();

        assertThat(rawResponse.status()).isEqualTo(405);
        assertThatResponse(rawResponse).hasHeader("Allow", "POST").hasHeader("Cache-Control", "no-store");
        assertThat(rawResponse.body()).isEmpty();
    }

    /** Some servers refuse TRACE before a web application sees it. */
    @Test
    void echoesNothingToTrace() throws IOException {
        RawResponse rawResponse = exchange(head("TRACE hooks/wake", bearer(), "X-Mine: c4nary", "Content-Length: 0"));

        assertThat(rawResponse.status()).isIn(403, 405);
        assertThat(rawResponse.body()).doesNotContain(token(), Request.CANARY);
    }

    @Test
    void asksWithGetAloneForARun() {
        assertThatResponse(get("hooks/runs/x").send()).isError(404, "not_found");
        assertThat(get("hooks/runs/x").method("HEAD").send().status()).isEqualTo(405);
        assertThatResponse(post("hooks/runs/x", "{}").send())
                .isError(405, "method_not_allowed")
                .hasHeader("Allow", "GET");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer c4nary",
                "Bearer",
                "Bearer ",
                "Bearer {TOKEN}x",
                "Bearer {TOKEN} x",
                "Bearer x{TOKEN}",
                "Bearer {TOKEN}, Bearer {TOKEN}",
                "Bearer: {TOKEN}",
                "Bearer=\"{TOKEN}\"",
                "{TOKEN}",
                "Token {TOKEN}",
                "Basic eDp4",
                ""
            })
    void refusesWhateverIsNotTheToken(String authorization) throws IOException {
        String header = "Authorization: " + authorization.replace("{TOKEN}", token());

        assertThatResponse(exchange(head("POST hooks/wake", header, "Content-Length: 0")))
                .isError(401, "unauthorized")
                .hasHeader("WWW-Authenticate", "Bearer realm=\"hooks\"");
    }

    @Test
    void refusesWhoSendsNoTokenAtAll() throws IOException {
        assertThatResponse(exchange(head("POST hooks/wake", "Content-Length: 0")))
                .isError(401, "unauthorized");
        assertThatResponse(to("hooks/runs/x").send()).isError(401, "unauthorized");
    }

    @Test
    void refusesACarrierThatIsSentTwice() throws IOException {
        String token = "x-service-token: " + token();

        assertThatResponse(exchange(head("POST hooks/wake", bearer(), bearer(), "Content-Length: 0")))
                .isError(401, "unauthorized");
        assertThatResponse(exchange(head("POST hooks/wake", token, token, "Content-Length: 0")))
                .isError(401, "unauthorized");
    }

    @Test
    void listensToBearerWhereAnotherCarrierSaysOtherwise() throws IOException {
        String good = "x-service-token: " + token();

        assertThatResponse(exchange(head("POST hooks/wake", "Authorization: Bearer c4nary", good, "Content-Length: 0")))
                .isError(401, "unauthorized");
        assertThatResponse(exchange(head("POST hooks/wake", bearer(), "x-service-token: c4nary", "Content-Length: 0")))
                .isError(400, "invalid_payload", "text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer {TOKEN}",
                "authorization: bearer {TOKEN}",
                "AUTHORIZATION:BEARER   {TOKEN}  ",
                "x-service-token: {TOKEN}",
                "X-SERVICE-TOKEN:{TOKEN}",
                "x-other-token: {TOKEN}",
                "Authorization: Basic eDp4\r\nx-service-token: {TOKEN}"
            })
    void letsInWhoeverCarriesTheToken(String header) throws IOException {
        String head = head("POST hooks/wake", header.replace("{TOKEN}", token()), "Content-Length: " + WAKE.length());

        assertThatResponse(exchange(head + WAKE)).isOk(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hooks", "hooks/", "hooks/c4nary", "hooks/wake/c4nary", "hooks/Wake", "hooks/runs"})
    void knowsNoOtherPath(String path) {
        assertThatResponse(post(path, WAKE).send()).isError(404, "not_found");
    }

    @Test
    void doesNotMindASlashAtTheEnd() {
        assertThatResponse(post("hooks/wake/", WAKE).send()).isOk(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hooks/wake;a=b",
                "hooks;a=b/wake",
                "hooks/x/../wake",
                "hooks/./wake",
                "hooks//wake",
                "hooks/%77ake",
                "hooks%2fwake",
                "hooks/wake%2f",
                "hooks%5cwake",
                "hooks\\wake",
                "hooks/wake%00",
                "hooks/wake%20",
                "x/../hooks/wake",
                "hooks/%2e/wake"
            })
    void letsNoOtherSpellingReachAHook(String path) throws IOException {
        long before = metrics().accepted();

        RawResponse rawResponse = exchange(head("POST " + path, bearer(), "Content-Length: " + WAKE.length()) + WAKE);

        assertThat(rawResponse.status()).isIn(400, 404);
        assertThat(metrics().accepted()).isEqualTo(before);
    }
}

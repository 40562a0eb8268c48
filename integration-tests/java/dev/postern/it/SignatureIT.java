package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** A test of hooks whose senders sign. */
class SignatureIT extends DeploymentFixture {

    private static final String OLD = "an old secret of the sender";
    private static final String NEW = "a new secret of the sender";
    private static final String WRONG = "some other secret";
    /** More than the tests that are not about it have. */
    private static final int FAILURES = 40;

    @Deployment(testable = false)
    static WebArchive postern() {
        DeploymentHome home = DeploymentHome.with(
                "signed",
                List.of(
                        "throttle: {failures: " + FAILURES + "}",
                        "mappings:",
                        "  - {match: {source: internal}, action: wake, textTemplate: 'trusted', allowUnsafeExternalContent: true}",
                        "  - {match: {path: code}, messageTemplate: 'x', verify: {scheme: github,"
                                + " secrets: ['${file:secrets/old}', '${file:secrets/new}']}}",
                        "  - {match: {path: strict}, messageTemplate: 'x', verify: {scheme: github, required: true,"
                                + " secret: '${file:secrets/new}'}}",
                        "  - {match: {path: chat}, messageTemplate: 'x', verify: {scheme: slack,"
                                + " secret: '${file:secrets/new}'}}",
                        "  - {match: {path: open}, messageTemplate: 'x', idempotencyKey: '${payload.id}'}"));
        home.write("secrets/old", OLD);
        home.write("secrets/new", NEW);
        return home.war();
    }

    @Test
    void letsInWhoeverSignsWithASecretInForce() {
        assertThatResponse(signed("code", "{}", OLD).send()).isOk(202);
        assertThatResponse(signed("code", "{}", NEW).send()).isOk(202);
    }

    @Test
    void checksTheBytesThatCame() {
        assertThatResponse(signed("code", "{\"a\": 1}", NEW).send()).isOk(202);
        assertInvalid(
                to("hooks/code").method("POST", "{\"a\":1}").header("x-hub-signature-256", github("{\"a\": 1}", NEW)));
    }

    @Test
    void refusesAWrongSecretAnEmptyOneAndAMissingOrDoubledHeader() {
        assertInvalid(signed("code", "{}", WRONG));
        assertInvalid(to("hooks/code").method("POST", "{}").header("x-hub-signature-256", "sha256="));
        assertInvalid(to("hooks/code").method("POST", "{}"));
        assertInvalid(signed("code", "{}", NEW).header("X-Hub-Signature-256", github("{}", NEW)));
    }

    @Test
    void refusesASignatureWhereNoneIsConfigured() {
        assertThatResponse(signed("open", "{}", NEW).send()).isError(401, "unauthorized");
        assertThatResponse(signed("wake", "{\"text\":\"a\"}", NEW).send()).isError(401, "unauthorized");
        assertThatResponse(signed("code/more", "{}", NEW).send()).isError(401, "unauthorized");
    }

    @Test
    void countsWhyASignatureIsInvalid() {
        assertCounted("missing", to("hooks/code").method("POST", "{}"));
        assertCounted("malformed", to("hooks/code").method("POST", "{}").header("x-hub-signature-256", "sha256=12"));
        assertCounted("digest", signed("code", "{}", WRONG));
        assertCounted(
                "timestamp",
                to("hooks/chat")
                        .method("POST", "{}")
                        .header("x-slack-request-timestamp", "1000000000")
                        .header("x-slack-signature", "v0=00"));
        assertCounted("no_secret", signed("open", "{}", NEW));
    }

    private void assertCounted(String reason, Request request) {
        String metric = "postern_signature_errors_total{reason=\"" + reason + "\"}";
        long before = metrics().sum(metric);

        assertThat(request.send().status()).isEqualTo(401);
        assertThat(metrics().sum(metric)).isEqualTo(before + 1);
    }

    @Test
    void opensNoHookButItsOwn() {
        String body = "{\"source\":\"internal\"}";

        assertThatResponse(signed("code", body, NEW).send()).isOk(202);
        assertThatResponse(signed("strict", body, NEW).send()).isOk(202);
        assertThatResponse(post("hooks/code", body).send()).isOk(200);
        assertThatResponse(signed("strict", body, NEW).bearer(token()).send()).isOk(200);
    }

    @Test
    void usesUpNoKeyOfAnotherHook() {
        String key = "Idempotency-Key";
        assertThatResponse(signed("code", "{}", NEW).header(key, "k-1").send()).isOk(202);
        assertThatResponse(signed("code", "{\"idempotencyKey\":\"k-2\"}", NEW).send())
                .isOk(202);

        assertThatResponse(post("hooks/wake", "{\"text\":\"a\"}")
                        .header(key, "k-1")
                        .send())
                .isOk(200)
                .hasNoHeader("Idempotent-Replayed");
        assertThatResponse(post("hooks/open", "{\"id\":\"k-2\"}").send()).isOk(202);
        assertThatResponse(signed("code", "{}", NEW).header(key, "k-1").send())
                .isOk(202)
                .hasHeader("Idempotent-Replayed", "true");
    }

    @Test
    void takesTheTokenInstead() {
        assertThatResponse(post("hooks/code", "{}").send()).isOk(202);
        assertThatResponse(signed("code", "{}", NEW).bearer("wrong").send()).isError(401, "unauthorized");
    }

    @Test
    void asksForBothWhereTheSignatureIsRequired() {
        assertInvalid(post("hooks/strict", "{}"));
        assertThatResponse(signed("strict", "{}", NEW).bearer(token()).send()).isOk(202);
        assertThatResponse(signed("strict", "{}", NEW).send()).isOk(202);
    }

    @Test
    void looksAtTheSignatureOfABodyThatArrivesInPieces() throws IOException {
        String body = "{\"a\":\"" + "x".repeat(20_000) + "\"}";
        for (boolean right : List.of(true, false)) {
            try (RawConnection rawConnection = connection()) {
                rawConnection
                        .send(head(
                                "POST hooks/code",
                                "Content-Length: " + body.length(),
                                "X-Hub-Signature-256: " + github(right ? body : body + " ", NEW)))
                        .send(body.substring(0, 10_000))
                        .send(body.substring(10_000));

                assertThat(rawConnection.answer().orElseThrow().status()).isEqualTo(right ? 202 : 401);
            }
        }
    }

    @Test
    void looksAtMethodPathSizeAndCodingBeforeTheSignature() {
        String wrong = "sha256=" + "0".repeat(64);
        String large = " ".repeat(300_000);

        assertThatResponse(to("hooks/code")
                        .method("GET")
                        .header("x-hub-signature-256", wrong)
                        .send())
                .isError(405, "method_not_allowed");
        assertThatResponse(signed("code?token=1", "{}", NEW).send()).isError(400, "query_token");
        assertThatResponse(signed("code", large, NEW).send()).isError(413, "payload_too_large");
        assertThatResponse(signed("code", "{}", NEW)
                        .header("Content-Encoding", "gzip")
                        .send())
                .isError(415, "unsupported_media_type");
        assertThatResponse(signed("code/", "{}", NEW).send()).isOk(202);
    }

    @Test
    void looksAtTheSignatureBeforeTheJson() {
        assertInvalid(signed("code", "{not json", WRONG));
        assertThatResponse(signed("code", "{not json", NEW).send()).isError(400, "invalid_json");
    }

    @Test
    void answersSlacksChallengeOnlyWhenItIsSigned() {
        String body = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1aB\"}";
        String now = Long.toString(Instant.now().getEpochSecond());
        String old = Long.toString(Instant.now().getEpochSecond() - 3600);

        RawResponse rawResponse = slack(body, now).send();
        assertThat(rawResponse.status()).isEqualTo(200);
        assertThat(rawResponse.text("challenge")).isEqualTo("3eZbrw1aB");
        assertInvalid(slack(body, old));
        assertInvalid(to("hooks/chat").method("POST", body));
        assertThatResponse(post("hooks/open", body).send()).isOk(202);
    }

    @Test
    void answersEventGridsValidationOnlyWithTheTokenAndWhereAMappingIs() {
        String body =
                "[{\"eventType\":\"Microsoft.EventGrid.SubscriptionValidationEvent\",\"data\":{\"validationCode\":\"512d\"}}]";
        String header = "aeg-event-type";
        String validation = "SubscriptionValidation";

        assertThatResponse(to("hooks/open")
                        .method("POST", body)
                        .header(header, validation)
                        .send())
                .isError(401, "unauthorized");
        assertThatResponse(post("hooks/none", body).header(header, validation).send())
                .isError(404, "not_found");
        assertThatResponse(
                        post("hooks/open", body).header(header, "Notification").send())
                .isOk(202);
        RawResponse rawResponse =
                post("hooks/open", body).header(header, validation).send();
        assertThat(rawResponse.status()).isEqualTo(200);
        assertThat(rawResponse.text("validationResponse")).isEqualTo("512d");
    }

    @Test
    void locksOutWrongSignaturesButAcceptsRightOnes() throws IOException {
        String body = "{}";
        String client = "127.0.0.31";
        String token = head("POST hooks/code", bearer(), length(body)) + body;
        lockOut(client);

        assertThatResponse(from(client, signedHead(body, NEW) + body)).isOk(202);
        assertThatResponse(from(client, signedHead(body, WRONG) + body)).isError(429, "throttled");
        assertThatResponse(from(client, token)).isOk(202);
        assertThatResponse(from(client, signedHead(body, WRONG) + body)).isError(429, "throttled");
        assertThatResponse(from("127.0.0.32", signedHead(body, WRONG) + body)).isError(401, "signature_invalid");
    }

    private void lockOut(String client) throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            from(client, signedHead("{}", WRONG) + "{}");
        }
        RawResponse rawResponse = from(client, signedHead("{}", WRONG) + "{}");
        assertThatResponse(rawResponse).isError(429, "throttled");
        assertThat(Integer.parseInt(rawResponse.header("Retry-After").orElseThrow()))
                .isBetween(1, 60);
    }

    private RawResponse from(String client, String request) throws IOException {
        try (RawConnection rawConnection = RawConnection.to(site(), client)) {
            return rawConnection.send(request).answer().orElseThrow();
        }
    }

    private String signedHead(String body, String secret) {
        return head("POST hooks/code", length(body), "X-Hub-Signature-256: " + github(body, secret));
    }

    private static String length(String body) {
        return "Content-Length: " + body.length();
    }

    private Request signed(String hook, String body, String secret) {
        return to("hooks/" + hook).method("POST", body).header("x-hub-signature-256", github(body, secret));
    }

    private Request slack(String body, String at) {
        return to("hooks/chat")
                .method("POST", body)
                .header("x-slack-request-timestamp", at)
                .header("x-slack-signature", "v0=" + hmac("v0:" + at + ":" + body, NEW));
    }

    private static void assertInvalid(Request request) {
        assertThatResponse(request.send())
                .isError(401, "signature_invalid")
                .hasHeader("WWW-Authenticate", "Bearer realm=\"hooks\"");
    }

    private static String github(String body, String secret) {
        return "sha256=" + hmac(body, secret);
    }

    private static String hmac(String text, String secret) {
        return HexFormat.of().formatHex(SigningSender.hmac(secret.getBytes(UTF_8), text));
    }
}

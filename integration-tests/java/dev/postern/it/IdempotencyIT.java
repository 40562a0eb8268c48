package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that a repeated idempotency key gets the same response, and that nothing happens twice. */
class IdempotencyIT extends DeploymentFixture {

    private static final String KEY = "Idempotency-Key";
    private static final String WAKE = "{\"text\":\"once\"}";

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.empty("idempotency").war();
    }

    @Test
    void refusesAHeaderThatIsNoKey() throws IOException {
        for (String key : List.of("", " ", "k".repeat(256))) {
            String head = head("POST hooks/wake", bearer(), KEY + ": " + key, "Content-Length: " + WAKE.length());

            assertThatResponse(exchange(head + WAKE)).isError(400, "invalid_payload", KEY);
        }
    }

    @Test
    void refusesAHeaderWithATabWhereTheServerMakesNoSpaceOfIt() throws IOException {
        String head = head("POST hooks/wake", bearer(), KEY + ": c4nary\tc4nary", "Content-Length: " + WAKE.length());

        RawResponse rawResponse = exchange(head + WAKE);

        assumeThat(rawResponse.status()).as("Undertow makes a space of it").isNotEqualTo(200);
        assertThatResponse(rawResponse).isError(400, "invalid_payload", KEY);
    }

    @Test
    void refusesAHeaderThatIsNotUtf8() throws IOException {
        for (String key : List.of("\u00e9", "\u00c3", "\u00c3\u00a9\u00c3", "\u00ed\u00a0\u0080")) {
            String head = head("POST hooks/wake", bearer(), KEY + ": " + key, "Content-Length: " + WAKE.length());

            assertThatResponse(exchange(head + WAKE)).isError(400, "invalid_payload", KEY);
        }
    }

    @Test
    void takesAHeaderInUtf8ForTheSameKeyAsInThePayload() throws IOException {
        for (String key : List.of("\u00c9", "\u00e9", "\u4e2d\ud83d\ude00")) {
            byte[] utf8 = ("{\"text\":\"once\",\"idempotencyKey\":\"" + key + "\"}").getBytes(UTF_8);
            String body = new String(utf8, ISO_8859_1);
            String sent = new String(key.getBytes(UTF_8), ISO_8859_1);
            String length = "Content-Length: " + utf8.length;

            RawResponse first = exchange(head("POST hooks/wake", bearer(), KEY + ": " + sent, length) + body);
            RawResponse second = exchange(head("POST hooks/wake", bearer(), length) + body);

            assertThatResponse(first).isOk(200).hasNoHeader("Idempotent-Replayed");
            assertThatResponse(second).isOk(200).hasHeader("Idempotent-Replayed", "true");
        }
    }

    @Test
    void refusesAFieldThatIsNoKey() {
        for (String key : List.of("", " ", "k".repeat(256), "c4\\nnary")) {
            assertThatResponse(wake("{\"text\":\"a\",\"idempotencyKey\":\"" + key + "\"}")
                            .send())
                    .isError(400, "invalid_payload", "idempotencyKey");
        }
    }

    @Test
    void refusesAHeaderThatIsSentTwice() {
        assertThatResponse(
                        wake(WAKE).header(KEY, "c4nary").header(KEY, "c4nary").send())
                .isError(400, "invalid_payload", KEY);
    }

    @Test
    void refusesOtherContentUnderTheSameKey() {
        assertThatResponse(wake(WAKE).header(KEY, "other-content").send()).isOk(200);
        long before = metrics().accepted();

        assertThatResponse(wake("{\"text\":\"c4nary\"}")
                        .header(KEY, "other-content")
                        .send())
                .isError(422, "idempotency_conflict")
                .hasNoHeader("Idempotent-Replayed");
        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @Test
    void doesNotUseAKeyUpForARefusedRequest() {
        assertThatResponse(wake("{\"text\":7}").header(KEY, "refused").send()).isError(400, "invalid_payload", "text");
        assertThatResponse(wake(WAKE).header(KEY, "refused").send()).isOk(200).hasNoHeader("Idempotent-Replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wake", "agent"})
    void givesTheFirstAnswerAgainAndActsOnce(String hook) {
        String body = "{\"text\":\"once\",\"message\":\"once\"}";
        RawResponse first =
                post("hooks/" + hook, body).header(KEY, "again-" + hook).send();
        long before = metrics().accepted();

        RawResponse second =
                post("hooks/" + hook, body).header(KEY, "again-" + hook).send();

        assertThatResponse(first).hasNoHeader("Idempotent-Replayed");
        assertThatResponse(second).isOk(first.status()).hasHeader("Idempotent-Replayed", "true");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255})
    void takesAKeyOfAnyAllowedLength(int length) {
        String key = "l".repeat(length);
        RawResponse first = wake(WAKE).header(KEY, key).send();

        assertThatResponse(first).isOk(200);
        assertThat(wake(WAKE).header(KEY, key).send().body()).isEqualTo(first.body());
    }

    @Test
    void readsTheKeyFromThePayloadToo() {
        String body = "{\"text\":\"once\",\"idempotencyKey\":\"in-the-payload\"}";
        RawResponse first = wake(body).send();

        assertThatResponse(wake(body).send()).isOk(200).hasHeader("Idempotent-Replayed", "true");
        assertThat(wake(body).send().body()).isEqualTo(first.body());
        assertThatResponse(wake("{\"text\":\"other\",\"idempotencyKey\":\"in-the-payload\"}")
                        .send())
                .isError(422, "idempotency_conflict");
    }

    @Test
    void listensToTheHeaderBeforeThePayload() {
        String body = "{\"text\":\"once\",\"idempotencyKey\":\"weaker\"}";
        assertThatResponse(wake(body).header(KEY, "stronger").send()).isOk(200);

        assertThatResponse(wake(body).header(KEY, "stronger").send()).hasHeader("Idempotent-Replayed", "true");
        assertThatResponse(wake(body).send()).isOk(200).hasNoHeader("Idempotent-Replayed");
    }

    @Test
    void takesOpenClawsHeaderWhereTheStandardOneIsMissing() {
        String header = "X-OpenClaw-Idempotency-Key";
        String body = "{\"text\":\"x\",\"idempotencyKey\":\"of-the-payload\"}";

        assertThatResponse(wake(body).header(header, "openclaw").send())
                .isOk(200)
                .hasNoHeader("Idempotent-Replayed");
        assertThatResponse(wake(body).header(header, "openclaw").send())
                .isOk(200)
                .hasHeader("Idempotent-Replayed", "true");
        assertThatResponse(wake(body)
                        .header(header, "openclaw")
                        .header(KEY, "standard")
                        .send())
                .isOk(200)
                .hasNoHeader("Idempotent-Replayed");
        assertThatResponse(wake(body).send()).isOk(200).hasNoHeader("Idempotent-Replayed");
    }

    @Test
    void actsOnceForManyAtOneTime() {
        long before = metrics().accepted();
        List<CompletableFuture<RawResponse>> sent = Stream.generate(
                        () -> wake(WAKE).header(KEY, "at-once").begin())
                .limit(24)
                .toList();

        List<RawResponse> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(answers)
                .allSatisfy(rawResponse -> assertThatResponse(rawResponse).isOk(200));
        assertThat(answers)
                .extracting(RawResponse::body)
                .containsOnly(answers.get(0).body());
        assertThat(answers)
                .filteredOn(
                        rawResponse -> rawResponse.header("Idempotent-Replayed").isEmpty())
                .hasSize(1);
        assertThat(metrics().accepted()).isEqualTo(before + 1);
    }
}

package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of {@code Prefer: wait} and of back-pressure. Runs of the model {@code gate/hold} end when the test writes a
 * line to the named pipe {@code gate}. All runs share one session, so that others wait behind one that is held.
 */
class PreferWaitIT extends DeploymentFixture {

    /** More than these servers have threads for requests, which is 200. */
    private static final int CROWD = 300;

    private static final int MAX_PENDING = 320;
    private static final String HELD = "{\"message\":\"held\",\"model\":\"gate/hold\",\"deliver\":false}";
    private static final String QUICK = "{\"message\":\"quick\",\"deliver\":false}";

    private static final String SECRET = "a secret of the sender";

    private RandomAccessFile gate;
    private int held;

    @Deployment(testable = false)
    static WebArchive postern() throws IOException, InterruptedException {
        Path pipe = DeploymentHome.empty("wait").path("gate");
        DeploymentHome home = DeploymentHome.with(
                "wait",
                List.of(
                        "defaultSessionKey: hook:one",
                        "maxPending: " + MAX_PENDING,
                        "mappings:",
                        "  - {match: {path: signed, headers: {x-kind: open}}, messageTemplate: open, deliver: false,"
                                + " replyToSender: true, verify: {scheme: gitlab, secret: '${file:secrets/signing}'}}",
                        "  - {match: {path: signed}, messageTemplate: quick, deliver: false,"
                                + " verify: {scheme: gitlab, secret: '${file:secrets/signing}'}}",
                        "  - {match: {path: told}, messageTemplate: quick, deliver: false, replyToSender: true,"
                                + " verify: {scheme: gitlab, secret: '${file:secrets/signing}'}}"),
                "agents: {defaults: {model: offline/echo}}",
                "providers: {gate: {kind: command, command: [head, -n, '1', '" + pipe + "']}}");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        home.write("secrets/signing", SECRET);
        return home.war();
    }

    /** Open both ways, so that neither side has to wait for the other. */
    @BeforeEach
    void openTheGate() throws IOException {
        gate = new RandomAccessFile(DeploymentHome.current().path("gate").toFile(), "rw");
    }

    @AfterEach
    void leaveNothingHeld() throws IOException {
        while (held > 0) {
            release();
        }
        assertThatResponse(agent(QUICK).header("Prefer", "wait=30").send()).isOk(200);
        gate.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait=0", "wait=-1", "wait=c4nary", "wait", "respond-async", ""})
    void doesNotWaitForWhatMakesNoSense(String preference) throws IOException {
        hold();

        assertThatResponse(agent(QUICK).header("Prefer", preference).send())
                .isOk(202)
                .hasNoHeader("Preference-Applied");
    }

    @Test
    void doesNotKeepARefusalWaiting() {
        assertThatResponse(agent("{}").header("Prefer", "wait=30").send()).isError(400, "invalid_payload", "message");
    }

    @Test
    void acceptsNothingMoreWhileTooMuchWaits() throws IOException {
        hold();
        RawResponse rawResponse = agent(QUICK).send();
        for (int i = 0; i < MAX_PENDING && rawResponse.status() == 202; i++) {
            rawResponse = agent(QUICK).send();
        }
        long before = metrics().accepted();

        assertThatResponse(rawResponse).isError(503, "overloaded");
        assertThat(Integer.parseInt(rawResponse.header("Retry-After").orElseThrow()))
                .isPositive();
        assertThatResponse(wake("{\"text\":\"a\"}").send()).isError(503, "overloaded");
        assertThat(metrics().accepted()).isEqualTo(before);

        release();
        await().until(() -> metrics().sum("postern_pending") == 0);
        assertThatResponse(wake("{\"text\":\"a\"}").send()).isOk(200);
    }

    @Test
    void answersAsUsualWhenTheTimeIsOver() throws IOException {
        hold();

        RawResponse rawResponse = agent(QUICK).header("Prefer", "wait=1").send();

        assertThatResponse(rawResponse).isOk(202).hasNoHeader("Preference-Applied");
        assertThatResponse(rawResponse)
                .hasHeader("Location", site().getPath() + "hooks/runs/" + rawResponse.text("runId"));
    }

    @ParameterizedTest
    @CsvSource({
        "wait=20, wait=20",
        "'respond-async, WAIT=20; x=y', wait=20",
        "wait=\"20\", wait=20",
        "wait=600, wait=120"
    })
    void answersWithTheRunThatEndedInTime(String preference, String applied) {
        RawResponse rawResponse = agent(QUICK).header("Prefer", preference).send();

        assertThatResponse(rawResponse).isOk(200).hasHeader("Preference-Applied", applied);
        assertThat(rawResponse.text("status")).isEqualTo("succeeded");
        assertThat(rawResponse.text("reply")).contains("quick");
    }

    @Test
    void keepsTheReplyFromASenderThatOnlySigns() {
        RawResponse rawResponse = signed("signed").send();

        assertThatResponse(rawResponse).isOk(200).hasHeader("Preference-Applied", "wait=20");
        assertThat(rawResponse.text("status")).isEqualTo("succeeded");
        assertThat(rawResponse.json().has("reply")).isFalse();
        assertThatResponse(signed("signed").send()).isOk(200).hasHeader("Idempotent-Replayed", "true");
        assertThat(signed("signed").send().json().has("reply")).isFalse();
        RawResponse underAnother = signed("signed").header("x-kind", "open").send();
        assertThatResponse(underAnother).isOk(200).hasHeader("Idempotent-Replayed", "true");
        assertThat(underAnother.json().has("reply")).isFalse();
    }

    @Test
    void givesReplyToAllowedSignerAndToTokenHolder() {
        assertThat(signed("told").send().text("reply")).contains("quick");
        assertThat(signed("signed").bearer(token()).send().text("reply")).contains("quick");
    }

    @Test
    void saysOfARunThatWasAskedForBeforeThatItWas() {
        RawResponse first = agent(QUICK)
                .header("Idempotency-Key", "waited")
                .header("Prefer", "wait=20")
                .send();

        RawResponse second = agent(QUICK)
                .header("Idempotency-Key", "waited")
                .header("Prefer", "wait=20")
                .send();

        assertThatResponse(first).isOk(200).hasNoHeader("Idempotent-Replayed");
        assertThatResponse(second)
                .isOk(200)
                .hasHeader("Preference-Applied", "wait=20")
                .hasHeader("Idempotent-Replayed", "true");
        assertThat(second.text("runId")).isEqualTo(first.text("runId"));
    }

    @Test
    void keepsNobodyElseWaitingHoweverManyWait() throws IOException {
        hold();
        List<CompletableFuture<RawResponse>> crowd = Stream.generate(
                        () -> agent(QUICK).header("Prefer", "wait=25").begin())
                .limit(CROWD)
                .toList();
        await().until(() -> metrics().sum("postern_pending") >= CROWD + 1);

        assertThatResponse(wake("{\"text\":\"still there?\"}").send()).isOk(200);
        assertThat(crowd).noneMatch(CompletableFuture::isDone);
        release();

        for (CompletableFuture<RawResponse> answer : crowd) {
            assertThatResponse(answer.join()).isOk(200).hasHeader("Preference-Applied", "wait=25");
        }
    }

    @Test
    void runsOnForASenderThatHasGone() throws IOException {
        hold();
        String body = "{\"message\":\"quick\",\"idempotencyKey\":\"gone\"}";
        try (RawConnection rawConnection = connection()) {
            rawConnection.send(
                    head("POST hooks/agent", bearer(), "Prefer: wait=60", "Content-Length: " + body.length()) + body);
            await().until(() -> metrics().sum("postern_pending") >= 2);
        }
        release();

        RawResponse rawResponse = agent(body).header("Prefer", "wait=20").send();

        assertThat(rawResponse.text("status")).isEqualTo("succeeded");
    }

    private Request signed(String hook) {
        return to("hooks/" + hook)
                .method("POST", "{}")
                .header("X-Gitlab-Token", SECRET)
                .header("Prefer", "wait=20");
    }

    /** Begins a run that lasts until {@link #release}. */
    private void hold() {
        String id = agent(HELD).send().text("runId");
        held++;
        await().until(() -> get("hooks/runs/" + id).send().text("status").equals("running"));
    }

    private void release() throws IOException {
        gate.write("go\n".getBytes(StandardCharsets.US_ASCII));
        held--;
    }
}

package dev.postern.it;

import static dev.postern.it.AnswerAssert.assertThatAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.management.JMException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of request bodies: the accepted sizes and encodings, and the time that a body may take to arrive. */
class BodyIT extends OnServer {

    private static final int MAX_BYTES = 1_000;
    /** What these servers have for requests unless told otherwise. */
    private static final int SERVER_THREADS = 200;

    /** What a push of mails may have: a hundred texts of 20,000 bytes, each written as three, and 8 KiB around each. */
    private static final int MAX_MAIL_BYTES = 100 * (3 * 20_000 + 8_192);

    private static final int CROWD = 300;
    private static final int FEW = 40;
    private static final String WAKE = "{\"text\":\"hello\"}";

    private final List<Wire> wires = new ArrayList<>();

    @Deployment(testable = false)
    static WebArchive postern() {
        List<String> hooks = List.of(
                "maxBodyBytes: " + MAX_BYTES,
                "bodyTimeoutSeconds: 4",
                "throttle: {failures: 1000}",
                "presets: [gmail]",
                "mappings:",
                "  - {match: {path: gmail, source: signed}, messageTemplate: x, verify: {scheme: github, secret: s}}",
                "  - {match: {path: mails}, messageTemplate: x}",
                "  - {match: {path: late}, messageTemplate: '${query.n}'}");
        return Home.with("body", hooks).war();
    }

    @AfterEach
    void hangUp() throws IOException {
        for (Wire wire : wires) {
            wire.close();
        }
    }

    @Test
    void refusesALargerContentLengthUnreadAndHangsUp() throws IOException {
        Wire wire = open().send(head("POST hooks/wake", bearer(), "Content-Length: " + (MAX_BYTES + 1)));

        assertThatAnswer(wire.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .says("has " + (MAX_BYTES + 1) + " bytes")
                .says("the " + MAX_BYTES + " bytes")
                .says("(hooks.maxBodyBytes)")
                .closesTheConnection();
        assertThat(wire.isClosed()).isTrue();
    }

    @Test
    void cutsAChunkedBodyAtTheFirstByteTooManyAndHangsUp() throws IOException {
        Wire wire = open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked"));
        for (int sent = 0; sent < MAX_BYTES; sent += 100) {
            wire.send("64\r\n" + " ".repeat(100) + "\r\n");
        }
        wire.send("1\r\n \r\n");

        assertThatAnswer(wire.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();
        assertThat(wire.isClosed()).isTrue();
    }

    @Test
    void takesABodyOfExactlyTheLimit() throws IOException {
        String body = WAKE + " ".repeat(MAX_BYTES - WAKE.length());

        assertThatAnswer(post("hooks/wake", body).send()).isOk(200);
        assertThatAnswer(open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked") + "3e8\r\n" + body
                                + "\r\n0\r\n\r\n")
                        .answer()
                        .orElseThrow())
                .isOk(200);
    }

    @Test
    void takesAPushOfMailsThatIsLargerThanOtherBodiesMayBe() {
        String mail = "{\"from\":\"ada@example.com\",\"subject\":\"x\",\"body\":\"" + "\\u00e9".repeat(10_000) + "\"}";
        String mails = String.join(",", Collections.nCopies(100, mail));

        assertThatAnswer(post("hooks/gmail", "{\"source\":\"gmail\",\"messages\":[" + mails + "]}")
                        .send())
                .isOk(202);
        assertThatAnswer(post("hooks/mails", "{\"messages\":[" + mail + "]}").send())
                .isError(413, "payload_too_large");
    }

    @Test
    void refusesAPushOfMoreThanAHundredMails() throws IOException {
        Wire wire = open().send(head("POST hooks/gmail", bearer(), "Content-Length: " + (MAX_MAIL_BYTES + 1)));
        assertThatAnswer(wire.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();

        Wire taken = open().send(head("POST hooks/gmail", bearer(), "Content-Length: " + MAX_MAIL_BYTES));
        assertThatAnswer(taken.answer().orElseThrow()).isError(408, "body_timeout");
    }

    @Test
    void holdsNoLargeBodyForAStrangerWhoMayHaveSignedIt() throws IOException {
        String signature = "X-Hub-Signature-256: sha256=" + "0".repeat(64);
        Wire wire = open().send(head("POST hooks/gmail", signature, "Content-Length: " + (MAX_BYTES + 1)));

        assertThatAnswer(wire.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "deflate", "GZIP", "identity, gzip", "c4nary"})
    void refusesAContentCoding(String coding) {
        assertThatAnswer(wake(WAKE).header("Content-Encoding", coding).send()).isError(415, "unsupported_media_type");
    }

    @Test
    void refusesAContentCodingInASecondHeader() {
        assertThatAnswer(wake(WAKE)
                        .header("Content-Encoding", "identity")
                        .header("Content-Encoding", "gzip")
                        .send())
                .isError(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data; boundary=c4nary",
                "Multipart/mixed",
                "application/json; charset=UTF-16",
                "application/json;charset=utf-32be"
            })
    void refusesATypeThatCannotBeJsonInUtf8(String type) {
        assertThatAnswer(wake(WAKE).header("Content-Type", type).send()).isError(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @CsvSource({
        "payload=%7B%22action%22%3A%22opened%22%7D, choose the content type application/json",
        "token=c4nary&team_id=T1&command=%2Fdeploy&text=now, Slack's commands",
        "text=hello&mode=now, Send JSON"
    })
    void refusesAFormAndSaysWhatToSendInstead(String form, String remedy) {
        assertThatAnswer(wake(form)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .send())
                .isError(415, "unsupported_media_type")
                .says(remedy);
    }

    @Test
    void takesJsonUnderTheTypeOfAForm() {
        assertThatAnswer(wake(WAKE)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .send())
                .isOk(200);
    }

    @Test
    void takesTheIdentityCoding() {
        assertThatAnswer(wake(WAKE).header("Content-Encoding", "identity").send())
                .isOk(200);
    }

    @Test
    void doesNotAskForABodyThatItRefuses() throws IOException {
        Wire wire = open().send(head("POST hooks/wake", "Content-Length: 9", "Expect: 100-continue"));

        assertThatAnswer(wire.answer().orElseThrow()).isError(401, "unauthorized");
        assertThat(wire.isClosed()).isTrue();
        assertThat(wire.wasToldToContinue())
                .as("some servers ask before any web application is called")
                .isEqualTo(Host.asksForBodies());
    }

    @Test
    void asksForABodyThatItWaitsFor() throws IOException {
        String length = "Content-Length: " + WAKE.length();
        Wire wire = open().send(head("POST hooks/wake", bearer(), length, "Expect: 100-continue"));

        wire.send(WAKE);

        assertThatAnswer(wire.answer().orElseThrow()).isOk(200);
    }

    @Test
    void joinsABodyThatComesInPieces() throws IOException {
        Wire wire = open().send(head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()));
        for (int i = 0; i < WAKE.length(); i++) {
            wire.send(WAKE.substring(i, i + 1));
        }

        assertThatAnswer(wire.answer().orElseThrow()).isOk(200);
    }

    @Test
    void readsTheQueryThatWasSentWithABodyThatComesLate() throws IOException {
        Wire never = open().send(head("POST hooks/late?n=never", bearer(), "Content-Length: 2"));
        assertThatAnswer(never.answer().orElseThrow()).isError(408, "body_timeout");

        List<Wire> late = new ArrayList<>();
        for (int i = 0; i < FEW; i++) {
            String head = head("POST hooks/late?n=" + i, bearer(), "Prefer: wait=20", "Content-Length: 2");
            late.add(open().send(head));
        }
        for (Wire wire : late) {
            wire.send("{}");
        }

        for (int i = 0; i < FEW; i++) {
            Answer answer = late.get(i).answer().orElseThrow();
            assertThatAnswer(answer).isOk(200);
            assertThat(answer.text("reply")).isEqualTo("offline/echo: " + i);
        }
    }

    @Test
    void answersSeveralRequestsOnOneConnection() throws IOException {
        String request = head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()) + WAKE;
        Wire wire = open().send(request + request + request);

        for (int i = 0; i < 3; i++) {
            assertThatAnswer(wire.answer().orElseThrow()).isOk(200);
        }
    }

    @Test
    void acceptsNothingOfABodyThatBreaksOff() throws IOException {
        long before = figures().accepted();
        Wire wire = open().send(head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()) + "{\"text\"");

        wire.end();

        wire.answer().ifPresent(answer -> assertThatAnswer(answer).isError(400, "invalid_payload"));
        assertThat(figures().accepted()).isEqualTo(before);
    }

    @Test
    void blamesTheSenderForABodyThatBreaksWhileItIsWaitedFor() throws IOException {
        List<Wire> broken = new ArrayList<>();
        for (int i = 0; i < FEW; i++) {
            broken.add(open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked") + "2\r\n{}\r\n"));
        }
        for (Wire wire : broken) {
            wire.send("no chunk\r\n");
        }

        for (Wire wire : broken) {
            wire.answer().ifPresent(answer -> assertThat(answer.status()).isBetween(400, 499));
        }
    }

    @Test
    void waitsForSlowBodiesWithoutAThreadEachAndGivesThemUpInTime() throws IOException {
        long before = figures().refused("body_timeout");
        for (int i = 0; i < CROWD; i++) {
            open().send(head("POST hooks/wake", bearer(), "Content-Length: 500") + "{");
        }

        assertThatAnswer(wake(WAKE).send()).isOk(200);
        assertThat(figures().refused("body_timeout") - before).isLessThan(CROWD - SERVER_THREADS);

        for (Wire wire : wires) {
            assertThatAnswer(wire.answer().orElseThrow())
                    .isError(408, "body_timeout")
                    .closesTheConnection();
        }
        assertThatAnswer(wake(WAKE).send()).isOk(200);
        for (Wire wire : wires) {
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void saysTheSameWhereTheServerLosesPatienceFirst() throws IOException, JMException {
        try (TomcatPatience patience = TomcatPatience.of(host())) {
            patience.lastFor(Duration.ofSeconds(1));
            Wire wire = open().send(head("POST hooks/wake", bearer(), "Content-Length: 500") + "{");

            assertThatAnswer(wire.answer().orElseThrow())
                    .isError(408, "body_timeout")
                    .closesTheConnection();
        }
    }

    @Test
    void isNotHeldUpByTheBodiesOfRefusedRequests() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(head("PUT hooks/wake", "Content-Length: 500") + "{");
        }
        for (Wire wire : wires) {
            assertThatAnswer(wire.answer().orElseThrow()).isError(405, "method_not_allowed");
        }

        long start = System.nanoTime();
        assertThatAnswer(wake(WAKE).send()).isOk(200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    /** No response there waits for a body that Postern does not read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET health/live",
                "POST health/ready",
                "GET metrics",
                "GET console/runs",
                "POST console/login",
                "POST console/runs",
                "POST console/api/try",
                "GET hooks/runs/run_0",
                "GET nowhere"
            })
    void isNotHeldUpByTheBodiesOfRequestsElsewhere(String line) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(head(line, "Content-Length: 2097152"));
        }

        long start = System.nanoTime();
        assertThatAnswer(wake(WAKE).send()).isOk(200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        for (Wire wire : wires) {
            assertThat(wire.answer().orElseThrow().status()).isBetween(200, 429);
            assertThat(wire.isClosed()).isTrue();
        }
    }

    private Wire open() throws IOException {
        Wire wire = wire();
        wires.add(wire);
        return wire;
    }
}

package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
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
class BodyIT extends DeploymentFixture {

    private static final int MAX_BYTES = 1_000;
    /** What these servers have for requests unless told otherwise. */
    private static final int SERVER_THREADS = 200;

    /** What a push of mails may have: a hundred texts of 20,000 bytes, each written as three, and 8 KiB around each. */
    private static final int MAX_MAIL_BYTES = 100 * (3 * 20_000 + 8_192);

    private static final int CROWD = 300;
    private static final int FEW = 40;
    private static final int MANY = 1_000;
    private static final String WAKE = "{\"text\":\"hello\"}";

    private final List<RawConnection> connections = new ArrayList<>();

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
        return DeploymentHome.with("body", hooks).war();
    }

    @AfterEach
    void hangUp() throws IOException {
        for (RawConnection rawConnection : connections) {
            rawConnection.close();
        }
    }

    @Test
    void refusesALargerContentLengthUnreadAndHangsUp() throws IOException {
        RawConnection rawConnection =
                open().send(head("POST hooks/wake", bearer(), "Content-Length: " + (MAX_BYTES + 1)));

        assertThatResponse(rawConnection.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .says("has " + (MAX_BYTES + 1) + " bytes")
                .says("the " + MAX_BYTES + " bytes")
                .says("(hooks.maxBodyBytes)")
                .closesTheConnection();
        assertThat(rawConnection.isClosed()).isTrue();
    }

    @Test
    void cutsAChunkedBodyAtTheFirstByteTooManyAndHangsUp() throws IOException {
        RawConnection rawConnection = open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked"));
        for (int sent = 0; sent < MAX_BYTES; sent += 100) {
            rawConnection.send("64\r\n" + " ".repeat(100) + "\r\n");
        }
        rawConnection.send("1\r\n \r\n");

        assertThatResponse(rawConnection.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();
        assertThat(rawConnection.isClosed()).isTrue();
    }

    @Test
    void takesABodyOfExactlyTheLimit() throws IOException {
        String body = WAKE + " ".repeat(MAX_BYTES - WAKE.length());

        assertThatResponse(post("hooks/wake", body).send()).isOk(200);
        assertThatResponse(open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked") + "3e8\r\n"
                                + body + "\r\n0\r\n\r\n")
                        .answer()
                        .orElseThrow())
                .isOk(200);
    }

    @Test
    void takesAPushOfMailsThatIsLargerThanOtherBodiesMayBe() {
        String mail = "{\"from\":\"ada@example.com\",\"subject\":\"x\",\"body\":\"" + "\\u00e9".repeat(10_000) + "\"}";
        String mails = String.join(",", Collections.nCopies(100, mail));

        assertThatResponse(post("hooks/gmail", "{\"source\":\"gmail\",\"messages\":[" + mails + "]}")
                        .send())
                .isOk(202);
        assertThatResponse(post("hooks/mails", "{\"messages\":[" + mail + "]}").send())
                .isError(413, "payload_too_large");
    }

    @Test
    void refusesAPushOfMoreThanAHundredMails() throws IOException {
        RawConnection rawConnection =
                open().send(head("POST hooks/gmail", bearer(), "Content-Length: " + (MAX_MAIL_BYTES + 1)));
        assertThatResponse(rawConnection.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();

        RawConnection taken = open().send(head("POST hooks/gmail", bearer(), "Content-Length: " + MAX_MAIL_BYTES));
        assertThatResponse(taken.answer().orElseThrow()).isError(408, "body_timeout");
    }

    @Test
    void holdsNoLargeBodyForAStrangerWhoMayHaveSignedIt() throws IOException {
        String signature = "X-Hub-Signature-256: sha256=" + "0".repeat(64);
        RawConnection rawConnection =
                open().send(head("POST hooks/gmail", signature, "Content-Length: " + (MAX_BYTES + 1)));

        assertThatResponse(rawConnection.answer().orElseThrow())
                .isError(413, "payload_too_large")
                .closesTheConnection();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "deflate", "GZIP", "identity, gzip", "c4nary"})
    void refusesAContentCoding(String coding) {
        assertThatResponse(wake(WAKE).header("Content-Encoding", coding).send()).isError(415, "unsupported_media_type");
    }

    @Test
    void refusesAContentCodingInASecondHeader() {
        assertThatResponse(wake(WAKE)
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
        assertThatResponse(wake(WAKE).header("Content-Type", type).send()).isError(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @CsvSource({
        "payload=%7B%22action%22%3A%22opened%22%7D, choose the content type application/json",
        "token=c4nary&team_id=T1&command=%2Fdeploy&text=now, not JSON. Send JSON.",
        "text=hello&mode=now, not JSON. Send JSON."
    })
    void refusesAFormAndSaysWhatToSendInstead(String form, String remedy) {
        assertThatResponse(wake(form)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .send())
                .isError(415, "unsupported_media_type")
                .says(remedy);
    }

    @Test
    void takesJsonUnderTheTypeOfAForm() {
        assertThatResponse(wake(WAKE)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .send())
                .isOk(200);
    }

    @Test
    void takesTheIdentityCoding() {
        assertThatResponse(wake(WAKE).header("Content-Encoding", "identity").send())
                .isOk(200);
    }

    @Test
    void doesNotAskForABodyThatItRefuses() throws IOException {
        RawConnection rawConnection = open().send(head("POST hooks/wake", "Content-Length: 9", "Expect: 100-continue"));

        assertThatResponse(rawConnection.answer().orElseThrow()).isError(401, "unauthorized");
        assertThat(rawConnection.isClosed()).isTrue();
        assertThat(rawConnection.wasToldToContinue())
                .as("some servers ask before any web application is called")
                .isEqualTo(DeploymentHost.sendsContinue());
    }

    @Test
    void asksForABodyThatItWaitsFor() throws IOException {
        String length = "Content-Length: " + WAKE.length();
        RawConnection rawConnection = open().send(head("POST hooks/wake", bearer(), length, "Expect: 100-continue"));

        rawConnection.send(WAKE);

        assertThatResponse(rawConnection.answer().orElseThrow()).isOk(200);
    }

    @Test
    void joinsABodyThatComesInPieces() throws IOException {
        RawConnection rawConnection =
                open().send(head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()));
        for (int i = 0; i < WAKE.length(); i++) {
            rawConnection.send(WAKE.substring(i, i + 1));
        }

        assertThatResponse(rawConnection.answer().orElseThrow()).isOk(200);
    }

    @Test
    void readsTheQueryThatWasSentWithABodyThatComesLate() throws IOException {
        RawConnection never = open().send(head("POST hooks/late?n=never", bearer(), "Content-Length: 2"));
        assertThatResponse(never.answer().orElseThrow()).isError(408, "body_timeout");

        List<RawConnection> late = new ArrayList<>();
        for (int i = 0; i < FEW; i++) {
            String head = head("POST hooks/late?n=" + i, bearer(), "Prefer: wait=20", "Content-Length: 2");
            late.add(open().send(head));
        }
        for (RawConnection rawConnection : late) {
            rawConnection.send("{}");
        }

        for (int i = 0; i < FEW; i++) {
            RawResponse rawResponse = late.get(i).answer().orElseThrow();
            assertThatResponse(rawResponse).isOk(200);
            assertThat(rawResponse.text("reply")).isEqualTo("offline/echo: " + i);
        }
    }

    @Test
    void answersSeveralRequestsOnOneConnection() throws IOException {
        String request = head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()) + WAKE;
        RawConnection rawConnection = open().send(request + request + request);

        for (int i = 0; i < 3; i++) {
            assertThatResponse(rawConnection.answer().orElseThrow()).isOk(200);
        }
    }

    /** Each request comes as soon as the response to the one before is there, when a server may not be done with it. */
    @Test
    void answersManyRequestsOnOneConnectionWhoseBodiesComeLate() throws IOException {
        String head = head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length());
        RawConnection rawConnection = open();

        for (int i = 0; i < MANY; i++) {
            rawConnection.send(head).send(WAKE);
            RawResponse rawResponse = rawConnection.answer().orElseThrow();
            assertThatResponse(rawResponse).isOk(200);
            if (rawResponse.header("Connection").filter("close"::equals).isPresent()) {
                rawConnection = open();
            }
        }
    }

    @Test
    void acceptsNothingOfABodyThatBreaksOff() throws IOException {
        long before = metrics().accepted();
        RawConnection rawConnection =
                open().send(head("POST hooks/wake", bearer(), "Content-Length: " + WAKE.length()) + "{\"text\"");

        rawConnection.end();

        rawConnection.answer().ifPresent(rawResponse -> assertThatResponse(rawResponse)
                .isError(400, "invalid_payload"));
        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @Test
    void blamesTheSenderForABodyThatBreaksWhileItIsWaitedFor() throws IOException {
        List<RawConnection> broken = new ArrayList<>();
        for (int i = 0; i < FEW; i++) {
            broken.add(open().send(head("POST hooks/wake", bearer(), "Transfer-Encoding: chunked") + "2\r\n{}\r\n"));
        }
        for (RawConnection rawConnection : broken) {
            rawConnection.send("no chunk\r\n");
        }

        for (RawConnection rawConnection : broken) {
            rawConnection.answer().ifPresent(rawResponse -> assertThat(rawResponse.status())
                    .isBetween(400, 499));
        }
    }

    @Test
    void waitsForSlowBodiesWithoutAThreadEachAndGivesThemUpInTime() throws IOException {
        long before = metrics().refused("body_timeout");
        for (int i = 0; i < CROWD; i++) {
            open().send(head("POST hooks/wake", bearer(), "Content-Length: 500") + "{");
        }

        assertThatResponse(wake(WAKE).send()).isOk(200);
        assertThat(metrics().refused("body_timeout") - before).isLessThan(CROWD - SERVER_THREADS);

        for (RawConnection rawConnection : connections) {
            assertThatResponse(rawConnection.answer().orElseThrow())
                    .isError(408, "body_timeout")
                    .closesTheConnection();
        }
        assertThatResponse(wake(WAKE).send()).isOk(200);
        for (RawConnection rawConnection : connections) {
            assertThat(rawConnection.isClosed()).isTrue();
        }
    }

    @Test
    void saysTheSameWhereTheServerLosesPatienceFirst() throws IOException, JMException {
        try (TomcatConnectionTimeout patience = TomcatConnectionTimeout.of(host())) {
            patience.setTimeout(Duration.ofSeconds(1));
            RawConnection rawConnection = open().send(head("POST hooks/wake", bearer(), "Content-Length: 500") + "{");

            assertThatResponse(rawConnection.answer().orElseThrow())
                    .isError(408, "body_timeout")
                    .closesTheConnection();
        }
    }

    @Test
    void isNotHeldUpByTheBodiesOfRefusedRequests() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(head("PUT hooks/wake", "Content-Length: 500") + "{");
        }
        for (RawConnection rawConnection : connections) {
            assertThatResponse(rawConnection.answer().orElseThrow()).isError(405, "method_not_allowed");
        }

        long start = System.nanoTime();
        assertThatResponse(wake(WAKE).send()).isOk(200);
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
                "GET nowhere",
                "POST nowhere.jsp"
            })
    void isNotHeldUpByTheBodiesOfRequestsElsewhere(String line) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            open().send(head(line, "Content-Length: 2097152"));
        }

        long start = System.nanoTime();
        assertThatResponse(wake(WAKE).send()).isOk(200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        for (RawConnection rawConnection : connections) {
            assertThat(rawConnection.answer().orElseThrow().status()).isBetween(200, 429);
            assertThat(rawConnection.isClosed()).isTrue();
        }
    }

    private RawConnection open() throws IOException {
        RawConnection rawConnection = connection();
        connections.add(rawConnection);
        return rawConnection;
    }
}

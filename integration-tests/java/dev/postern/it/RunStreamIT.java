package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of the stream of a run's events. Runs of the model {@code gate/hold} end when the test writes a line to the named
 * pipe {@code gate}.
 */
class RunStreamIT extends DeploymentFixture {

    /** The most clients that may follow one run. */
    private static final int MOST = 100;

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String CI = "a-token-of-the-sender-ci-and-no-other";
    private static final String HELD = "{\"message\":\"held\",\"model\":\"gate/hold\",\"deliver\":false}";
    private static final List<String> ALL = List.of("0.0.queued", "0.1.running", "0.1.ended", "0.1.reply", "0.1.end");

    private final List<EventStream> open = new ArrayList<>();
    private RandomAccessFile gate;
    private String run;
    private boolean isHeld;

    @Deployment(testable = false)
    static WebArchive postern() throws IOException, InterruptedException {
        Path pipe = DeploymentHome.empty("stream").path("gate");
        DeploymentHome home = DeploymentHome.with(
                "stream",
                List.of(),
                "agents: {defaults: {model: offline/echo}}",
                "senders: {ci: {token: '${file:secrets/ci}', hooks: [agent]}}",
                "providers: {gate: {kind: command, command: [head, -n, '1', '" + pipe + "']}}");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        home.write("secrets/ci", CI);
        return home.war();
    }

    /** Open both ways, so that neither side has to wait for the other. */
    @BeforeEach
    void hold() throws IOException {
        gate = new RandomAccessFile(DeploymentHome.current().path("gate").toFile(), "rw");
        run = agent(HELD).send().text("runId");
        isHeld = true;
        await().atMost(LONGEST)
                .until(() -> get("hooks/runs/" + run).send().text("status").equals("running"));
    }

    @AfterEach
    void leaveNothingOpen() throws IOException {
        for (EventStream stream : open) {
            stream.close();
        }
        release();
        gate.close();
    }

    @Test
    void answersAsForJsonUntilTheStreamBegins() throws IOException {
        assertThatResponse(to("hooks/runs/" + run)
                        .header("Accept", "text/event-stream")
                        .bearer("wrong")
                        .send())
                .isError(401, "unauthorized");
        assertThatResponse(get("hooks/runs/run_00000000000000000000000000")
                        .header("Accept", "text/event-stream")
                        .send())
                .isError(404, "not_found");
        assertThatResponse(to("hooks/runs/" + run)
                        .header("Accept", "text/event-stream")
                        .bearer(CI)
                        .send())
                .isError(404, "not_found");
        assertThatResponse(get("hooks/runs/" + run + "?token=a")
                        .header("Accept", "text/event-stream")
                        .send())
                .isError(400, "query_token");
        assertThatResponse(post("hooks/runs/" + run, "{}")
                        .header("Accept", "text/event-stream")
                        .send())
                .isError(405, "method_not_allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/json, text/event-stream",
                "text/event-stream;q=0.1, application/json",
                "text/event-stream;q=0",
                "c4nary"
            })
    void givesJsonUnlessTheStreamIsPreferred(String accept) {
        RawResponse plain = get("hooks/runs/" + run).send();

        RawResponse negotiated =
                get("hooks/runs/" + run).header("Accept", accept).send();

        assertThat(negotiated.body()).isEqualTo(plain.body());
        assertThatResponse(negotiated).isOk(200).hasHeader("Content-Type", "application/json");
    }

    @Test
    void streamsToAClientThatSendsABody() throws IOException {
        assumeFalse(DeploymentHost.server().equals("glassfish"), "Grizzly refuses each GET with a body");
        release();

        RawResponse streamed = get("hooks/runs/" + run)
                .method("GET", "{}".repeat(10_000))
                .header("Accept", "text/event-stream")
                .send();

        assertThat(streamed.status()).isEqualTo(200);
        assertThat(streamed.body()).contains("event: end");
    }

    @Test
    void refusesOneTooManyUntilSomeHaveGone() throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < MOST; i++) {
            assertThat(follow().status()).isEqualTo(200);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("no stream waits for its keep-alive, which comes after 10 seconds")
                .isLessThan(LONGEST);

        RawResponse refused =
                get("hooks/runs/" + run).header("Accept", "text/event-stream").send();

        assertThatResponse(refused).isError(429, "rate_limited");
        assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow()))
                .isPositive();
        assertThatResponse(get("hooks/runs/" + run).send()).isOk(200);
        for (EventStream stream : open) {
            stream.reset();
        }
        await().atMost(LONGEST).until(() -> follow().status() == 200);
    }

    @Test
    void tellsOfTheRunUntilItsEnd() throws IOException {
        EventStream stream = follow();

        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        assertThat(stream.header("Cache-Control")).contains("no-store");
        assertThat(stream.header("X-Accel-Buffering")).contains("no");
        assertThat(stream.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(stream.idsBefore("0.1.running")).containsExactly("0.0.queued");
        release();

        assertThat(stream.idsBefore("0.1.reply")).containsExactly("0.1.ended");
        EventStream.Event end = stream.next().orElseThrow();
        assertThat(end.type()).isEqualTo("end");
        assertThat(end.data()).isEqualTo("{\"runId\":\"" + run + "\",\"status\":\"succeeded\"}");
        assertThat(stream.next()).isEmpty();
    }

    @Test
    void goesOnAfterTheEventThatTheClientHas() throws IOException {
        release();
        assertThat(follow().ids()).isEqualTo(ALL);

        for (int i = 0; i < ALL.size() - 1; i++) {
            assertThat(follow("Last-Event-ID: " + ALL.get(i)).ids()).isEqualTo(ALL.subList(i + 1, ALL.size()));
        }
        EventStream over = follow("Last-Event-ID: 0.1.end");
        assertThat(over.status()).isEqualTo(204);
        RawResponse last = get("hooks/runs/" + run)
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", "0.1.end")
                .send();
        assertThat(last.status()).isEqualTo(204);
        assertThat(last.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"c4nary", "0.1.end.5.6", "7.7.running", "%00", "'--", "0.1.tool.999999999999999999999"})
    void beginsAnewForAnIdThatItDoesNotKnow(String id) throws IOException {
        release();

        assertThat(follow("Last-Event-ID: " + id).ids()).isEqualTo(ALL);
    }

    @Test
    void keepsNoThreadForAClientThatFollows() throws IOException {
        for (int i = 0; i < MOST; i++) {
            follow();
        }
        for (EventStream stream : open) {
            stream.idsBefore("0.1.running");
        }
        assertThatResponse(wake("{\"text\":\"still there?\"}").send()).isOk(200);
        release();

        for (EventStream stream : open) {
            assertThat(stream.ids()).containsExactly("0.1.ended", "0.1.reply", "0.1.end");
        }
    }

    private EventStream follow(String... headers) throws IOException {
        EventStream stream = EventStream.open(site().resolve("hooks/runs/" + run), token(), headers);
        open.add(stream);
        return stream;
    }

    private void release() throws IOException {
        if (isHeld) {
            isHeld = false;
            gate.write("go\n".getBytes(StandardCharsets.US_ASCII));
            await().atMost(LONGEST)
                    .until(() -> get("hooks/runs/" + run).send().text("status").equals("succeeded"));
        }
    }
}

package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.net.RefusingProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of every channel to a chat product, against a server that responds like the product's own. */
abstract class VendorContract extends VendorServer {

    private static final Duration LONG = Duration.ofSeconds(20);

    @TestFactory
    List<DynamicTest> understandsEveryAnswer() {
        return file.cases(operation()).stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> understands(each)))
                .toList();
    }

    private void understands(VendorFile.Case each) throws Exception {
        answer(each.answer());
        Outcome outcome = send();

        switch (each.outcome()) {
            case "ok" -> assertThat(outcome).isEqualTo(new Sent(messageId(VendorFile.JSON.readTree(each.body()))));
            case "retry" -> assertThat(outcome).isInstanceOf(Later.class);
            case "permanent" -> assertThat(outcome).isInstanceOf(Refused.class);
            case "auth" -> assertThat(reason(outcome)).contains("channels.ops." + credential());
            case "hold" -> assertThat(reason(outcome)).contains("has restricted the account");
            case "unknown" -> assertThat(outcome).isInstanceOf(Unsure.class);
            default -> throw new AssertionError(each.outcome());
        }
        if (each.outcome().equals("auth") || each.outcome().equals("hold")) {
            assertThat(outcome).isInstanceOf(Refused.class);
        }
        if (outcome instanceof Later later) {
            if (each.pause() < 0) {
                assertThat(later.pause()).isNull();
            } else {
                assertThat(later.pause().toMillis() / 1000.0).isBetween(each.pause(), each.pause() + 1);
            }
        }
    }

    @Test
    void asksAsTheProductDescribesIt() {
        answer(file.ok(operation()).answer());
        Outcome unused = send();

        LoggedRequest asked = requests().get(requests().size() - 1);
        assertThat(asked.getMethod().getName()).isEqualTo("POST");
        assertThat(asked.getUrl()).isEqualTo(path());
        credentialHeader()
                .forEach((name, value) -> assertThat(asked.getHeader(name)).isEqualTo(value));
        assertThat(asked.getHeader("User-Agent")).isEqualTo(agent());
        assertThat(asked.getHeader("Content-Type")).startsWith("application/json");
        assertThat(file.violations(bodySchema(), asked.getBodyAsString())).isEmpty();
        assertThat(file.violations(bodySchema(), "[]")).isNotEmpty();
        assertThat(asked.getBodyAsString()).contains(TEXT);
    }

    @Test
    void waitsAsLongAsItIsTold() {
        answer(status(429).withHeader("Retry-After", "7"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(7));

        answer(status(429).withHeader("Retry-After", "Sun, 22 Nov 2026 05:00:40 GMT"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(40));

        answer(status(503).withHeader("Retry-After", "86400"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofHours(1));
    }

    /** Whether a rate limit of the product counts all messages of the account. */
    boolean limitsAccount() {
        return false;
    }

    @Test
    void tellsWhoseLimitIsReached() {
        answer(status(429).withHeader("Retry-After", "7"));

        assertThat(((Later) send()).wholeChannel()).isEqualTo(limitsAccount());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void triesAgainWhenTheServerFails(int status) {
        answer(status(status));

        assertThat(send()).isInstanceOf(Later.class);
        assertThat(reason(send())).contains("status " + status);
    }

    /** An address to which the product's redirects are not followed. */
    String elsewhere() {
        return url() + "/elsewhere";
    }

    @Test
    void doesNotFollowARedirect() {
        answer(status(307).withHeader("Location", elsewhere()));

        assertThat(send()).isInstanceOf(Refused.class);
        assertThat(reason(send())).contains("redirect (status 307)", "check channels.ops.");
        assertThat(requests()).extracting(LoggedRequest::getUrl).doesNotContain("/elsewhere");
    }

    @Test
    void isUnsureWhenNoAnswerComes() {
        answer(status(200).withFixedDelay(60_000));

        assertThat(impatient(entry(url())).send(message(to()))).isInstanceOf(Unsure.class);
    }

    @Test
    void isUnsureWhenAnAnswerNeverEnds() {
        answer(status(200).withChunkedDribbleDelay(1_000, 60_000));

        assertThat(impatient(entry(url())).send(message(to()))).isInstanceOf(Unsure.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void isUnsureWhenTheConnectionBreaks(Fault fault) {
        answer(aResponse().withFault(fault));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:9", "http://nobody.invalid", "https", "https where HTTP is spoken"})
    void triesAgainWhenNothingCouldBeSent(String address) {
        answer(file.ok(operation()).answer());
        String there = address.startsWith("https")
                ? "https://localhost:" + (address.equals("https") ? server.httpsPort() : server.port())
                : address;
        Outcome outcome = channel(entry(there)).send(message(to()));

        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(reason(outcome)).contains("check channels.ops.").doesNotContain("invalid", "127", "localhost");
        assertThat(requests()).isEmpty();
    }

    @Test
    void triesAgainWhenAProxyOpensNoConnection() throws IOException {
        Outcome outcome;
        try (RefusingProxy proxy = RefusingProxy.start("407 Proxy Authentication Required")) {
            outcome = channel(entry("https://localhost:" + server.httpsPort())).send(message(to()));
            assertThat(proxy.requests()).isNotEmpty();
        }

        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(reason(outcome)).contains("the proxy: check the JVM's https.proxyHost, or channels.ops.");
        assertThat(requests()).isEmpty();
    }

    @Test
    void isEndedByAnInterrupt() throws InterruptedException {
        answer(status(200).withFixedDelay(60_000));
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread sender = new Thread(() -> {
            outcome.set(send());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        sender.start();
        await().atMost(LONG).until(() -> sender.getState() == Thread.State.TIMED_WAITING);
        sender.interrupt();
        sender.join(LONG.toMillis());

        assertThat(outcome.get()).isInstanceOf(Unsure.class);
        assertThat(interrupted).isTrue();
    }

    @Test
    void sendsNothingAfterAnInterrupt() {
        answer(file.ok(operation()).answer());
        Thread.currentThread().interrupt();
        Outcome outcome = send();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(requests()).isEmpty();
    }

    @Test
    void tellsNobodyWhatItSentNorTheCredential() {
        String echo = "{\"ok\":false,\"error\":\"" + SECRET + "\",\"id\":\"" + TEXT + "\",\"code\":\"" + TEXT
                + "\",\"message\":\"" + SECRET + TEXT + "\",\"description\":\"" + SECRET + TEXT + "\"}";
        for (int status : List.of(200, 202, 204, 301, 400, 401, 403, 404, 408, 409, 410, 413, 422, 425, 429, 500)) {
            answer(aResponse()
                    .withStatus(status)
                    .withHeader("Content-Type", "application/json")
                    .withHeader("Location", "/" + SECRET)
                    .withBody(echo));

            assertThat(send().toString() + channel().probe())
                    .doesNotContain("marzipan", "rhubarb")
                    .doesNotContain(url());
        }
    }

    @Test
    void doesNotReadAnAnswerWithoutEnd() {
        answer(aResponse().withStatus(503).withBody("x".repeat(5 * 1024 * 1024)));

        assertThat(send()).isInstanceOf(Later.class);
    }

    @Test
    void wantsToKnowToWhom() {
        assertThat(channel().refusal(null)).startsWith("to ");
        assertThat(channel().refusal(to())).isNull();
        assertThat(channel().send(message(null))).isInstanceOf(Refused.class);
        assertThat(channel().send(message("no body\n"))).isInstanceOf(Refused.class);
        assertThat(requests()).isEmpty();
    }

    @Test
    void splitsALongReply() {
        assertThat(channel().parts("a")).hasSize(1);
        assertThat(channel().parts("word ".repeat(1000))).hasSizeGreaterThan(1).allMatch(part -> part.length() <= 2000);
    }

    @Test
    void saysThatTheServiceIsOutOfReach() {
        Probe probe = channel(entry("http://127.0.0.1:9")).probe();

        assertThat(probe).isInstanceOf(Probe.Bad.class);
        assertThat(((Probe.Bad) probe).reason()).contains("check channels.ops.");
    }
}

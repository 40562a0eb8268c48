package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of many clients that each send a wrong token, as a trusted proxy tells their addresses. Lock-outs from before hold,
 * and the heap stays small. {@code -Dit.flood.clients=1000000} is the long one.
 */
@Tag("long")
@Tag("flood")
@Timeout(600)
class FailingClientsIT {

    private static final int CLIENTS = Integer.getInteger("it.flood.clients", 40_000);
    private static final int LOCKED_OUT = 100;
    private static final int FAILURES = 20;
    private static final long LOCKOUT_SECONDS = 1_200;
    private static final int CONNECTIONS = 4;
    private static final int WARM_UP = 200;
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    /** As many as Tomcat answers on one connection. */
    private static final int PIPELINED = 100;

    private static final String PROXY = "127.0.0.2";
    private static final String WRONG = "c4nary";
    private static final Pattern UNAUTHORIZED = Pattern.compile("HTTP/1\\.1 401 ");
    private static final Pattern RETRY_AFTER = Pattern.compile("(?m)^Retry-After: (\\d+)");

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private URI node;

    @Test
    void lockOutsHoldAndTheHeapStaysSmallWhileManyOthersFail() throws Exception {
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "throttle: {failures: " + FAILURES + ", lockoutSeconds: " + LOCKOUT_SECONDS + "}"),
                        "server: {trustedProxies: [" + PROXY + "]}")
                .environment("JDK_JAVA_OPTIONS", "-Xmx256m")
                .start();
        node = postern.base();
        for (int i = 0; i < WARM_UP; i++) {
            WakeProbe.wake(node);
        }
        long heapBefore = LiveHeap.bytes(postern);
        long lockedOutAt = System.nanoTime();
        for (int i = 0; i < LOCKED_OUT; i++) {
            assertThat(unauthorized(send(failure(lockedOut(i)).repeat(FAILURES - 1) + lastFailure(lockedOut(i)))))
                    .isEqualTo(FAILURES);
        }
        long began = System.nanoTime();

        failOnce();

        Duration took = Duration.ofNanos(System.nanoTime() - began);
        long grown = LiveHeap.bytes(postern) - heapBefore;
        for (int i = 0; i < LOCKED_OUT; i++) {
            RawExchange refused = send(lastFailure(lockedOut(i)));
            assertThat(refused.status()).as("client %d: %s", i, refused).isEqualTo(429);
            assertThat(retryAfter(refused))
                    .isBetween(
                            LOCKOUT_SECONDS - secondsSince(lockedOutAt) - 1, LOCKOUT_SECONDS - secondsSince(began) + 1);
        }
        assertThat(send(request("203.0.113.9", HomeFixture.TOKEN, "Connection: close\r\n", "{\"text\":\"a\"}"))
                        .status())
                .as("a fresh client with the right token")
                .isEqualTo(200);
        assertThat(grown).as("what the heap has grown by").isLessThan(MOST_BYTES);
        assertThat(postern.log()).doesNotContain("OutOfMemoryError");
        String figures = String.format(
                "%d failing clients in %d s: the heap grew by %d MiB, %d earlier lock-outs held",
                CLIENTS, took.toSeconds(), LiveHeap.mebibytes(grown), LOCKED_OUT);
        System.out.println(figures);
        ProofReport.add("flood", figures);
    }

    /** Sends one failure of each client. */
    private void failOnce() throws Exception {
        ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> batches = new ArrayList<>();
            for (int first = 0; first < CLIENTS; first += PIPELINED) {
                int start = first;
                batches.add(senders.submit(() -> {
                    String requests = IntStream.range(start, start + PIPELINED - 1)
                            .mapToObj(i -> failure(client(i)))
                            .collect(Collectors.joining());
                    RawExchange answers = send(requests + lastFailure(client(start + PIPELINED - 1)));
                    assertThat(unauthorized(answers)).isEqualTo(PIPELINED);
                    return null;
                }));
            }
            for (Future<?> batch : batches) {
                batch.get();
            }
        } finally {
            senders.shutdownNow();
        }
    }

    private RawExchange send(String requests) throws IOException {
        return RawExchange.with(node, PROXY, requests);
    }

    private static String client(int number) {
        return "20." + (number >> 16 & 0xff) + "." + (number >> 8 & 0xff) + "." + (number & 0xff);
    }

    private static String lockedOut(int number) {
        return "198.51.100." + number;
    }

    private static String failure(String client) {
        return request(client, WRONG, "", "");
    }

    private static String lastFailure(String client) {
        return request(client, WRONG, "Connection: close\r\n", "");
    }

    private static String request(String client, String token, String header, String body) {
        return "POST /hooks/wake HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + client
                + "\r\nAuthorization: Bearer " + token + "\r\n" + header + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static long unauthorized(RawExchange answers) {
        return UNAUTHORIZED.matcher(answers.answer()).results().count();
    }

    private static long retryAfter(RawExchange refused) {
        Matcher seconds = RETRY_AFTER.matcher(refused.answer());
        return seconds.find() ? Long.parseLong(seconds.group(1)) : -1;
    }

    private static long secondsSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toSeconds();
    }
}

package dev.postern.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.model.Secret;
import dev.postern.net.OAuthTokenCache.Result;
import dev.postern.net.OAuthTokenCache.Result.Denied;
import dev.postern.net.OAuthTokenCache.Result.Granted;
import dev.postern.net.OAuthTokenCache.Result.NoResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OAuthTokenCacheTest {

    private static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");
    private static final Duration AMPLE = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpConnections connections = new HttpConnections(threads);
    private final List<String> requests = new ArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private HttpServer service;
    private Instant now = NOW;
    private int status = 200;
    private String body = "{\"access_token\":\"one\",\"expires_in\":3600}";
    private boolean slow;
    private boolean stalls;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/", this::answer);
        service.start();
    }

    @AfterEach
    void stop() {
        release.countDown();
        service.stop(0);
        connections.close();
        threads.shutdownNow();
    }

    @Test
    void givesUpOnABodyThatNeverEnds() {
        stalls = true;

        assertThat(tokens(Duration.ofMillis(300)).current())
                .isInstanceOfSatisfying(
                        NoResponse.class, none -> assertThat(none.cause()).isInstanceOf(HttpTimeoutException.class));
    }

    @Test
    void saysThatNobodyAnswers() {
        service.stop(0);

        assertThat(tokens(AMPLE).current()).isInstanceOf(NoResponse.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{\"error\":\"invalid_grant\"}|false",
                "401|{}|false",
                "200|{\"access_token\":null}|false",
                "503|{\"error\":\"temporarily_unavailable\"}|true",
                "429|{}|true",
                "200|<html>|true",
                "404|<html>|true"
            })
    void tellsARefusalFromAnOutage(int status, String body, boolean outage) {
        this.status = status;
        this.body = body;
        OAuthTokenCache tokens = tokens(AMPLE);

        assertThat(tokens.current()).isInstanceOfSatisfying(Denied.class, denied -> assertThat(denied.isOutage())
                .isEqualTo(outage));
        assertThat(tokens.isFresh()).isFalse();
    }

    @Test
    void takesNoBodyWithoutEnd() {
        body = "{\"access_token\":\"one\",\"more\":\"" + "x".repeat(100_000) + "\"}";

        assertThat(tokens(AMPLE).current()).isInstanceOf(Denied.class);
    }

    @Test
    void sharesOneResultAmongThreadsThatWait() throws Exception {
        status = 400;
        slow = true;
        OAuthTokenCache tokens = tokens(AMPLE);
        List<Thread> askers = new ArrayList<>();
        List<CompletableFuture<Result>> results = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Result> result = new CompletableFuture<>();
            results.add(result);
            askers.add(new Thread(() -> result.complete(tokens.current())));
        }
        askers.forEach(Thread::start);
        await().atMost(AMPLE).until(() -> askers.stream()
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.BLOCKED || state == Thread.State.TIMED_WAITING));
        release.countDown();

        for (CompletableFuture<Result> result : results) {
            assertThat(result.join()).isInstanceOf(Denied.class);
        }
        assertThat(requests).hasSize(1);
        assertThat(tokens.current()).isInstanceOf(Denied.class);
        assertThat(requests).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"3600,3300", "100,90", "1000000,86100"})
    void usesATokenUntilShortlyBeforeItsEnd(long lasting, long used) {
        body = "{\"access_token\":\"one\",\"expires_in\":" + lasting + "}";
        OAuthTokenCache tokens = tokens(AMPLE);

        assertThat(tokens.current()).isEqualTo(granted("one", null));
        now = NOW.plusSeconds(used - 1);
        assertThat(tokens.current()).isEqualTo(granted("one", null));
        assertThat(requests).hasSize(1);
        now = NOW.plusSeconds(used);
        assertThat(tokens.isFresh()).isFalse();
        assertThat(tokens.current()).isEqualTo(granted("one", null));
        assertThat(requests).hasSize(2);
    }

    @Test
    void requestsNewTokenAfterOneWasRefused() {
        OAuthTokenCache tokens = tokens(AMPLE);
        assertThat(tokens.current()).isEqualTo(granted("one", null));
        body = "{\"access_token\":\"two\"}";
        tokens.forget();

        assertThat(tokens.current()).isEqualTo(granted("two", null));
        assertThat(tokens.isFresh()).isTrue();
    }

    @Test
    void tellsOfAnotherRefreshTokenOnce() {
        body = "{\"access_token\":\"one\",\"refresh_token\":\"next\"}";
        OAuthTokenCache tokens = tokens(AMPLE);

        assertThat(tokens.current()).isEqualTo(granted("one", new Secret("next")));
        assertThat(tokens.current()).isEqualTo(granted("one", null));
        assertThat(requests).containsExactly("grant_type=refresh_token&client_id=a+b%26c");
    }

    @Test
    void showsNoToken() {
        body = "{\"access_token\":\"one\",\"refresh_token\":\"next\"}";
        assertThat(tokens(AMPLE).current().toString()).doesNotContain("one", "next");
        status = 403;
        assertThat(tokens(AMPLE).current().toString()).doesNotContain("one", "next");
    }

    private static Granted granted(String token, @Nullable Secret refreshToken) {
        return new Granted(new Secret(token), refreshToken);
    }

    private OAuthTokenCache tokens(Duration timeout) {
        URI address = URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/token");
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "refresh_token");
        fields.put("client_id", "a b&c");
        return new OAuthTokenCache(connections, () -> now, timeout, () -> OAuthTokenCache.request(address, fields)
                .build());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            synchronized (requests) {
                requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            if (slow) {
                awaitRelease();
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            if (stalls) {
                exchange.getResponseBody().flush();
                awaitRelease();
            }
            exchange.getResponseBody().write(bytes);
        }
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

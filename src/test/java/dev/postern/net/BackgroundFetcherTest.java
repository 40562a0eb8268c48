package dev.postern.net;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.okForContentType;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.net.BackgroundFetcher.Fetched;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of documents that are fetched behind their callers. */
class BackgroundFetcherTest {

    @RegisterExtension
    static final WireMockExtension SERVICE = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    private final AtomicLong nanos = new AtomicLong();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final HttpConnections connections = new HttpConnections(executor);
    private final BackgroundFetcher fetcher = new BackgroundFetcher(connections, nanos::get);

    @AfterEach
    void end() {
        connections.close();
        executor.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void triesAgainASecondAfterAnOutage(int status) {
        SERVICE.stubFor(get("/a").willReturn(aResponse().withStatus(status)));
        assertThat(fetch(address("/a"))).isEmpty();
        awaitRequests(1, "/a");

        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "there")));
        for (int call = 0; call < 100; call++) {
            assertThat(fetch(address("/a"))).as("within the same second").isEmpty();
        }
        awaitFetchedAsTimePasses("/a");
    }

    @Test
    void triesAgainAfterABrokenConnection() {
        SERVICE.stubFor(get("/a").willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
        assertThat(fetch(address("/a"))).isEmpty();
        await().until(() -> !SERVICE.findAll(getRequestedFor(urlEqualTo("/a"))).isEmpty());

        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "there")));
        awaitFetchedAsTimePasses("/a");
    }

    @Test
    void keepsAClientErrorForAMinute() {
        SERVICE.stubFor(get("/a").willReturn(aResponse().withStatus(404)));
        fetch(address("/a"));
        await().until(() -> fetch(address("/a")).isPresent());
        assertThat(fetch(address("/a")).orElseThrow().isGood()).isFalse();

        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "there")));
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(fetch(address("/a")).orElseThrow().status()).isEqualTo(404);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        awaitFetched("/a");
    }

    @Test
    void makesOneRequestForManyCallers() {
        SERVICE.stubFor(
                get("/slow").willReturn(okForContentType("text/plain", "there").withFixedDelay(300)));
        for (int call = 0; call < 100; call++) {
            assertThat(fetch(address("/slow"))).isEmpty();
            assertThat(fetch(address("/another"))).isEmpty();
        }
        awaitFetched("/slow");

        assertThat(SERVICE.findAll(getRequestedFor(urlEqualTo("/slow")))).hasSize(1);
        assertThat(SERVICE.findAll(getRequestedFor(urlEqualTo("/another")))).isEmpty();
    }

    @Test
    void goesOnWithAnotherAddressWhenOneNeverAnswers() {
        SERVICE.stubFor(get("/never").willReturn(aResponse().withFixedDelay(60_000)));
        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "there")));
        fetch(address("/never"));
        awaitRequests(1, "/never");

        nanos.addAndGet(Duration.ofSeconds(16).toNanos());
        awaitFetchedAsTimePasses("/a");
    }

    @Test
    void keepsGoodResponsesBesideAnyNumberOfOthers() {
        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "there")));
        SERVICE.stubFor(get(urlMatching("/missing/.*")).willReturn(aResponse().withStatus(403)));
        awaitFetched("/a");
        for (int number = 0; number < 70; number++) {
            URI missing = address("/missing/" + number);
            nanos.addAndGet(Duration.ofMillis(1_001).toNanos());
            await().until(() -> fetch(missing).isPresent());
        }

        assertThat(fetch(address("/a")).map(BackgroundFetcherTest::text)).contains("there");
        assertThat(SERVICE.findAll(getRequestedFor(urlEqualTo("/a")))).hasSize(1);
    }

    @Test
    void readsNoLongDocument() {
        SERVICE.stubFor(get("/a").willReturn(okForContentType("text/plain", "x".repeat(65_537))));
        fetch(address("/a"));
        await().until(() -> fetch(address("/a")).isPresent());

        assertThat(fetch(address("/a")).orElseThrow().body()).isEmpty();
    }

    private Optional<Fetched> fetch(URI address) {
        Optional<Fetched> fetched = fetcher.find(address);
        if (fetched.isEmpty()) {
            fetcher.request(address);
        }
        return fetched;
    }

    private void awaitFetched(String path) {
        await().untilAsserted(() -> assertThat(fetch(address(path)).map(BackgroundFetcherTest::text))
                .contains("there"));
    }

    private void awaitFetchedAsTimePasses(String path) {
        await().untilAsserted(() -> {
            nanos.addAndGet(Duration.ofMillis(1_001).toNanos());
            assertThat(fetch(address(path)).map(BackgroundFetcherTest::text)).contains("there");
        });
    }

    private static void awaitRequests(int count, String path) {
        await().untilAsserted(() ->
                assertThat(SERVICE.findAll(getRequestedFor(urlEqualTo(path)))).hasSize(count));
    }

    private static String text(Fetched fetched) {
        return new String(fetched.body(), StandardCharsets.UTF_8);
    }

    private static URI address(String path) {
        return URI.create(SERVICE.baseUrl() + path);
    }
}

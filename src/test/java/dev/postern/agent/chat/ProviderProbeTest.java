package dev.postern.agent.chat;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.postern.agent.TurnCancellation;
import dev.postern.net.JsonValueLimit;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the permission to probe a provider that was down: each way out of a request gives it back. */
class ProviderProbeTest extends StubServer {

    private final TurnCancellation turnCancellation = new TurnCancellation(System::nanoTime, Duration.ofSeconds(30));

    @Override
    String kind() {
        return "openai";
    }

    @Override
    String prefix() {
        return "/v1";
    }

    static Stream<Named<ResponseDefinitionBuilder>> responses() {
        return Stream.of(
                Named.of("none, as the connection breaks", aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)),
                Named.of("an error of the server", error(500, "{}")),
                Named.of("a longer pause than the turn has", error(429, "{}").withHeader("Retry-After", "600")),
                Named.of("a refusal", error(401, "{}")),
                Named.of("a redirect", error(302, "").withHeader("Location", "/elsewhere")),
                Named.of("a body that is too long", ok(" ".repeat(ProviderExchange.MAX_BYTES + 1))),
                Named.of("too many values", ok("[" + "1,".repeat(JsonValueLimit.MAX_VALUES) + "1]")),
                Named.of("no completion", ok("{}")));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void endsWithItsResponse(ResponseDefinitionBuilder response) {
        answers(response);

        assertThat(turn().takeAsProbe(turnCancellation)).isTrue();
        assertThat(requests()).hasSize(1);
    }

    @Test
    void endsWithItsTurn() throws IOException {
        assertThat(probe(() -> turnCancellation.cancel("An operator has cancelled it."), turnCancellation))
                .isTrue();
    }

    @Test
    void endsWithTheTimeOfItsTurn() throws IOException {
        ManualDeadline deadline = new ManualDeadline();

        assertThat(probe(deadline::reach, deadline.turnCancellation())).isTrue();
    }

    @Test
    void endsWithItsThread() throws IOException {
        assertThat(probe(Thread.currentThread()::interrupt, turnCancellation)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void endsWithoutASecureConnection() {
        assertThat(new ChatTurnFixture("openai", server.baseUrl().replace("http:", "https:"))
                        .takeAsProbe(turnCancellation))
                .isTrue();
    }

    /** The result of a probe that gets no response, where {@code asked} comes after its request. */
    private static boolean probe(Runnable asked, TurnCancellation turnCancellation) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Socket connection = silent.accept()) {
                    assertThat(connection.getInputStream().read()).isGreaterThan(0);
                    asked.run();
                    connection.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            boolean ended = new ChatTurnFixture("openai", "http://127.0.0.1:" + silent.getLocalPort() + "/v1")
                    .takeAsProbe(turnCancellation);
            boolean isServed = served.handle((done, reset) -> true).join();
            assertThat(isServed).isTrue();
            return ended;
        }
    }
}

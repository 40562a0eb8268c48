package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnResult.TimedOut;
import dev.postern.net.RefusingProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the connection's end. */
class ProviderHttpClientTest {

    /** Descriptions of alerts (RFC 8446, section 6). */
    private static final int CLOSE_NOTIFY = 0;

    private static final int HANDSHAKE_FAILURE = 40;

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void closesAConnectionThatNoAnswerComesFrom() throws Exception {
        ManualDeadline deadline = new ManualDeadline();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> drip("", deadline::reach));
        ChatTurnFixture turn = turn();

        assertThat(turn.take(deadline.turnCancellation()))
                .isEqualTo(down("the provider sent nothing within 0 s; check the provider, or providers.mine.baseUrl"));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(20));
        assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void closesAConnectionWhoseAnswerNeverEnds() throws Exception {
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> drip("HTTP/1.1 200 OK\r\n\r\n", () -> {}));
        ChatTurnFixture turn = turn().timeout(Duration.ofSeconds(2));

        assertThat(turn.take()).isEqualTo(new TimedOut());
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(20));
        assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void triesAgainWhereTheConnectionIsLost() {
        var unused = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 5; i++) {
                hangUp();
            }
        });

        assertThat(turn().take()).isEqualTo(lost());
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        ChatTurnFixture turn = turn();
        server.close();

        assertThat(turn.take())
                .isEqualTo(down("the provider can't be connected to (tries: 5); check providers.mine.baseUrl"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"407 Proxy Authentication Required", "503 Service Unavailable"})
    void triesAgainWhereAProxyOpensNoConnection(String status) throws IOException {
        try (RefusingProxy proxy = RefusingProxy.start(status)) {
            assertThat(new ChatTurnFixture("openai", "https://models.example/v1").take())
                    .isEqualTo(down("the provider can't be connected to: the proxy answered " + status.substring(0, 3)
                            + " (tries: 5); check the JVM's https.proxyHost, or providers.mine.baseUrl"));
            assertThat(proxy.requests()).hasSize(5);
        }
    }

    @Test
    void saysThatAHostIsNotKnown() {
        assertThat(new ChatTurnFixture("openai", "http://nobody.invalid/v1").take())
                .isEqualTo(down("the provider's host is not known (tries: 5); check providers.mine.baseUrl"));
    }

    @Test
    void saysThatAServerSpeaksNoTls() {
        var unused = CompletableFuture.runAsync(this::answerInTheClear);

        assertThat(secureTurn().take()).isEqualTo(notSecured());
    }

    @Test
    void triesAgainWhereAHandshakeIsNotAnswered() {
        serve(connection -> {});

        assertThat(secureTurn().take()).isInstanceOf(ProviderDown.class);
    }

    @Test
    void triesAgainWhereAHandshakeIsBrokenOff() {
        serve(connection -> readHello(connection));

        assertThat(secureTurn().take()).isEqualTo(lost());
    }

    @Test
    void triesAgainWhereAHandshakeIsReset() {
        serve(connection -> {
            readHello(connection);
            connection.setSoLinger(true, 0);
        });

        assertThat(secureTurn().take()).isEqualTo(lost());
    }

    @Test
    void triesAgainWhereAHandshakeEndsWithinARecord() {
        serve(connection -> answerHello(connection, 0x16, 3, 3, 0, 0x7a, 2, 0));

        assertThat(secureTurn().take()).isEqualTo(lost());
    }

    @Test
    void triesAgainWhereAServerClosesDuringTheHandshake() {
        serve(connection -> answerHello(connection, 0x15, 3, 3, 0, 2, 1, CLOSE_NOTIFY));

        assertThat(secureTurn().take()).isEqualTo(lost());
    }

    @Test
    void saysThatAServerRefusesTheHandshake() {
        serve(connection -> answerHello(connection, 0x15, 3, 3, 0, 2, 2, HANDSHAKE_FAILURE));

        assertThat(secureTurn().take()).isEqualTo(notSecured());
    }

    @Test
    void saysThatACertificateIsNotTrusted() {
        WireMockServer selfSigned = new WireMockServer(WireMockConfiguration.options()
                .dynamicPort()
                .dynamicHttpsPort()
                .bindAddress("127.0.0.1")
                .jettyStopTimeout(1L));
        selfSigned.start();
        try {
            assertThat(new ChatTurnFixture("openai", "https://127.0.0.1:" + selfSigned.httpsPort() + "/v1").take())
                    .isEqualTo(notSecured());
        } finally {
            selfSigned.stop();
        }
    }

    private ChatTurnFixture secureTurn() {
        return new ChatTurnFixture("openai", "https://127.0.0.1:" + server.getLocalPort() + "/v1");
    }

    private static ProviderDown lost() {
        return down("the connection to the provider broke before the whole answer was there (tries: 5); check"
                + " providers.mine.baseUrl");
    }

    private static Failed notSecured() {
        return failed("the connection to the provider can't be secured (tries: 1); check providers.mine.baseUrl and the"
                + " server's certificate");
    }

    private ChatTurnFixture turn() {
        return new ChatTurnFixture("openai", "http://127.0.0.1:" + server.getLocalPort() + "/v1");
    }

    private static ProviderDown down(String how) {
        return new ProviderDown("model mine/large (kind openai): " + how, Duration.ZERO);
    }

    private static Failed failed(String how) {
        return new Failed("model mine/large (kind openai): " + how);
    }

    /** Sends {@code head}, and then blanks until the other side closes the connection. */
    private void drip(String head, Runnable asked) {
        try (Socket connection = server.accept()) {
            connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            InputStream in = connection.getInputStream();
            boolean open = in.read() >= 0;
            asked.run();
            connection.setSoTimeout(20);
            while (open) {
                try {
                    open = in.read() >= 0;
                } catch (SocketTimeoutException nothing) {
                    if (!head.isEmpty()) {
                        connection.getOutputStream().write(' ');
                    }
                }
            }
        } catch (IOException reset) {
            // Closed, too.
        }
    }

    /** Responds that it does not understand the request, and waits for the end. */
    private void answerInTheClear() {
        try (Socket connection = server.accept()) {
            InputStream in = connection.getInputStream();
            assertThat(in.read(new byte[16 * 1024])).isGreaterThan(0);
            connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Serves each connection by {@code service} and closes it, until the server is closed. */
    private void serve(Service service) {
        var unused = CompletableFuture.runAsync(() -> {
            while (!server.isClosed()) {
                try (Socket connection = server.accept()) {
                    service.serve(connection);
                } catch (IOException closed) {
                    // By the client, or by the end of the test.
                }
            }
        });
    }

    /** A server's part in one connection. */
    private interface Service {
        void serve(Socket connection) throws IOException;
    }

    private static void readHello(Socket connection) throws IOException {
        assertThat(connection.getInputStream().read(new byte[16 * 1024])).isGreaterThan(0);
    }

    /** Sends {@code bytes}, parts of TLS records (RFC 8446, section 5.1), after the client's first message. */
    private static void answerHello(Socket connection, int... bytes) throws IOException {
        readHello(connection);
        for (int b : bytes) {
            connection.getOutputStream().write(b);
        }
    }

    private void hangUp() {
        try (Socket connection = server.accept()) {
            assertThat(connection.getInputStream().read()).isGreaterThan(0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

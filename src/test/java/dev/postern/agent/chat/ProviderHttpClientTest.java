package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnResult.TimedOut;
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

/** Tests of the connection's end. */
class ProviderHttpClientTest {

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
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> drip(""));
        ChatTurnFixture turn = turn().timeout(Duration.ofMillis(300));

        assertThat(turn.take())
                .isEqualTo(down("the provider sent nothing within 0 s; check the provider, or providers.mine.baseUrl"));
        assertThat(turn.took()).isLessThan(Duration.ofSeconds(20));
        assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void closesAConnectionWhoseAnswerNeverEnds() throws Exception {
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> drip("HTTP/1.1 200 OK\r\n\r\n"));
        ChatTurnFixture turn = turn().timeout(Duration.ofMillis(300));

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

        assertThat(turn().take())
                .isEqualTo(down("the connection to the provider broke before the whole answer was there (tries: 5);"
                        + " check providers.mine.baseUrl"));
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        ChatTurnFixture turn = turn();
        server.close();

        assertThat(turn.take())
                .isEqualTo(down("the provider can't be connected to (tries: 5); check providers.mine.baseUrl"));
    }

    @Test
    void saysThatAHostIsNotKnown() {
        assertThat(new ChatTurnFixture("openai", "http://nobody.invalid/v1").take())
                .isEqualTo(down("the provider's host is not known (tries: 5); check providers.mine.baseUrl"));
    }

    @Test
    void saysThatAServerSpeaksNoTls() {
        var unused = CompletableFuture.runAsync(this::answerInTheClear);

        assertThat(new ChatTurnFixture("openai", "https://127.0.0.1:" + server.getLocalPort() + "/v1").take())
                .isEqualTo(failed("the connection to the provider can't be secured (tries: 1); check"
                        + " providers.mine.baseUrl and the server's certificate"));
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
    private void drip(String head) {
        try (Socket connection = server.accept()) {
            connection.setSoTimeout(20);
            connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            InputStream in = connection.getInputStream();
            boolean open = true;
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

    private void hangUp() {
        try (Socket connection = server.accept()) {
            assertThat(connection.getInputStream().read()).isGreaterThan(0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

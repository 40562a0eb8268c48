package dev.postern.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.postern.DescriptorShortage;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the client's replacement. */
class HttpConnectionsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean outOfMemory = new AtomicBoolean();
    private final List<Integer> clientPorts = new CopyOnWriteArrayList<>();
    private final CountDownLatch slowAsked = new CountDownLatch(1);
    private final CountDownLatch slowResponds = new CountDownLatch(1);
    private final HttpConnections connections = new HttpConnections(work -> {
        if (outOfMemory.get() && Thread.currentThread().getName().endsWith("-SelectorManager")) {
            throw new OutOfMemoryError("of a test");
        }
        threads.execute(work);
    });
    private HttpServer server;
    private ServerSocket mute;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/fast", exchange -> {
            clientPorts.add(exchange.getRemoteAddress().getPort());
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[2]);
            exchange.close();
        });
        server.createContext("/slow", exchange -> {
            slowAsked.countDown();
            try {
                assertThat(slowResponds.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        server.start();
        mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        connections.close();
        server.stop(0);
        mute.close();
        threads.shutdown();
    }

    @Test
    void recoversFromTheEndOfTheClientsThread() throws Exception {
        assertThat(status("/fast", LONG)).isEqualTo(200);
        outOfMemory.set(true);
        assertThatThrownBy(() -> status("/slow", Duration.ofMillis(300))).isInstanceOf(IOException.class);
        outOfMemory.set(false);

        assertThat(status("/fast", LONG)).isEqualTo(200);
    }

    @Test
    void finishesRequestsOfTheEarlierClient() throws Exception {
        CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> statusUnchecked("/slow"), threads);
        assertThat(slowAsked.await(30, TimeUnit.SECONDS)).isTrue();
        timeOutOnMuteServer(Duration.ofSeconds(1));
        assertThat(status("/fast", LONG)).isEqualTo(200);
        slowResponds.countDown();

        assertThat(slow).succeedsWithin(LONG).isEqualTo(202);
    }

    @Test
    void keepsTheClientWhileOthersGetResponses() throws Exception {
        assertThat(status("/fast", LONG)).isEqualTo(200);
        CompletableFuture<Void> silent =
                CompletableFuture.runAsync(() -> timeOutOnMuteServer(Duration.ofSeconds(5)), threads);
        mute.accept();
        assertThat(status("/fast", LONG)).isEqualTo(200);
        assertThat(silent).succeedsWithin(LONG);
        assertThat(status("/fast", LONG)).isEqualTo(200);

        assertThat(clientPorts).hasSize(3).containsOnly(clientPorts.get(0));
    }

    @Test
    void saysThatNothingWasSentWithoutAFreeFileDescriptor(@TempDir Path directory) throws Exception {
        assertThat(DescriptorShortage.output(
                        Program.class, directory, url("/fast").toString()))
                .isEqualTo("java.net.ConnectException\njava.net.ConnectException\n200\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway"})
    void saysThatNothingWasSentWhereTheProxyOpensNoConnection(String status) throws Exception {
        try (RefusingProxy proxy = RefusingProxy.start(status)) {
            assertThatThrownBy(() -> status(URI.create("https://service.example/x"), LONG))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("the proxy answered " + status.substring(0, 3));
            assertThat(proxy.requests()).hasSize(1).first().asString().startsWith("CONNECT service.example:443 ");
        }
    }

    @Test
    void saysThatTheProxyHasNotForwardedAPlainRequest() throws Exception {
        try (RefusingProxy proxy = RefusingProxy.start("407 Proxy Authentication Required")) {
            assertThatThrownBy(() -> status(URI.create("http://service.example/x"), LONG))
                    .isInstanceOf(ConnectException.class);
            assertThat(proxy.requests()).hasSize(1).first().asString().startsWith("GET http://service.example/x ");
        }
    }

    /** A program that asks the address in its argument while it has no free file descriptor, and after that. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(arguments[0])).build();
            ExecutorService threads = Executors.newCachedThreadPool();
            HttpConnections connections = new HttpConnections(threads);
            URI unused = URI.create("http://127.0.0.1:1");
            ask(connections, HttpRequest.newBuilder(unused).build()); // loads the classes, which takes file descriptors
            List<Closeable> files = DescriptorShortage.begin();
            ask(connections, request);
            DescriptorShortage.end(files);
            ask(connections, request);
            threads.shutdown();
        }

        private static void ask(HttpConnections connections, HttpRequest request) throws InterruptedException {
            try {
                System.out.println(connections.exchange(request, 1_000, LONG).statusCode());
            } catch (IOException e) {
                System.out.println(e.getClass().getName());
            }
        }
    }

    private void timeOutOnMuteServer(Duration timeout) {
        URI address = URI.create("http://127.0.0.1:" + mute.getLocalPort());
        assertThatThrownBy(() -> status(address, timeout)).isInstanceOf(HttpTimeoutException.class);
    }

    private int statusUnchecked(String path) {
        try {
            return status(path, LONG);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int status(String path, Duration timeout) throws IOException, InterruptedException {
        return status(url(path), timeout);
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private int status(URI address, Duration timeout) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).version(Version.HTTP_1_1).build();
        return connections.exchange(request, 1_000, timeout).statusCode();
    }
}

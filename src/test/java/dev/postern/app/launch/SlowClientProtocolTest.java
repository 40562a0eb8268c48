package dev.postern.app.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowClientProtocolTest {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String THREADS = "2";
    private static final int LONGEST_MILLIS = 20_000;
    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "4e20\r\n" + "x".repeat(20_000) + "\r\n0\r\n\r\n";
    private static final String BEGUN = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

    @TempDir
    Path directory;

    private final Tomcat tomcat = new Tomcat();
    private final List<Socket> clients = new ArrayList<>();
    private final CompletableFuture<IOException> failure = new CompletableFuture<>();

    @AfterEach
    void stop() throws IOException, LifecycleException {
        for (Socket client : clients) {
            client.close();
        }
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void givesUpTheHeadThatIsSilentLongestIfThereAreTooMany() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 1), "ok");
        Socket one = begin();
        Socket other = begin();
        await().until(() -> isGivenUp(one) || isGivenUp(other));
        Socket silentLongest = isGivenUp(one) ? other : one;

        Socket last = begin();

        await().until(() -> isGivenUp(silentLongest));
        send(last, "x\r\nConnection: close\r\n\r\n");
        assertThat(new String(last.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 200");
    }

    @Test
    void givesUpAHeadThatTakesTooLongThoughItIsNeverSilent() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, SHORT, 2), "ok");
        Socket slow = begin();

        await().until(() -> {
            send(slow, "x");
            return isGivenUp(slow);
        });
    }

    @Test
    void givesUpAResponseThatIsNotRead() throws Exception {
        start(new SlowClientProtocol.Limits(SHORT, LONG, LONG, 2), "x".repeat(50_000_000));

        send(connect(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(failure.get(LONGEST_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
    }

    @Test
    void givesUpAResponseSoonerWhileHalfOfTheThreadsAreInUse() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, SHORT, LONG, 2), "x".repeat(50_000_000));

        send(connect(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        send(connect(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(failure.get(LONGEST_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
    }

    @Test
    void answersAClientThatSendsNothingMoreAfterAChunkedBody() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 2), "");
        Socket client = connect();

        send(client, CHUNKED);
        client.shutdownOutput();

        assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                .startsWith("HTTP/1.1 200")
                .endsWith("20000 bytes");
    }

    /** A {@code |} ends a line. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1|Host: localhost|Content-Length: 5",
                "GET / HTTP/1.1|Host: localhost|Transfer-Encoding: chunked",
                "GET / HTTP/1.0|Content-Length: 5|Expect: 100-continue",
                "TRACE / HTTP/1.1|Host: localhost|Content-Length: 5",
                "OPTIONS * HTTP/1.1|Host: localhost|Content-Length: 5",
                "GET /%2f HTTP/1.1|Host: localhost|Content-Length: 5",
                "GET /WEB-INF/ HTTP/1.1|Host: localhost|Transfer-Encoding: chunked"
            })
    void letsNoThreadWaitForABodyThatIsNotRead(String head) throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 2), "ok");
        for (String ignored : new String[] {"one", "other"}) {
            send(connect(), head.replace("|", "\r\n") + "\r\n\r\n");
        }
        Socket client = connect();

        send(client, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(allOf(client)).startsWith("HTTP/1.1 200");
        assertThat(allOf(clients.get(0))).startsWith("HTTP/1.1 ");
    }

    @Test
    void readsNoRequestFromABodyThatIsNotRead() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 2), "ok");
        Socket client = connect();
        String hidden = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

        send(client, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + hidden);

        assertThat(allOf(client)).containsOnlyOnce("HTTP/1.1 ");
    }

    @Test
    void asksForABodyThatIsRead() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 2), "");
        Socket client = connect();
        send(client, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        byte[] first = client.getInputStream().readNBytes("HTTP/1.1 100".length());

        send(client, "12345");
        client.shutdownOutput();

        assertThat(new String(first, US_ASCII)).isEqualTo("HTTP/1.1 100");
        assertThat(allOf(client)).contains("HTTP/1.1 200").endsWith("5 bytes");
    }

    @Test
    void doesNotAskForABodyThatIsNotRead() throws Exception {
        start(new SlowClientProtocol.Limits(LONG, LONG, LONG, 2), "ok");
        Socket client = connect();

        send(client, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");

        assertThat(allOf(client)).startsWith("HTTP/1.1 200").doesNotContain("HTTP/1.1 100");
    }

    private static String allOf(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), US_ASCII);
    }

    private void start(SlowClientProtocol.Limits limits, String text) throws LifecycleException {
        Connector connector = new Connector(new SlowClientProtocol(limits));
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("minSpareThreads", THREADS);
        connector.setProperty("maxThreads", THREADS);
        tomcat.setBaseDir(directory.toString());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        Wrapper servlet = Tomcat.addServlet(context, "text", new TextServlet(text.getBytes(US_ASCII)));
        servlet.setAsyncSupported(true);
        servlet.addMapping("/");
        tomcat.start();
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(
                InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
        client.setTcpNoDelay(true);
        client.setSoTimeout(LONGEST_MILLIS);
        clients.add(client);
        return client;
    }

    private Socket begin() throws IOException {
        Socket client = connect();
        send(client, BEGUN);
        return client;
    }

    private static boolean isGivenUp(Socket client) throws IOException {
        client.setSoTimeout(10);
        try {
            return client.getInputStream().read() == -1;
        } catch (SocketTimeoutException nothingYet) {
            return false;
        } finally {
            client.setSoTimeout(LONGEST_MILLIS);
        }
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(US_ASCII));
    }

    /** A servlet that answers with a text, and tells the test if that fails. */
    private final class TextServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final byte[] text;

        TextServlet(byte[] text) {
            this.text = text;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                response.getOutputStream().write(text);
                response.flushBuffer();
            } catch (IOException e) {
                failure.complete(e);
                throw e;
            }
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext exchange = request.startAsync();
            request.getInputStream().setReadListener(new ByteCounter(exchange, request.getInputStream()));
        }
    }

    /** A reader that answers with the number of bytes when it has read them all. */
    private record ByteCounter(AsyncContext exchange, ServletInputStream in, AtomicInteger bytes)
            implements ReadListener {

        ByteCounter(AsyncContext exchange, ServletInputStream in) {
            this(exchange, in, new AtomicInteger());
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] read = new byte[100];
            while (in.isReady()) {
                bytes.addAndGet(Math.max(0, in.read(read)));
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            exchange.getResponse().getOutputStream().print(bytes + " bytes");
            exchange.complete();
        }

        @Override
        public void onError(Throwable broken) {
            exchange.complete();
        }
    }
}

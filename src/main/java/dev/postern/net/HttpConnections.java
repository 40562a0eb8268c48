package dev.postern.net;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to external services: one HTTP client, created when it is first needed. It does not follow redirects, so
 * that a key never reaches a host that is not configured.
 *
 * <p>The client has its own thread. It ends some seconds after the last reference to the client is gone, and can't be ended
 * otherwise before Java 21. The client is created with the platform's class loader, so that until then it does not hold the
 * web application's class loader.
 */
public final class HttpConnections implements AutoCloseable {

    /** The longest time that opening a connection may take. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Executor executor;
    private @Nullable HttpClient client;

    /** Creates connections whose events {@code executor} runs. */
    public HttpConnections(Executor executor) {
        this.executor = executor;
    }

    /** The client, which the caller must not keep. */
    public synchronized HttpClient client() {
        HttpClient made = client == null ? make() : client;
        client = made;
        return made;
    }

    /**
     * Sends {@code request} and returns its response, whose body is limited to {@code maxBytes} bytes, see
     * {@link BoundedBodyHandler}.
     *
     * @param timeout the longest time for the whole exchange
     * @throws java.net.http.HttpTimeoutException if the response is not complete by then
     * @throws IOException if the client fails
     */
    public HttpResponse<Optional<byte[]>> exchange(HttpRequest request, int maxBytes, Duration timeout)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Optional<byte[]>>> exchange =
                client().sendAsync(request, BoundedBodyHandler.of(maxBytes));
        try {
            return exchange.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no whole response in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException(e.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    private HttpClient make() {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor);
        return ContextClassLoader.call(ClassLoader.getPlatformClassLoader(), builder::build);
    }

    @Override
    public synchronized void close() {
        client = null;
    }
}

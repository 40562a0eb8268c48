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
 * The connections to services outside: one HTTP client, made when it is first needed. Redirects are not followed, so that a
 * key never reaches another host than the configured one.
 *
 * <p>The client has a thread of its own that ends some seconds after nobody holds the client any more, and which can't be
 * ended otherwise before Java 21. It is made with the platform's class loader, so that until then it does not hold the web
 * application's.
 */
public final class HttpConnections implements AutoCloseable {

    /** So long a connection may take to come about. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Executor executor;
    private @Nullable HttpClient client;

    /** Connections whose events {@code executor} runs. */
    public HttpConnections(Executor executor) {
        this.executor = executor;
    }

    /** The client, which is not to be kept. */
    public synchronized HttpClient client() {
        HttpClient made = client == null ? make() : client;
        client = made;
        return made;
    }

    /**
     * The response to {@code request}, whose body is read up to {@code maxBytes} as {@link BoundedBodyHandler} says.
     *
     * @param timeout of the whole exchange
     * @throws java.net.http.HttpTimeoutException when there is no whole response by then
     * @throws IOException as the client fails
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
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            return HttpClient.newBuilder()
                    .connectTimeout(CONNECT_TIMEOUT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .executor(executor)
                    .build();
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    @Override
    public synchronized void close() {
        client = null;
    }
}

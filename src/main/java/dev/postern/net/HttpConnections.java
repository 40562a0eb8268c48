package dev.postern.net;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to external services: one HTTP client, created when it is first needed. It does not follow redirects, so
 * that a key never reaches a host that is not configured. A client that may be broken is replaced, see
 * {@link OutboundExchange#giveUp} and {@link OutboundExchange#isRefused}.
 *
 * <p>The client has its own thread. It ends some seconds after the last reference to the client is gone, and can't be ended
 * otherwise before Java 21. The client is created with the platform's class loader, so that until then it does not hold the
 * web application's class loader.
 */
public final class HttpConnections implements AutoCloseable {

    /** The longest time that opening a connection may take. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Executor executor;
    private @Nullable ObservedHttpClient client;

    /** Creates connections whose events {@code executor} runs. */
    public HttpConnections(Executor executor) {
        this.executor = executor;
    }

    /** Sends {@code request}; {@code handler} gets the head of the response. */
    public <T> OutboundExchange<T> send(HttpRequest request, BodyHandler<T> handler) {
        OutboundExchange<T> exchange = new OutboundExchange<>(this, client(), request, handler);
        return exchange.isRefused() ? new OutboundExchange<>(this, client(), request, handler) : exchange;
    }

    /**
     * Sends {@code request} and returns its response, whose body is limited to {@code maxBytes} bytes, see
     * {@link BoundedBodyHandler}.
     *
     * @param timeout the longest time for the whole exchange
     * @throws java.net.http.HttpTimeoutException if the response is not complete by then
     * @throws java.net.ConnectException if no connection could be opened; nothing was sent then
     * @throws IOException if the client fails in another way
     */
    public HttpResponse<Optional<byte[]>> exchange(HttpRequest request, int maxBytes, Duration timeout)
            throws IOException, InterruptedException {
        OutboundExchange<Optional<byte[]>> exchange = send(request, BoundedBodyHandler.of(maxBytes));
        try {
            return exchange.response().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            exchange.giveUp();
            throw new HttpTimeoutException("no whole response in time");
        } catch (ExecutionException e) {
            throw OutboundExchange.fault(e.getCause());
        } finally {
            exchange.end();
        }
    }

    /** Makes later requests use another client than {@code broken}, whose requests may still end. */
    synchronized void replace(ObservedHttpClient broken) {
        if (client == broken) {
            client = null;
        }
    }

    private synchronized ObservedHttpClient client() {
        ObservedHttpClient made = client == null ? new ObservedHttpClient(make()) : client;
        client = made;
        return made;
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

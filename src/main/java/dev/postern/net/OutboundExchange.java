package dev.postern.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An exchange with an external service that {@link HttpConnections#send} has begun. Its owner ends it by {@link #end}, or by
 * {@link #giveUp} if the time for it is over.
 *
 * @param <T> the type of the response's body
 */
public final class OutboundExchange<T> {

    /** How the client says that its thread has ended; it has no type of exception for that. */
    private static final String THREAD_ENDED = "selector manager closed";

    private final HttpConnections connections;
    private final ObservedHttpClient client;
    private final long start = System.nanoTime();
    private final CompletableFuture<HttpResponse<T>> response;

    OutboundExchange(
            HttpConnections connections, ObservedHttpClient client, HttpRequest request, BodyHandler<T> handler) {
        this.connections = connections;
        this.client = client;
        this.response = client.send(request, handler);
    }

    /** The complete response; fails if the client fails. */
    public CompletableFuture<HttpResponse<T>> response() {
        return response;
    }

    /**
     * Whether the client has refused the request before it sent anything, because its own thread has ended. If so, later
     * requests use another client. Older Java versions let such a request wait for ever instead, see {@link #giveUp}.
     */
    boolean isRefused() {
        boolean refused = response.isCompletedExceptionally()
                && response.handle((complete, fault) -> THREAD_ENDED.equals(fault.getMessage()))
                        .join();
        if (refused) {
            connections.replace(client);
        }
        return refused;
    }

    /**
     * The fault of an exchange whose {@link #response} failed because of {@code cause}: a {@link ConnectException} if no
     * connection could be opened, so that nothing was sent.
     */
    public static IOException fault(@Nullable Throwable cause) {
        if (cause instanceof InternalError
                && cause.getCause() instanceof IOException) { // the client's, without a free file descriptor
            ConnectException unconnected = new ConnectException("no socket could be opened");
            unconnected.initCause(cause);
            return unconnected;
        }
        return cause instanceof IOException fault ? fault : new IOException(cause);
    }

    /** Ends the exchange if it is not complete. */
    public void end() {
        response.cancel(true);
    }

    /**
     * Ends the exchange, whose time is over. If its client has got no response to any request meanwhile, later requests use
     * another client, because this one may be broken.
     */
    public void giveUp() {
        end();
        if (client.isSilentSince(start)) {
            connections.replace(client);
        }
    }
}

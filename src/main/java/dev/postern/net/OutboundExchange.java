package dev.postern.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    /** How the client says that a proxy did not connect it to the server, for any status but 407. */
    private static final String NO_TUNNEL = "Tunnel failed, got: ";

    /** The status of a proxy that wants a login (RFC 9110, section 15.5.8); a server has no use for it. */
    private static final int PROXY_LOGIN = 407;

    private final HttpConnections connections;
    private final ObservedHttpClient client;
    private final long start = System.nanoTime();
    private final CompletableFuture<HttpResponse<T>> sent;
    private final CompletableFuture<HttpResponse<T>> response;

    OutboundExchange(
            HttpConnections connections, ObservedHttpClient client, HttpRequest request, BodyHandler<T> handler) {
        this.connections = connections;
        this.client = client;
        this.sent = client.send(request, handler);
        this.response = sent.thenApply(OutboundExchange::ofServer);
    }

    private static <T> HttpResponse<T> ofServer(HttpResponse<T> response) {
        if (response.statusCode() == PROXY_LOGIN) {
            throw new CompletionException(new ProxyException(String.valueOf(PROXY_LOGIN)));
        }
        return response;
    }

    /** The complete response of the server; fails if the client fails, or a proxy. */
    public CompletableFuture<HttpResponse<T>> response() {
        return response;
    }

    /**
     * Whether the client has refused the request before it sent anything, because its own thread has ended. If so, later
     * requests use another client. Older Java versions let such a request wait for ever instead, see {@link #giveUp}.
     */
    boolean isRefused() {
        boolean refused = sent.isCompletedExceptionally()
                && sent.handle((complete, fault) -> THREAD_ENDED.equals(fault.getMessage()))
                        .join();
        if (refused) {
            connections.replace(client);
        }
        return refused;
    }

    /**
     * The fault of an exchange whose {@link #response} failed because of {@code cause}: a {@link ConnectException} if no
     * connection could be opened, so that nothing was sent; a {@link ProxyException} if a proxy opened none.
     */
    public static IOException fault(@Nullable Throwable cause) {
        if (cause instanceof InternalError
                && cause.getCause() instanceof IOException) { // the client's, without a free file descriptor
            ConnectException unconnected = new ConnectException("no socket could be opened");
            unconnected.initCause(cause);
            return unconnected;
        }
        String message = cause == null ? "" : String.valueOf(cause.getMessage());
        if (message.startsWith(NO_TUNNEL)) {
            return new ProxyException(message.substring(NO_TUNNEL.length()));
        }
        return cause instanceof IOException fault ? fault : new IOException(cause);
    }

    /** Ends the exchange if it is not complete. */
    public void end() {
        response.cancel(true);
        sent.cancel(true);
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

package dev.postern.net;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/**
 * An exchange with an external service that {@link HttpConnections#send} has begun. Its owner ends it by {@link #end}, or by
 * {@link #giveUp} if the time for it is over.
 *
 * @param <T> the type of the response's body
 */
public final class OutboundExchange<T> {

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

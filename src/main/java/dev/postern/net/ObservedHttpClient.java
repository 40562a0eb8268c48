package dev.postern.net;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/**
 * An HTTP client that knows when a response last came. Before Java 21 nothing else shows that the client's thread has ended,
 * after which its requests wait for ever.
 */
final class ObservedHttpClient {

    private final HttpClient client;
    private volatile long lastResponse = System.nanoTime();

    ObservedHttpClient(HttpClient client) {
        this.client = client;
    }

    /** Sends {@code request}; {@code handler} gets the head of the response. */
    <T> CompletableFuture<HttpResponse<T>> send(HttpRequest request, BodyHandler<T> handler) {
        return client.sendAsync(request, head -> {
            lastResponse = System.nanoTime();
            return handler.apply(head);
        });
    }

    /** Whether the client has existed since {@code time}, as {@link System#nanoTime}, and has got no response since then. */
    boolean isSilentSince(long time) {
        return lastResponse - time < 0;
    }
}

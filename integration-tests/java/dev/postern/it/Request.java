package dev.postern.it;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A well-formed request on its way to be sent. */
final class Request {

    /** Stands in what tests send and must not stand in an answer. */
    static final String CANARY = "c4nary";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private final HttpRequest.Builder request;

    Request(URI address) {
        this.request = HttpRequest.newBuilder(address).timeout(PATIENCE);
    }

    Request method(String method) {
        return method(method, "");
    }

    Request method(String method, String body) {
        request.method(method, HttpRequest.BodyPublishers.ofString(body));
        return this;
    }

    Request bytes(byte[] body) {
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
        return this;
    }

    Request header(String name, String value) {
        request.header(name, value);
        return this;
    }

    Request bearer(String token) {
        return header("Authorization", "Bearer " + token);
    }

    Answer send() {
        try {
            return answer(
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException());
        }
    }

    /** Sends without waiting for the answer. */
    CompletableFuture<Answer> begin() {
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                .thenApply(Request::answer);
    }

    private static Answer answer(HttpResponse<String> response) {
        return new Answer(response.statusCode(), response.headers().map(), response.body());
    }
}

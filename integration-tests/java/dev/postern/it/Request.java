package dev.postern.it;

import dev.postern.it.openapi.ActualRequest;
import dev.postern.it.openapi.OpenApi;
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

/**
 * A well-formed request on its way to be sent. Its response must be one that the web application's OpenAPI document
 * describes.
 */
final class Request {

    /** Stands in what tests send and must not stand in an answer. */
    static final String CANARY = "c4nary";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private final URI site;
    private final String hooks;
    private final HttpRequest.Builder request;
    private String body = "";

    /**
     * A GET, until something else is said.
     *
     * @param path inside the web application at {@code site}
     * @param hooks the path of its hooks
     */
    Request(URI site, String path, String hooks) {
        this.site = site;
        this.hooks = hooks;
        this.request = HttpRequest.newBuilder(site.resolve(path)).timeout(PATIENCE);
    }

    Request method(String method) {
        return method(method, "");
    }

    Request method(String method, String text) {
        body = text;
        request.method(method, HttpRequest.BodyPublishers.ofString(text));
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

    RawResponse send() {
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
    CompletableFuture<RawResponse> begin() {
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                .thenApply(this::answer);
    }

    private RawResponse answer(HttpResponse<String> response) {
        RawResponse rawResponse =
                new RawResponse(response.statusCode(), response.headers().map(), response.body());
        OpenApi.check(
                ActualRequest.of(response.request().method(), response.uri(), site, hooks)
                        .with(body),
                rawResponse.toActualResponse());
        return rawResponse;
    }
}

package dev.postern.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.postern.model.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cache for the access token that a service grants (RFC 6749). It uses a token until shortly before the token expires.
 * Threads that need a token at the same time share one request and its result.
 */
public final class OAuthTokenCache implements AccessTokenSource {

    /** An access token, or the reason why there is none: exactly one of these. Their text never shows any of a token. */
    public sealed interface Result {

        /**
         * A result with a token.
         *
         * @param refreshToken the refresh token to use from now on; null if the service named none, or the token came from
         *     the cache
         */
        record Granted(Secret token, @Nullable Secret refreshToken) implements Result {}

        /**
         * A result of a response without a token.
         *
         * @param body the parsed body; missing if it is not JSON, or too long
         */
        record Denied(int status, HttpHeaders headers, JsonNode body) implements Result {

            /** Whether this is no refusal: the service, or a proxy that responds in its place, can't decide now. */
            public boolean isOutage() {
                return status == 408 || status == 429 || status >= 500 || body.isMissingNode();
            }

            @Override
            public String toString() {
                return "Denied[" + status + "]";
            }
        }

        /** A result without a response. After an {@link InterruptedException} the thread's interrupt flag is set again. */
        record NoResponse(Exception cause) implements Result {}
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BYTES = 65_536;

    /** The time before a token's expiry at which it is no longer used, at most a tenth of the token's lifetime. */
    private static final long MOST_EARLY_SECONDS = 300;

    private static final long LONGEST_SECONDS = 86_400;

    /** The lifetime of a token whose service names none. */
    private static final long USUAL_SECONDS = 3_600;

    private final HttpConnections connections;
    private final InstantSource clock;
    private final Duration timeout;
    private final Supplier<HttpRequest> request;
    private final UnaryOperator<JsonNode> form;
    private Result.@Nullable Granted kept;
    private Instant until = Instant.MIN;
    private Result last = new Result.NoResponse(new IOException("not asked yet"));
    private volatile int asked;

    /**
     * Creates an empty cache.
     *
     * @param timeout the longest time for a whole exchange
     * @param request creates the request for a token
     */
    public OAuthTokenCache(
            HttpConnections connections, InstantSource clock, Duration timeout, Supplier<HttpRequest> request) {
        this(connections, clock, timeout, request, UnaryOperator.identity());
    }

    /**
     * Creates an empty cache for a service whose responses have another form.
     *
     * @param form gives the body of a good response the names of RFC 6749: {@code access_token}, {@code expires_in}
     */
    public OAuthTokenCache(
            HttpConnections connections,
            InstantSource clock,
            Duration timeout,
            Supplier<HttpRequest> request,
            UnaryOperator<JsonNode> form) {
        this.connections = connections;
        this.clock = clock;
        this.timeout = timeout;
        this.request = request;
        this.form = form;
    }

    /**
     * A request that posts {@code fields} to {@code address}. It uses HTTP/1.1, because Java 17 drops idle HTTP/1.1
     * connections after some time.
     */
    public static HttpRequest.Builder request(URI address, Map<String, String> fields) {
        String form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return HttpRequest.newBuilder(address)
                .version(HttpClient.Version.HTTP_1_1)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(form));
    }

    @Override
    public synchronized void forget() {
        kept = null;
    }

    @Override
    public synchronized boolean isFresh() {
        return kept != null && clock.instant().isBefore(until);
    }

    /** The cached token, else the result of a new request. */
    @Override
    public Result current() {
        int before = asked;
        synchronized (this) {
            if (kept != null && isFresh()) {
                return kept;
            }
            if (asked == before) {
                last = ask();
                asked = before + 1;
            }
            return last;
        }
    }

    private Result ask() {
        kept = null;
        try {
            return result(connections.exchange(request.get(), MAX_BYTES, timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result.NoResponse(e);
        } catch (IOException e) {
            return new Result.NoResponse(e);
        }
    }

    private Result result(HttpResponse<Optional<byte[]>> response) {
        JsonNode given = response.body().map(OAuthTokenCache::json).orElse(MissingNode.getInstance());
        JsonNode body = response.statusCode() / 100 == 2 ? form.apply(given) : given;
        String token = body.path("access_token").asText("");
        if (response.statusCode() / 100 != 2 || token.isEmpty()) {
            return new Result.Denied(response.statusCode(), response.headers(), body);
        }
        String next = body.path("refresh_token").asText("");
        var granted = new Result.Granted(new Secret(token), next.isEmpty() ? null : new Secret(next));
        long lasting = Math.max(0, Math.min(body.path("expires_in").asLong(USUAL_SECONDS), LONGEST_SECONDS));
        until = clock.instant().plusSeconds(lasting - Math.min(MOST_EARLY_SECONDS, lasting / 10));
        kept = new Result.Granted(granted.token(), null);
        return granted;
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }
}

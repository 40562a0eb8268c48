package dev.postern.channel.vendor;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.channel.vendor.HttpResult.Failure;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.channel.vendor.HttpResult.Unsendable;
import dev.postern.channel.vendor.HttpResult.Unsent;
import dev.postern.net.HttpConnections;
import dev.postern.net.JsonValueLimit;
import dev.postern.net.ProxyException;
import dev.postern.net.RetryAfter;
import dev.postern.net.TlsFailures;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that sends each request to a service once and waits for the response. An interrupt of the thread ends the
 * wait and stays set. It uses HTTP/1.1, whose idle connections Java 17 drops after some time, while it keeps those of
 * HTTP/2 until a request is lost on one.
 *
 * @param clock clock for a {@code Retry-After} that is a date
 * @param version Postern's version
 * @param agent value of the header {@code User-Agent}
 * @param timeout time limit of a whole exchange
 */
record VendorHttpClient(
        HttpConnections connections, InstantSource clock, String version, String agent, Duration timeout) {

    /** Limit of a response; some services return the text twice, with six bytes for each character. */
    private static final int MAX_BYTES = 512 * 1024;

    private static final int MAX_LIST_BYTES = 8 * 1024 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Creates a client with the agent {@code Postern} and 30 s for an exchange. */
    VendorHttpClient(HttpConnections connections, InstantSource clock, String version) {
        this(connections, clock, version, "Postern/" + version, Duration.ofSeconds(30));
    }

    /** The same client with another time limit for an exchange. */
    VendorHttpClient withTimeout(Duration other) {
        return new VendorHttpClient(connections, clock, version, agent, other);
    }

    /** The same client with another agent. */
    VendorHttpClient withAgent(String other) {
        return new VendorHttpClient(connections, clock, version, other, timeout);
    }

    /** An empty object, for a body. */
    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** {@code text} encoded as one segment of a path or one value of a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Gets {@code address}. */
    HttpResult get(String address, Map<String, String> headers) {
        return exchange(address, headers, null, MAX_BYTES);
    }

    /** Gets the list at {@code address}, which may be as long as {@value #MAX_LIST_BYTES} bytes. */
    HttpResult list(String address, Map<String, String> headers) {
        return exchange(address, headers, null, MAX_LIST_BYTES);
    }

    /** Posts {@code body} as JSON. */
    HttpResult post(String address, Map<String, String> headers, ObjectNode body) {
        return post(address, headers, HttpBody.json(body));
    }

    /** Posts the query {@code body} as JSON, whose response may be as long as a {@link #list}. */
    HttpResult query(String address, Map<String, String> headers, ObjectNode body) {
        return exchange(address, headers, HttpBody.json(body), MAX_LIST_BYTES);
    }

    /** Posts {@code json}. */
    HttpResult post(String address, Map<String, String> headers, byte[] json) {
        return post(address, headers, HttpBody.json(json));
    }

    /** Posts {@code body}. */
    HttpResult post(String address, Map<String, String> headers, HttpBody body) {
        return exchange(address, headers, body, MAX_BYTES);
    }

    private HttpResult exchange(String address, Map<String, String> headers, @Nullable HttpBody body, int maxBytes) {
        HttpRequest.Builder request = HttpRequest.newBuilder();
        try {
            request.uri(URI.create(address)).version(Version.HTTP_1_1).header("User-Agent", agent);
            headers.forEach(request::header);
        } catch (IllegalArgumentException unfit) {
            return new Unsendable();
        }
        if (body != null) {
            request.header("Content-Type", body.type()).POST(body.content());
        }
        return exchange(request.build(), maxBytes);
    }

    private HttpResult exchange(HttpRequest request, int maxBytes) {
        if (Thread.currentThread().isInterrupted()) {
            return new Unsent(Failure.STOPPED);
        }
        try {
            HttpResponse<Optional<byte[]>> response = connections.exchange(request, maxBytes, timeout);
            JsonNode body = response.body().map(VendorHttpClient::json).orElse(MissingNode.getInstance());
            return answer(response.statusCode(), response.headers(), body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(e);
        } catch (IOException e) {
            return failed(e);
        }
    }

    /** A response of the service, with the pause that it asks for. */
    Response answer(int status, HttpHeaders headers, JsonNode body) {
        @Nullable
        Duration pause = RetryAfter.in(headers, clock).map(RetryAfter::bounded).orElse(null);
        return new Response(status, headers, body, pause);
    }

    /** The JSON in {@code body}; its text if it is no JSON; missing if a tree of it would be too large. */
    static JsonNode json(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (JsonValueLimit.isExceeded(text)) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(text);
        } catch (JacksonException notJson) {
            return TextNode.valueOf(text);
        }
    }

    /** The result of an exchange that {@code cause} ended. */
    static HttpResult failed(Exception cause) {
        if (TlsFailures.isOfHandshake(cause)) {
            return new Unsent(Failure.NOT_SECURED);
        }
        if (cause instanceof ConnectException && cause.getCause() instanceof UnresolvedAddressException) {
            return new Unsent(Failure.UNKNOWN_HOST);
        }
        if (cause instanceof ProxyException) {
            return new Unsent(Failure.NOT_CONNECTED_BY_PROXY);
        }
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            return new Unsent(Failure.NOT_CONNECTED);
        }
        if (cause instanceof InterruptedException) {
            return new Lost(Failure.STOPPED);
        }
        return new Lost(cause instanceof HttpTimeoutException ? Failure.NO_ANSWER : Failure.BROKEN);
    }
}

package dev.postern.http;

import dev.postern.access.Signature;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request that the filter has read whole, on its way to the resource. It hangs on the request as an attribute. */
final class Received {

    private static final String ATTRIBUTE = "dev.postern.http.received";

    private final HttpServletRequest request;
    private final String hook;
    private final byte[] body;
    private final @Nullable Signature due;
    private final boolean bySignature;
    private final Set<String> credentials;

    /**
     * @param hook the path below the hook prefix
     * @param due the signature that has yet to be checked; null where the request was admitted already
     * @param bySignature true where that signature alone lets the request in
     * @param credentials the headers that are never shown, lower case
     */
    Received(
            HttpServletRequest request,
            String hook,
            byte[] body,
            @Nullable Signature due,
            boolean bySignature,
            Set<String> credentials) {
        this.request = request;
        this.hook = hook;
        this.body = body;
        this.due = due;
        this.bySignature = bySignature;
        this.credentials = credentials;
    }

    void attach() {
        request.setAttribute(ATTRIBUTE, this);
    }

    static @Nullable Received of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Received received ? received : null;
    }

    String hook() {
        return hook;
    }

    byte[] body() {
        return body;
    }

    /** Whether the signature that is due, if any, is right. */
    boolean isSigned() {
        return due == null || due.verifies(request::getHeaders, body);
    }

    /** True where a signature has to be looked at. */
    boolean isSignatureDue() {
        return due != null;
    }

    /** True where no token let the request in, but its signature alone. */
    boolean bySignature() {
        return bySignature;
    }

    /** The request's header fields by lower-case name, those that carry credentials left out. */
    Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!credentials.contains(lower)) {
                List<String> values = Collections.list(request.getHeaders(name));
                headers.put(lower, values.size() == 1 ? values.get(0) : String.join(", ", values));
            }
        }
        return headers;
    }

    /** The first value of each parameter of the query; what is not encoded as a query should be is left out. */
    Map<String, String> query() {
        @Nullable String query = request.getQueryString();
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, String> parameters = new HashMap<>();
        int start = 0;
        while (start <= query.length()) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            put(query.substring(start, end), parameters);
            start = end + 1;
        }
        return parameters;
    }

    private static void put(String parameter, Map<String, String> parameters) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        try {
            parameters.putIfAbsent(
                    URLDecoder.decode(name, StandardCharsets.UTF_8), URLDecoder.decode(value, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformedEscape) {
            System.getLogger(Received.class.getName())
                    .log(System.Logger.Level.DEBUG, "A query parameter has a malformed escape and was left out");
        }
    }
}

package dev.postern.http;

import dev.postern.model.HookRequest;
import dev.postern.model.SignedContent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request that was admitted and whose body is here, on its way to the resource. */
final class AdmittedRequest implements AdmissionResult {

    private static final byte[] NOTHING = {};

    private final HttpServletRequest request;
    private final String hook;
    private byte[] body;
    private final @Nullable SignedContent signed;
    private final boolean bySignature;
    private final Set<String> credentials;

    /**
     * @param hook the path below the hook prefix
     * @param signed what the sender has signed; null where no signature was asked for
     * @param bySignature true where nothing but that let it in
     * @param credentials the headers that are never shown, lower case
     */
    AdmittedRequest(
            HttpServletRequest request,
            String hook,
            byte[] body,
            @Nullable SignedContent signed,
            boolean bySignature,
            Set<String> credentials) {
        this.request = request;
        this.hook = hook;
        this.body = body;
        this.signed = signed;
        this.bySignature = bySignature;
        this.credentials = credentials;
    }

    /** Passes the request on with this attached. */
    @Override
    public void carryOut(
            HttpServletRequest dispatched,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException, ServletException {
        attach(dispatched);
        JerseyRequest passed = new JerseyRequest(dispatched, body);
        try {
            chain.doFilter(passed, response);
        } finally { // it may wait for its run
            passed.forgetBody();
            body = NOTHING;
        }
    }

    /**
     * What a request was received as.
     *
     * @throws IllegalStateException for a request that the filter has not let through
     */
    static AdmittedRequest of(HttpServletRequest request) {
        if (AdmissionResult.of(request) instanceof AdmittedRequest admittedRequest) {
            return admittedRequest;
        }
        throw new IllegalStateException("a request has come by the filter");
    }

    /** The bytes of the body, until the resource has answered or waits for a run. */
    int bodyBytes() {
        return body.length;
    }

    /** The request of a hook whose payload says itself what it asks for. */
    HookRequest bare(@Nullable String idempotencyKey, Instant now) {
        return HookRequest.bare(hook, body, idempotencyKey, now);
    }

    /** The request of a mapped hook: the first value of each parameter of the query; what is badly encoded is left out. */
    HookRequest mapped(@Nullable String idempotencyKey, Instant now) {
        return new HookRequest(
                hook,
                body,
                headers(),
                QueryStringParser.firstValues(request.getQueryString()),
                signed,
                bySignature,
                idempotencyKey,
                now);
    }

    /** The request's header fields by lower-case name, those that carry credentials left out. */
    private Map<String, String> headers() {
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
}

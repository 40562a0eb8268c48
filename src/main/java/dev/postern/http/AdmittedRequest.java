package dev.postern.http;

import dev.postern.config.CredentialHeaders;
import dev.postern.model.HookRequest;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SignedContent;
import dev.postern.model.TraceContext;
import dev.postern.observe.TraceHeaders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that was admitted and whose body has arrived, on its way to the resource. */
final class AdmittedRequest implements AdmissionResult {

    private static final byte[] NOTHING = {};

    private final HttpServletRequest request;
    private final String hook;
    private byte[] body;
    private final @Nullable SignedContent signed;
    private final boolean bySignature;
    private final CredentialHeaders credentials;
    private final RequestOrigin origin;

    /**
     * @param hook the path below the hook prefix
     * @param signed the content that the sender has signed; null if no signature was needed
     * @param bySignature true if the signature alone authenticated it
     * @param credentials the headers that are never shown
     * @param origin the origin under which the request log lists it
     */
    AdmittedRequest(
            HttpServletRequest request,
            String hook,
            byte[] body,
            @Nullable SignedContent signed,
            boolean bySignature,
            CredentialHeaders credentials,
            RequestOrigin origin) {
        this.request = request;
        this.hook = hook;
        this.body = body;
        this.signed = signed;
        this.bySignature = bySignature;
        this.credentials = credentials;
        this.origin = origin;
    }

    /**
     * Passes the request on with this attached. A server that stops may have ended Jersey's servlet while the body arrived; that
     * is answered here, since Jetty would answer 404, after which no sender tries again.
     */
    @Override
    public void carryOut(
            HttpServletRequest dispatched,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException, ServletException {
        attach(dispatched);
        response.setHeader(RequestStart.ID_HEADER, origin.requestId());
        JerseyRequest passed = new JerseyRequest(dispatched, body);
        try {
            StoppingServerResponse.pass(chain, passed, response);
        } catch (UnavailableException stopped) {
            FixedErrorResponse.STOPPED.carryOut(dispatched, response, chain, responseRecorder);
        } finally { // a request that waits for its run needs no body
            passed.forgetBody();
            body = NOTHING;
        }
    }

    /**
     * The admitted request stored in {@code request}.
     *
     * @throws IllegalStateException for a request that bypassed {@link HookFilter}
     */
    static AdmittedRequest of(HttpServletRequest request) {
        if (AdmissionResult.of(request) instanceof AdmittedRequest admittedRequest) {
            return admittedRequest;
        }
        throw new IllegalStateException("the request bypassed HookFilter");
    }

    /** The hook request of a hook whose payload itself names the action. */
    HookRequest bare(@Nullable String idempotencyKey, Instant now) {
        return HookRequest.bare(hook, body, idempotencyKey, now).from(origin).in(trace());
    }

    /**
     * The hook request of a mapped hook, with the first value of each query parameter; badly encoded ones are left out.
     */
    HookRequest mapped(@Nullable String idempotencyKey, Instant now) {
        return new HookRequest(
                hook,
                body,
                headers(),
                /* query= */ QueryStringParser.firstValues(request.getQueryString()),
                signed,
                bySignature,
                idempotencyKey,
                /* receivedAt= */ now,
                origin,
                trace());
    }

    /** The trace context that the sender names, who was admitted. */
    private @Nullable TraceContext trace() {
        return TraceHeaders.read(request::getHeaders);
    }

    /** The request's header fields by lower-case name, without those that carry credentials. */
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

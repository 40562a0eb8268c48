package dev.postern.http;

import dev.postern.access.ClientAddress;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.model.TraceContext;
import dev.postern.observe.TraceHeaders;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The start of a hook request, as the request log needs it.
 *
 * @param client the sender's address as the container gives it
 * @param hook the path below the prefix as requested
 * @param begun the time of the start, as {@link System#nanoTime}
 * @param origin the origin of a request that was admitted; null as long as it is not
 * @param sender the id of the sender whose own token the request has; null for any other credential, and as long as that is
 *     not known
 * @param detail a sentence about the response that only operators see; may be empty
 */
record RequestStart(
        String client,
        String hook,
        long begun,
        @Nullable RequestOrigin origin,
        @Nullable String sender,
        String detail) {

    /** The response header with the id of an admitted request. */
    static final String ID_HEADER = "X-Request-Id";

    private static final String ATTRIBUTE = "dev.postern.http.start";

    /** Stores the start of {@code request} in it. */
    static void begin(HttpServletRequest request, HookPath path) {
        String hook = path.hook();
        request.setAttribute(
                ATTRIBUTE, new RequestStart(ClientAddress.of(request), hook, System.nanoTime(), null, null, ""));
    }

    /** Adds {@code detail} to the start of {@code request}. */
    static void explain(HttpServletRequest request, String detail) {
        RequestStart start = of(request);
        start.change(request, start.origin, start.sender, detail);
    }

    /** Notes the sender whose own token {@code request} has. */
    static void identify(HttpServletRequest request, String sender) {
        RequestStart start = of(request);
        start.change(request, start.origin, sender, start.detail);
    }

    /**
     * Marks {@code request} as admitted.
     *
     * @param credential the kind of credential that admitted it
     * @return the origin under which the request log lists it
     */
    static RequestOrigin admit(HttpServletRequest request, String requestId, String credential) {
        RequestStart start = of(request);
        RequestOrigin origin = new RequestOrigin(requestId, start.client, credential, start.begun, start.sender, null);
        start.change(request, origin, start.sender, start.detail);
        return origin;
    }

    private void change(
            HttpServletRequest request,
            @Nullable RequestOrigin newOrigin,
            @Nullable String newSender,
            String newDetail) {
        request.setAttribute(ATTRIBUTE, new RequestStart(client, hook, begun, newOrigin, newSender, newDetail));
    }

    /**
     * The start of {@code request}.
     *
     * @throws IllegalStateException for a request that bypassed {@link HookFilter}
     */
    static RequestStart of(ServletRequest request) {
        return find(request).orElseThrow(() -> new IllegalStateException("the request bypassed HookFilter"));
    }

    /** The id of {@code request}; empty if it was not admitted. */
    static String id(ServletRequest request) {
        return find(request)
                .map(RequestStart::origin)
                .map(RequestOrigin::requestId)
                .orElse("");
    }

    /** The id of {@code request} for a line of the log, with the id of its trace if it has one; empty if it was not admitted. */
    static String label(HttpServletRequest request) {
        String id = id(request);
        @Nullable TraceContext present = id.isEmpty() ? null : TraceHeaders.current();
        @Nullable
        TraceContext trace = id.isEmpty() || present != null ? present : TraceHeaders.read(request::getHeaders);
        return trace == null ? id : id + ", trace " + trace.traceId();
    }

    /** The start of {@code request}; empty if it is not for a hook. */
    static Optional<RequestStart> find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestStart requestStart
                ? Optional.of(requestStart)
                : Optional.empty();
    }

    /**
     * The log entry of this request with its response, if no mapping saw it.
     *
     * @param sentence the sentence of the response, which stands in the entry unless the operator is told more
     */
    RequestLogEntry answered(Instant at, int status, String code, String sentence) {
        long micros = (System.nanoTime() - begun) / 1_000;
        return new RequestLogEntry(
                /* requestId= */ origin == null ? null : origin.requestId(),
                at,
                client,
                /* credential= */ origin == null ? "" : origin.credential(),
                /* sender= */ origin == null ? null : origin.sender(),
                hook,
                /* mapping= */ "",
                status,
                code,
                /* detail= */ detail.isEmpty() ? sentence : detail,
                /* bytes= */ -1,
                micros,
                /* became= */ List.of());
    }
}

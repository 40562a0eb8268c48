package dev.postern.http;

import dev.postern.observe.RequestLog.Entry;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The start of a hook request, as the request log needs it.
 *
 * @param client the sender's address as the container gives it
 * @param hook the path below the prefix as requested, cut after 100 characters
 * @param begun the time of the start, as {@link System#nanoTime}
 * @param detail a sentence about the response that only operators see; may be empty
 */
record RequestStart(String client, String hook, long begun, String detail) {

    private static final String ATTRIBUTE = "dev.postern.http.sighting";
    private static final int LONGEST = 100;

    /** Stores the start of {@code request} in it. */
    static void begin(HttpServletRequest request, HookPath path) {
        String hook = path.hook();
        request.setAttribute(
                ATTRIBUTE,
                new RequestStart(
                        String.valueOf(request.getRemoteAddr()),
                        hook.length() > LONGEST ? hook.substring(0, LONGEST) + "…" : hook,
                        System.nanoTime(),
                        ""));
    }

    /** Adds {@code detail} to the start of {@code request}. */
    static void explain(HttpServletRequest request, String detail) {
        RequestStart start = of(request);
        request.setAttribute(ATTRIBUTE, new RequestStart(start.client, start.hook, start.begun, detail));
    }

    /**
     * The start of {@code request}.
     *
     * @throws IllegalStateException for a request that bypassed {@link HookFilter}
     */
    static RequestStart of(ServletRequest request) {
        return find(request).orElseThrow(() -> new IllegalStateException("the request bypassed HookFilter"));
    }

    /** The start of {@code request}; empty if it is not for a hook. */
    static Optional<RequestStart> find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestStart requestStart
                ? Optional.of(requestStart)
                : Optional.empty();
    }

    /** The log entry of this request with its response. */
    Entry answered(Instant at, String mapping, int status, String code, long bytes, List<String> became) {
        long micros = (System.nanoTime() - begun) / 1_000;
        return new Entry(at, client, hook, mapping, status, code, detail, bytes, micros, became);
    }
}

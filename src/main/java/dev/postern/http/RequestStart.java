package dev.postern.http;

import dev.postern.observe.RequestLog.Entry;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a request of a hook from its beginning.
 *
 * @param client the sender's address, as the container has it
 * @param hook the path below the prefix, as it was asked for, cut where it is long
 * @param begun as {@link System#nanoTime}
 */
record RequestStart(String client, String hook, long begun) {

    private static final String ATTRIBUTE = "dev.postern.http.sighting";
    private static final int LONGEST = 100;

    /** Notes the beginning of {@code request}. */
    static void begin(HttpServletRequest request, HookPath path) {
        String hook = path.hook();
        request.setAttribute(
                ATTRIBUTE,
                new RequestStart(
                        String.valueOf(request.getRemoteAddr()),
                        hook.length() > LONGEST ? hook.substring(0, LONGEST) + "…" : hook,
                        System.nanoTime()));
    }

    /** What was noted at the beginning of {@code request}. */
    static RequestStart of(ServletRequest request) {
        return find(request).orElseThrow(() -> new IllegalStateException("a request has come by the filter"));
    }

    /** What was noted at the beginning of {@code request}; empty where it is for no hook. */
    static Optional<RequestStart> find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestStart requestStart
                ? Optional.of(requestStart)
                : Optional.empty();
    }

    /** This request with its answer. */
    Entry answered(Instant at, String mapping, int status, String code, long bytes, List<String> became) {
        return new Entry(at, client, hook, mapping, status, code, bytes, (System.nanoTime() - begun) / 1_000, became);
    }
}

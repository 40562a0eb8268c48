package dev.postern.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The part of a request's path below the hook prefix, taken from the path as sent. {@link AmbiguousPathFilter} makes
 * sure that every reader sees the same segments in it.
 *
 * @param hook the part without leading or trailing slash; empty for the prefix itself, and for a part that is too long
 */
record HookPath(String hook) {

    private static final String RUNS = "runs/";

    /** The longest path of a hook, in characters. An entry of a PostgreSQL index has room for it. */
    private static final int MAX_LENGTH = 1_000;

    /** The path of {@code request}, whose prefix (context path and hook path) is {@code prefix}. */
    static HookPath of(HttpServletRequest request, String prefix) {
        String path = request.getRequestURI();
        if (!path.startsWith(prefix)) {
            return new HookPath("");
        }
        int start = prefix.length();
        int end = path.length();
        if (start < end && path.charAt(start) == '/') {
            start++;
        }
        if (start < end && path.charAt(end - 1) == '/') {
            end--;
        }
        return new HookPath(end - start > MAX_LENGTH ? "" : path.substring(start, end));
    }

    /** The id in {@code hook} if it is {@code runs/<id>}; else empty. */
    static Optional<String> runId(String hook) {
        return new HookPath(hook).isRun() ? Optional.of(hook.substring(RUNS.length())) : Optional.empty();
    }

    /** Whether this is {@code runs/<id>}, the only address below the prefix that is read with GET. */
    boolean isRun() {
        return hook.startsWith(RUNS) && hook.length() > RUNS.length();
    }
}

package dev.postern.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a request's path below the hook prefix, read from the path as it was sent.
 *
 * @param hook without leading or trailing slash; empty for the prefix itself, null where the path is spelled in a way
 *     that a server and a filter might read differently
 */
record HookPath(@Nullable String hook) {

    private static final String RUNS = "runs/";

    /** The path of {@code request}, whose prefix (context path and hook path) is {@code prefix}. */
    static HookPath of(HttpServletRequest request, String prefix) {
        String path = request.getRequestURI();
        if (!isPlain(path) || !path.startsWith(prefix)) {
            return new HookPath(null);
        }
        int start = prefix.length();
        int end = path.length();
        if (start < end && path.charAt(start) == '/') {
            start++;
        }
        if (start < end && path.charAt(end - 1) == '/') {
            end--;
        }
        return new HookPath(path.substring(start, end));
    }

    /** The hook's name, of a path that has been found to have one. */
    String name() {
        return Objects.requireNonNull(hook);
    }

    /** True for {@code runs/<id>}, the one thing that is read and not asked for. */
    boolean isRun() {
        return hook != null && hook.startsWith(RUNS) && hook.length() > RUNS.length();
    }

    /**
     * True where every reader sees the same segments: no path parameter, no dot segment, no empty segment, no escape. A
     * hook's name needs none of them.
     */
    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean segmentStart = i > 0 && path.charAt(i - 1) == '/';
            if (c == ';' || c == '\\' || c == '%' || c <= ' ' || c >= 0x7f) {
                return false;
            }
            if (segmentStart && (c == '/' || (c == '.' && isDotSegment(path, i)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDotSegment(String path, int start) {
        int end = path.indexOf('/', start);
        String segment = path.substring(start, end < 0 ? path.length() : end);
        return segment.equals(".") || segment.equals("..");
    }
}

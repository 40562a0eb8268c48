package dev.postern.http;

import dev.postern.observe.TraceSpan;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * A filter that answers 404 to a request whose path two readers may read differently, before anything else reads it. A
 * proxy that lets only some paths through checks the path as it reads it; the paths that it lets through must not lead
 * elsewhere. So a valid path has no path parameter, no segment of dots only, no empty segment, no backslash and no
 * escape. No address of Postern needs any of them. (GlassFish also goes up a level for three dots and more.) The query
 * is not checked, and no trace shows it.
 */
public final class AmbiguousPathFilter implements Filter {

    private final FilterChain notFound;
    private final String contextPath;
    private final String escapedContextPath;

    /**
     * Creates the filter of the web application at {@code context}. The context path may need escapes. It is accepted
     * without them, or in the one spelling that has them exactly where they are necessary.
     *
     * @param notFound answers 404
     */
    public AmbiguousPathFilter(ServletContext context, FilterChain notFound) {
        this.notFound = notFound;
        this.contextPath = context.getContextPath();
        this.escapedContextPath = escaped(contextPath);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        if (asked.getQueryString() != null) {
            TraceSpan.removeQuery();
        }
        if (isPlain(asked.getRequestURI())) {
            chain.doFilter(request, response);
        } else {
            notFound.doFilter(request, response);
        }
    }

    /**
     * Whether every reader sees the same segments in {@code path}.
     *
     * @param path the path as sent, without a query
     */
    boolean isPlain(String path) {
        if (path.startsWith(contextPath)) {
            return isPlain(path, contextPath.length());
        }
        return path.startsWith(escapedContextPath) && isPlain(path, escapedContextPath.length());
    }

    private static boolean isPlain(String path, int start) {
        for (int i = start; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == ';' || c == '\\' || c == '%' || c <= ' ' || c >= 0x7f) {
                return false;
            }
            boolean segmentStart = i > 0 && path.charAt(i - 1) == '/';
            if (segmentStart && (c == '/' || isDotsAlone(path, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDotsAlone(String path, int start) {
        int end = start;
        while (end < path.length() && path.charAt(end) == '.') {
            end++;
        }
        return end > start && (end == path.length() || path.charAt(end) == '/');
    }

    private static String escaped(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the context path [" + path + "] is no path", e);
        }
    }
}

package dev.postern.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A servlet that answers 404 at every path of the context that has no other servlet. It replaces the server's default
 * servlet, so that no file of the WAR can be downloaded.
 */
public final class NotFoundServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** A filter chain that answers 404. */
    public static FilterChain chain() {
        return (request, response) -> PageSender.sendNotFound((HttpServletResponse) response);
    }

    /**
     * A filter that answers 404 in place of a server's own servlet for JSP files. A path of Postern's may have the same
     * ending, and is passed on.
     */
    public static Filter insteadOfPages() {
        return (request, response, chain) -> {
            if (((HttpServletRequest) request).getPathInfo() == null) {
                PageSender.sendNotFound((HttpServletResponse) response);
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PageSender.sendNotFound(response);
    }
}

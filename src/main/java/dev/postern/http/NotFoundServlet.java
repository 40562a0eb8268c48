package dev.postern.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A servlet that answers 404 at every path of the context that has no other servlet. It replaces the server's default
 * servlet, so that no file of the WAR can be downloaded. The root of the context may lead to the console instead.
 */
public final class NotFoundServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Predicate<HttpServletRequest> leadsToConsole;

    /** @param leadsToConsole whether a GET of the context's root leads to the console */
    public NotFoundServlet(Predicate<HttpServletRequest> leadsToConsole) {
        this.leadsToConsole = leadsToConsole;
    }

    /** A filter chain that answers 404. */
    public static FilterChain chain() {
        return (request, response) -> PageSender.sendNotFound((HttpServletResponse) response);
    }

    /**
     * A filter that answers in place of a server's own servlet for JSP files. A path of Postern's may have the same
     * ending, and is passed on.
     *
     * @param answer the answer to a path that is not Postern's
     */
    public static Filter insteadOfPages(FilterChain answer) {
        return (request, response, chain) -> {
            if (((HttpServletRequest) request).getPathInfo() == null) {
                answer.doFilter(request, response);
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String root = request.getContextPath() + "/";
        if (request.getMethod().equals("GET") && request.getRequestURI().equals(root) && leadsToConsole.test(request)) {
            PageSender.setSecurityHeaders(response);
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader("Location", root + "console/");
        } else {
            PageSender.sendNotFound(response);
        }
    }
}

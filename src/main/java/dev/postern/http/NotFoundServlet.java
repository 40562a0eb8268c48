package dev.postern.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers every path of the context that is nobody else's: 404. It stands where a server would have its default servlet,
 * so that no file of the WAR can be downloaded.
 */
public final class NotFoundServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The end of a chain that answers so. */
    public static FilterChain chain() {
        return (request, response) -> PageSender.nothing((HttpServletResponse) response);
    }

    /** Answers so in place of a server's own servlet for files of JSP; a path of ours may end like theirs, and goes on. */
    public static Filter insteadOfPages() {
        return (request, response, chain) -> {
            if (((HttpServletRequest) request).getPathInfo() == null) {
                PageSender.nothing((HttpServletResponse) response);
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PageSender.nothing(response);
    }
}

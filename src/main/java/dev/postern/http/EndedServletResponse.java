package dev.postern.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;

/**
 * A response that holds back the error of a server whose servlet has ended. A server that stops a web application may end a
 * servlet while a request is on its way there. Some throw an exception then, and Jetty sends 404, after which no sender tries
 * again. Where Jetty has ended a filter of its own before that servlet, it throws a {@code NullPointerException}. Postern's own
 * servlets send no error in this way.
 */
final class EndedServletResponse extends HttpServletResponseWrapper {

    private static final Logger LOG = System.getLogger(EndedServletResponse.class.getName());
    private static final String POSTERN = "dev.postern.";

    private boolean isEnded;

    private EndedServletResponse(HttpServletResponse response) {
        super(response);
    }

    /**
     * Passes a request on.
     *
     * @throws UnavailableException where the servlet has ended, or the server failed on the way to it; then nothing is answered
     */
    static void pass(FilterChain chain, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        EndedServletResponse passed = new EndedServletResponse(response);
        try {
            chain.doFilter(request, passed);
        } catch (RuntimeException e) {
            if (hasReachedServlet(e)) {
                throw e;
            }
            // Without its message, which may repeat what the request has.
            LOG.log(
                    Level.WARNING,
                    "The server failed before a request reached Postern: {0} at {1}",
                    e.getClass().getName(),
                    e.getStackTrace()[0]);
            throw new UnavailableException("the server has ended what is before the servlet");
        }
        if (passed.isEnded) {
            throw new UnavailableException("the servlet has ended");
        }
    }

    /** Whether {@code e} has passed through Postern's code behind {@link #pass}, or does not tell. */
    private static boolean hasReachedServlet(RuntimeException e) {
        return Arrays.stream(e.getStackTrace())
                .map(StackTraceElement::getClassName)
                .filter(name -> name.startsWith(POSTERN))
                .findFirst()
                .map(name -> !name.equals(EndedServletResponse.class.getName()))
                .orElse(true);
    }

    @Override
    public void sendError(int status) {
        isEnded = true;
    }

    @Override
    public void sendError(int status, String message) {
        isEnded = true;
    }
}

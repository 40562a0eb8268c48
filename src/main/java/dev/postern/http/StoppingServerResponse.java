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
 * A response that holds back the error of a server that is stopping the web application. Such a server may end a servlet, or a
 * filter of its own before it, while a request is on its way there. Jetty then sends 404, after which no sender tries again, or
 * throws a {@code NullPointerException}; others throw another exception. Postern's own servlets send no error in this way.
 */
final class StoppingServerResponse extends HttpServletResponseWrapper {

    private static final Logger LOG = System.getLogger(StoppingServerResponse.class.getName());
    private static final String POSTERN = "dev.postern.";

    private boolean isEnded;

    private StoppingServerResponse(HttpServletResponse response) {
        super(response);
    }

    /**
     * Passes a request on.
     *
     * @throws UnavailableException where the servlet has ended, or the server failed on the way to it; then nothing is answered
     */
    static void pass(FilterChain chain, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        StoppingServerResponse passed = new StoppingServerResponse(response);
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
                .map(name -> !name.equals(StoppingServerResponse.class.getName()))
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

package dev.postern.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A servlet that delegates to one servlet and later to another. Paths can be added only while the web application
 * starts. Servers end servlets before listeners, and the requests that a listener ends may still need a response. So
 * the delegate stays until {@link #close}.
 */
public final class SwappableServlet extends HttpServlet implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    private transient volatile Servlet delegate;
    private transient boolean initialised;

    /** Creates a servlet that delegates to {@code first}, which is initialised together with it. */
    public SwappableServlet(Servlet first) {
        this.delegate = first;
    }

    /** Delegates to {@code next} from now on; if {@code next} can't be initialised, nothing changes. */
    public synchronized void delegateTo(Servlet next) throws ServletException {
        Servlet before = delegate;
        if (initialised) {
            next.init(getServletConfig());
        }
        delegate = next;
        if (initialised) {
            before.destroy();
        }
    }

    @Override
    public synchronized void init() throws ServletException {
        delegate.init(getServletConfig());
        initialised = true;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        delegate.service(request, response);
    }

    /** Destroys the delegate. Call it when all of its requests have been answered. */
    @Override
    public synchronized void close() {
        if (initialised) {
            delegate.destroy();
            initialised = false;
        }
    }
}

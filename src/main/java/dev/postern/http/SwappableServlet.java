package dev.postern.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A path of the web application that leads to one servlet and later to another: paths can be added while the web application
 * is being started and not afterwards. Servers end servlets before they end listeners, and what a listener ends may still have
 * to be answered, so that what this leads to stays until {@link #close}.
 */
public final class SwappableServlet extends HttpServlet implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    private transient volatile Servlet behind;
    private transient boolean initialised;

    /** Leads to {@code first}, which is initialised when this is. */
    public SwappableServlet(Servlet first) {
        this.behind = first;
    }

    /** Leads to {@code next} from now on; where it can't be initialised, everything stays as it was. */
    public synchronized void leadTo(Servlet next) throws ServletException {
        Servlet before = behind;
        if (initialised) {
            next.init(getServletConfig());
        }
        behind = next;
        if (initialised) {
            before.destroy();
        }
    }

    @Override
    public synchronized void init() throws ServletException {
        behind.init(getServletConfig());
        initialised = true;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        behind.service(request, response);
    }

    /** Ends what this leads to: to be called when all that it has been asked is answered. */
    @Override
    public synchronized void close() {
        if (initialised) {
            behind.destroy();
            initialised = false;
        }
    }
}

package dev.postern.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A path of the web application that leads to one servlet and later to another: paths can be added while the web application
 * is being started and not afterwards.
 */
public final class Doorway extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private transient volatile Servlet behind;
    private transient boolean initialised;

    /** Leads to {@code first}, which is initialised when this is. */
    public Doorway(Servlet first) {
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

    @Override
    public synchronized void destroy() {
        if (initialised) {
            behind.destroy();
        }
    }
}

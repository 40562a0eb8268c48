package dev.postern.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A servlet that is made when it is first asked for something: a start has better uses for the time. */
public final class LazyServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<Servlet> maker;
    private transient volatile @Nullable Servlet made;

    /** A servlet that {@code maker} makes; it may be initialised and destroyed more than once, for one path each. */
    public LazyServlet(Supplier<Servlet> maker) {
        this.maker = maker;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Servlet ready = made;
        (ready == null ? make() : ready).service(request, response);
    }

    private synchronized Servlet make() throws ServletException {
        Servlet ready = made;
        if (ready == null) {
            ready = maker.get();
            ready.init(getServletConfig());
            made = ready;
        }
        return ready;
    }

    @Override
    public synchronized void destroy() {
        Servlet ready = made;
        if (ready != null) {
            made = null;
            ready.destroy();
        }
    }
}

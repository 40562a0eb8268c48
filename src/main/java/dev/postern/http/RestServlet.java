package dev.postern.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A servlet of a Jersey application whose paths start at the web application, so that each {@code @Path} is complete.
 * The application is made at the first request, to shorten the start.
 */
public final class RestServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<Set<Object>> components;
    private transient volatile @Nullable Servlet application;

    /**
     * Creates a servlet that may be initialised and destroyed more than once, for one path each.
     *
     * @param components makes the resources and providers, one of which writes JSON
     */
    public RestServlet(Supplier<Set<Object>> components) {
        this.components = components;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Servlet ready = application;
        (ready == null ? make() : ready).service(new WholePath(request), new DisconnectTolerantResponse(response));
    }

    private synchronized Servlet make() throws ServletException {
        Servlet ready = application;
        if (ready == null) {
            ready = RestApplication.servlet(components.get());
            ready.init(getServletConfig());
            application = ready;
        }
        return ready;
    }

    @Override
    public synchronized void destroy() {
        Servlet ready = application;
        if (ready != null) {
            application = null;
            ready.destroy();
        }
    }

    /** A request as Jersey sees it: with its whole path, and without the headers for content negotiation. */
    private static final class WholePath extends HttpServletRequestWrapper {

        WholePath(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getServletPath() {
            return "";
        }

        @Override
        public String getPathInfo() {
            @Nullable String path = super.getPathInfo();
            return path == null ? super.getServletPath() : super.getServletPath() + path;
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            return Collections.enumeration(Collections.list(super.getHeaderNames()).stream()
                    .filter(name -> !isNegotiation(name.toLowerCase(Locale.ROOT)))
                    .toList());
        }

        private static boolean isNegotiation(String name) {
            return name.startsWith("accept") || name.startsWith("content");
        }
    }
}

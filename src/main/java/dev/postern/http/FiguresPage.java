package dev.postern.http;

import dev.postern.config.Settings.Access;
import dev.postern.observe.Figures;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code /metrics}: the figures in Prometheus' text format, to whom the setting {@code metrics} lets see them. */
public final class FiguresPage extends ReadOnlyPage {

    private static final long serialVersionUID = 1L;

    private final transient Figures figures;
    private final Access access;

    /**
     * Shows {@code figures}.
     *
     * @param access {@code LOCAL} goes by the client address as the container has it, so behind a proxy on the same machine
     *     the server has to be told to trust that proxy's forwarding header
     */
    public FiguresPage(Figures figures, Access access) {
        this.figures = figures;
        this.access = access;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean allowed = access == Access.ANYONE || (access == Access.LOCAL && isLoopback(request.getRemoteAddr()));
        if (allowed) {
            Page.text(response, Figures.CONTENT_TYPE, figures.scrape());
        } else {
            Page.nothing(response);
        }
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
    }
}

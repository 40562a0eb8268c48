package dev.postern.http;

import dev.postern.access.LocalRequestRule;
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
    private final transient Login login;

    /**
     * Shows {@code figures}.
     *
     * @param login decides where {@code access} is {@code VIEWER}
     * @param access {@code LOCAL} goes by {@link LocalRequestRule}
     */
    public FiguresPage(Figures figures, Access access, Login login) {
        this.figures = figures;
        this.access = access;
        this.login = login;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (access) {
            case ANYONE -> show(response);
            case LOCAL -> {
                if (LocalRequestRule.covers(request)) {
                    show(response);
                } else {
                    Page.nothing(response);
                }
            }
            case VIEWER -> {
                if (login.admitsViewer(request, response)) {
                    show(response);
                }
            }
            case OFF -> Page.nothing(response);
        }
    }

    private void show(HttpServletResponse response) throws IOException {
        Page.text(response, Figures.CONTENT_TYPE, figures.scrape());
    }
}

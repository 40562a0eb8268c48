package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.config.Settings.Access;
import dev.postern.observe.Figures;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A text of figures in Prometheus' format, for whom the setting {@code metrics} lets see them. */
public final class FiguresPage {

    private final Figures figures;
    private final Access access;
    private final Login login;

    /**
     * Shows {@code figures}.
     *
     * @param access {@code LOCAL} goes by {@link LocalRequestRule}
     * @param login decides where {@code access} is {@code VIEWER}
     */
    public FiguresPage(Figures figures, Access access, Login login) {
        this.figures = figures;
        this.access = access;
        this.login = login;
    }

    Response response(HttpServletRequest request) {
        @Nullable Refusal refusal = refusal(request);
        if (refusal != null) {
            return refusal.response();
        }
        byte[] text = figures.scrape().getBytes(StandardCharsets.UTF_8);
        return Response.ok(text, Figures.CONTENT_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, text.length)
                .build();
    }

    private @Nullable Refusal refusal(HttpServletRequest request) {
        return switch (access) {
            case ANYONE -> null;
            case LOCAL -> LocalRequestRule.covers(request) ? null : Refusal.NOT_FOUND;
            case VIEWER -> login.refusal(request);
            case OFF -> Refusal.NOT_FOUND;
        };
    }
}

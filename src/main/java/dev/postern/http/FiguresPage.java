package dev.postern.http;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.ContainerAuthenticator.Attempt;
import dev.postern.access.LocalRequestRule;
import dev.postern.access.UserRole;
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
    private final ContainerAuthenticator login;
    private final Answered answered;

    /**
     * Shows {@code figures}.
     *
     * @param access {@code LOCAL} goes by {@link LocalRequestRule}
     * @param login decides where {@code access} is {@code VIEWER}
     * @param answered counts the refusals of that
     */
    public FiguresPage(Figures figures, Access access, ContainerAuthenticator login, Answered answered) {
        this.figures = figures;
        this.access = access;
        this.login = login;
        this.answered = answered;
    }

    Response response(HttpServletRequest request) {
        @Nullable Refusal refusal = refusal(request);
        if (refusal != null) {
            return refusal.response();
        }
        byte[] text = figures.scrape().getBytes(StandardCharsets.UTF_8);
        return Response.ok(text)
                .header(
                        HttpHeaders.CONTENT_TYPE,
                        Figures.CONTENT_TYPE) // as it is: a MediaType's parameters have no order
                .header(HttpHeaders.CONTENT_LENGTH, text.length)
                .build();
    }

    private @Nullable Refusal refusal(HttpServletRequest request) {
        return switch (access) {
            case ANYONE -> null;
            case LOCAL -> LocalRequestRule.covers(request) ? null : Refusal.NOT_FOUND;
            case VIEWER -> counted(loginFault(request));
            case OFF -> Refusal.NOT_FOUND;
        };
    }

    private @Nullable Refusal counted(@Nullable Refusal refusal) {
        if (refusal != null) {
            answered.refused(refusal);
        }
        return refusal;
    }

    private @Nullable Refusal loginFault(HttpServletRequest request) {
        if (request.getUserPrincipal() != null) { // the server has logged somebody in by itself
            return UserRole.of(request::isUserInRole).isPresent() ? null : Refusal.NO_ROLE;
        }
        @Nullable Attempt attempt = login.basic(request).orElse(null);
        if (attempt instanceof Attempt.In) {
            return null;
        }
        if (attempt instanceof Attempt.Later later) {
            return Refusal.throttled(later.seconds());
        }
        return attempt instanceof Attempt.NoRole ? Refusal.NO_ROLE : Refusal.LOGIN;
    }
}

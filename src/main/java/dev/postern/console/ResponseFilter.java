package dev.postern.console;

import dev.postern.console.AuditedActions.Performed;
import dev.postern.model.OperatorResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;

/** A filter that sets the security headers of each response, and turns the results of actions into responses. */
final class ResponseFilter implements ContainerResponseFilter {

    /** Allows content from this origin only, and no script or style inside a page. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            POLICY,
            HttpHeaders.CACHE_CONTROL,
            "no-store",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin");

    private final LoginSessions loginSessions;

    @Context
    private HttpServletRequest servletRequest;

    ResponseFilter(LoginSessions loginSessions) {
        this.loginSessions = loginSessions;
    }

    /**
     * The JSON of an action that was performed.
     *
     * @param message the outcome, for a person
     * @param see the path below {@code /console/api/} that shows the subject
     */
    private record Done(boolean ok, String message, String see) {}

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        HEADERS.forEach((name, value) -> response.getHeaders().putIfAbsent(name, List.of(value)));
        if (response.getEntity() instanceof Performed performed) {
            writeOutcome(performed, response);
        }
        if (response.getEntity() instanceof ConsoleError problem) {
            boolean isJson = ConsoleAddresses.isProgram(servletRequest)
                    || MediaType.APPLICATION_JSON_TYPE.equals(response.getMediaType());
            MediaType type = isJson ? MediaType.APPLICATION_JSON_TYPE : MediaType.TEXT_HTML_TYPE;
            response.setEntity(problem, response.getEntityAnnotations(), type);
            response.setStatus(problem.status());
            if (problem.status() == 503) {
                response.getHeaders().putIfAbsent(HttpHeaders.RETRY_AFTER, List.of("2"));
            }
        }
    }

    private void writeOutcome(Performed performed, ContainerResponseContext response) {
        OperatorResult result = performed.result();
        if (!(result instanceof OperatorResult.Done)) {
            response.setEntity(problem(result));
        } else if (ConsoleAddresses.isProgram(servletRequest)) {
            response.setEntity(new Done(true, result.sentence(), performed.see()));
        } else {
            loginSessions.storeMessage(servletRequest, result.sentence());
            response.setEntity(null);
            response.setStatus(303);
            String place = performed.isShown()
                    ? performed.see()
                    : ReturnAddress.of(servletRequest).orElse(performed.see());
            response.getHeaders().putSingle(HttpHeaders.LOCATION, ConsoleAddresses.root(servletRequest) + place);
        }
    }

    private static ConsoleError problem(OperatorResult result) {
        if (result instanceof OperatorResult.Conflict) {
            return new ConsoleError(409, "conflict", "Not done", result.sentence());
        }
        return result instanceof OperatorResult.Unavailable
                ? new ConsoleError(503, "unavailable", "Not possible now", result.sentence())
                : ConsoleError.NOT_FOUND;
    }
}

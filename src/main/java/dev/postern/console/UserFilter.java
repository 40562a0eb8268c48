package dev.postern.console;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.ContainerAuthenticator.LoginResult;
import dev.postern.access.UserRole;
import dev.postern.model.Excerpt;
import dev.postern.model.VisibleText;
import jakarta.annotation.Priority;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter that allows only requests of users. A POST needs the operator role, unless its method is {@link ForViewers}, and
 * so does a GET that is {@link ForOperators}. One
 * that a browser sends has to come from a page of the console. A program's request may have only the query parameters that
 * its address has, and each of them once unless it is a list.
 */
@RequiresUser
@Priority(Priorities.AUTHENTICATION)
final class UserFilter implements ContainerRequestFilter {

    private static final int LONGEST_NAME = 100;

    private final LoginSessions loginSessions;
    private final ContainerAuthenticator login;

    @Context
    private HttpServletRequest servletRequest;

    @Context
    private ResourceInfo resource;

    UserFilter(LoginSessions loginSessions, ContainerAuthenticator login) {
        this.loginSessions = loginSessions;
        this.login = login;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        Optional<ConsoleUser> known = loginSessions.user(servletRequest);
        if (known.isEmpty()) {
            request.abortWith(challenge());
            return;
        }
        ConsoleUser user = known.get();
        @Nullable ConsoleError problem = request.getMethod().equals(HttpMethod.POST) ? problem(user) : null;
        if (problem == null && !user.isOperator() && isFor(ForOperators.class)) {
            problem = notPermitted(user);
        }
        if (problem == null && ConsoleAddresses.isProgram(servletRequest)) {
            problem = parameterProblem(request.getUriInfo().getQueryParameters());
        }
        if (problem == null) {
            user.attach(servletRequest);
        } else {
            request.abortWith(problem.response().build());
        }
    }

    /** The error of a parameter of {@code sent} that the address does not have, or has once only; null if there is none. */
    private @Nullable ConsoleError parameterProblem(Map<String, List<String>> sent) {
        Map<String, Class<?>> known = new LinkedHashMap<>();
        for (Parameter parameter : resource.getResourceMethod().getParameters()) {
            @Nullable QueryParam query = parameter.getAnnotation(QueryParam.class);
            if (query != null) {
                known.put(query.value(), parameter.getType());
            }
        }
        for (Map.Entry<String, List<String>> each : sent.entrySet()) {
            String name = each.getKey();
            @Nullable Class<?> type = known.get(name);
            if (type == null) {
                return invalidParameter(VisibleText.text(Excerpt.of(name, LONGEST_NAME)) + " is unknown. "
                        + (known.isEmpty()
                                ? "There are none here."
                                : "Known: " + String.join(", ", known.keySet()) + "."));
            }
            if (each.getValue().size() > 1 && type != List.class) {
                return invalidParameter(name + " is sent more than once. Send it once.");
            }
        }
        return null;
    }

    private static ConsoleError invalidParameter(String rest) {
        return new ConsoleError(400, "invalid_parameter", "Invalid request", "The query parameter " + rest);
    }

    private @Nullable ConsoleError problem(ConsoleUser user) {
        if (!LoginSessions.passesCsrfCheck(servletRequest, user)) {
            String sentence = ConsoleAddresses.isProgram(servletRequest)
                    ? "A browser's request needs the header X-CSRF-Token, and must come from a page of the console."
                    : "Nothing was done. The form has expired, or came from another site. Open the page again.";
            return new ConsoleError(403, "forbidden", "Request rejected", sentence);
        }
        return user.isOperator() || isFor(ForViewers.class) ? null : notPermitted(user);
    }

    private boolean isFor(Class<? extends Annotation> role) {
        return resource.getResourceMethod().isAnnotationPresent(role);
    }

    private static ConsoleError notPermitted(ConsoleUser user) {
        String sentence = user.name() + " has the role " + user.role().declared() + "; this needs the role "
                + UserRole.OPERATOR.declared() + ".";
        return new ConsoleError(403, "forbidden", "Not permitted", sentence);
    }

    /** The response at an address that does not exist: 404 to a user, and without a login the same as at any other. */
    Response notFound() {
        return loginSessions.user(servletRequest).isPresent()
                ? ConsoleError.NOT_FOUND.response().build()
                : challenge();
    }

    /** The response to a request without a login: a redirect to the login for a person, 401 for a program. */
    private Response challenge() {
        return ConsoleAddresses.isProgram(servletRequest) ? unauthorized() : toLogin();
    }

    private Response unauthorized() {
        Optional<LoginResult> attempt = login.basic(servletRequest);
        ConsoleError problem = attempt.map(ConsoleError::of)
                .orElseGet(() ->
                        new ConsoleError(401, "unauthorized", "Login required", "A name and a password are required."));
        Response.ResponseBuilder response = problem.response();
        if (attempt.orElse(null) instanceof LoginResult.Throttled throttled) {
            response.header(HttpHeaders.RETRY_AFTER, throttled.seconds());
        }
        if (problem.status() == 401) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Postern\", charset=\"UTF-8\"");
        }
        return response.build();
    }

    private Response toLogin() {
        String root = ConsoleAddresses.root(servletRequest);
        boolean isForm = servletRequest.getMethod().equals(HttpMethod.POST);
        String login = isForm
                ? ConsoleAddresses.loginAfterForm(
                        root, ReturnAddress.of(servletRequest).orElse(""))
                : ConsoleAddresses.login(root, ConsoleAddresses.withQuery(servletRequest));
        return servletRequest.getHeader("HX-Request") == null
                ? Response.seeOther(URI.create(login)).build()
                : Response.status(401).header("HX-Redirect", login).build(); // redirects the whole page
    }
}

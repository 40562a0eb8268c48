package dev.postern.console;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.ContainerAuthenticator.LoginResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A resource that shows the login form, and logs users in and out. */
final class LoginResource {

    /** The form of a path of a console page with its query. */
    private static final Pattern NEXT =
            Pattern.compile("(?!login\\b)([a-z]+(/[a-z0-9_]+(/payload)?)?)?(\\?[A-Za-z0-9_=&%.+,:/~-]*)?");

    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private final LoginSessions loginSessions;
    private final ContainerAuthenticator login;

    LoginResource(LoginSessions loginSessions, ContainerAuthenticator login) {
        this.loginSessions = loginSessions;
        this.login = login;
    }

    /**
     * The login form.
     *
     * @param problem why the user is here again: the error of the last attempt, or the end of the login; empty where there was none
     * @param next the path below the console to go to after the login
     */
    public record Form(String problem, String next) {}

    Form form(HttpServletRequest request) {
        boolean isAfterForm = request.getParameter(ConsoleAddresses.UNPROCESSED_FORM) != null;
        return new Form(isAfterForm ? "Your login had ended; nothing was done." : "", next(request));
    }

    Response logIn(
            @Nullable String name,
            @Nullable String password,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!SameOriginCheck.allows(request)) {
            return form(403, "The login form came from another site.", request).build();
        }
        if (name == null || password == null) {
            return form(400, "A name and a password are required.", request).build();
        }
        LoginResult loginResult = login.authenticate(request, name, password);
        if (loginResult instanceof LoginResult.LoggedIn in) {
            loginSessions.remember(request, response, in);
            return see(next(request), request);
        }
        ConsoleError problem = ConsoleError.of(loginResult);
        Response.ResponseBuilder form = form(problem.status(), problem.error(), request);
        if (loginResult instanceof LoginResult.Throttled throttled) {
            form.header(HttpHeaders.RETRY_AFTER, throttled.seconds());
        }
        return form.build();
    }

    /** Logs the user out if the request comes from a page of the console. */
    Response logOut(HttpServletRequest request) {
        Optional<ConsoleUser> user = loginSessions.user(request);
        if (user.isPresent() && LoginSessions.passesCsrfCheck(request, user.get())) {
            loginSessions.end(request);
        }
        return see(ConsoleRootResource.LOGIN, request);
    }

    private static Response.ResponseBuilder form(int status, String problem, HttpServletRequest request) {
        return Response.status(status).entity(new Form(problem, next(request)));
    }

    private static Response see(String path, HttpServletRequest request) {
        return Response.seeOther(URI.create(ConsoleAddresses.root(request) + path))
                .build();
    }

    /** The path below the console to go to after the login; empty for one that is too long or no page of the console. */
    private static String next(HttpServletRequest request) {
        @Nullable String next = request.getParameter("next");
        boolean isPage = next != null
                && NEXT.matcher(next).matches()
                && !BAD_ESCAPE.matcher(next).find();
        return isPage ? ConsoleAddresses.repeatable(next) : "";
    }
}

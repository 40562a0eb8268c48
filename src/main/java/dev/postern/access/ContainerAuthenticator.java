package dev.postern.access;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An authenticator of the container's users, by name and password. Each user is logged out of the container at once, so
 * the container keeps no login.
 */
public final class ContainerAuthenticator {

    private static final Logger LOG = System.getLogger(ContainerAuthenticator.class.getName());
    private static final String ATTEMPT = "dev.postern.access.attempt";
    private static final int MOST_CHARACTERS = 1024;

    private final PasswordAuthenticator passwordAuthenticator;

    /** @param passwordAuthenticator limits the attempts of clients that guess */
    public ContainerAuthenticator(PasswordAuthenticator passwordAuthenticator) {
        this.passwordAuthenticator = passwordAuthenticator;
    }

    /** The result of a login attempt. */
    public sealed interface LoginResult {

        /**
         * The login succeeded.
         *
         * @param name the user's name
         * @param role the user's highest role
         */
        record LoggedIn(String name, UserRole role) implements LoginResult {}

        /** The name or the password is wrong. */
        record Wrong() implements LoginResult {}

        /** The user has none of Postern's roles. */
        record NoRole() implements LoginResult {}

        /**
         * The client has failed too often.
         *
         * @param seconds the time until it may try again, 1 or more
         */
        record Throttled(long seconds) implements LoginResult {}
    }

    /**
     * Checks the name and the password that a program sends (Basic, RFC 7617), once per request. Empty if it sends
     * none.
     */
    public Optional<LoginResult> basic(HttpServletRequest request) {
        if (request.getAttribute(ATTEMPT) instanceof LoginResult judged) {
            return Optional.of(judged);
        }
        Optional<LoginResult> attempt = BasicCredentials.of(request.getHeader("Authorization"))
                .map(sent -> authenticate(request, sent.name(), sent.password()));
        attempt.ifPresent(judged -> request.setAttribute(ATTEMPT, judged));
        return attempt;
    }

    /** Logs a user in at the container to check the password and find the role, and logs the user out again. */
    public LoginResult authenticate(HttpServletRequest request, String name, String password) {
        boolean hadSession = request.getSession(false) != null;
        AuthenticationResult authenticationResult = passwordAuthenticator.authenticate(
                request.getRemoteAddr(),
                () -> name.length() <= MOST_CHARACTERS
                        && password.length() <= MOST_CHARACTERS
                        && logsIn(request, name, password));
        if (authenticationResult instanceof AuthenticationResult.Throttled throttled) {
            return new LoginResult.Throttled(throttled.retryAfterSeconds());
        }
        if (!(authenticationResult instanceof AuthenticationResult.Admitted)) {
            return new LoginResult.Wrong();
        }
        Optional<UserRole> role = UserRole.of(request::isUserInRole);
        logOut(request);
        @Nullable HttpSession session = request.getSession(false);
        if (session != null && !hadSession) { // Undertow makes one for each login
            session.invalidate();
        }
        return role.isEmpty() ? new LoginResult.NoRole() : new LoginResult.LoggedIn(name, role.get());
    }

    private static boolean logsIn(HttpServletRequest request, String name, String password) {
        try {
            request.login(name, password);
            return true;
        } catch (ServletException unknown) { // its text may name the user
            LOG.log(
                    Level.DEBUG,
                    "Container rejected a login: {0}",
                    unknown.getClass().getName());
            return false;
        }
    }

    private static void logOut(HttpServletRequest request) {
        try {
            request.logout();
        } catch (ServletException e) {
            LOG.log(
                    Level.DEBUG,
                    "Container failed to log a user out: {0}",
                    e.getClass().getName());
        }
    }
}

package dev.postern.access;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A login of users whom the container knows, by name and password. Whether it works or not, the container has forgotten them
 * afterwards.
 */
public final class ContainerAuthenticator {

    private static final Logger LOG = System.getLogger(ContainerAuthenticator.class.getName());
    private static final String ATTEMPT = "dev.postern.access.attempt";
    private static final int MOST_CHARACTERS = 1024;

    private final PasswordAuthenticator gate;

    /**
     * @param gate keeps out who guesses
     */
    public ContainerAuthenticator(PasswordAuthenticator gate) {
        this.gate = gate;
    }

    /** A result of an attempt to log in: exactly one of these. */
    public sealed interface Attempt {

        /** It worked. */
        record In(String name, UserRole role) implements Attempt {}

        /** The name or the password is wrong. */
        record Wrong() implements Attempt {}

        /** The user has neither of our roles. */
        record NoRole() implements Attempt {}

        /** Too many have failed. */
        record Later(long seconds) implements Attempt {}
    }

    /**
     * Judges the name and the password that a program sends along (Basic, RFC 7617), once for each request; empty where it
     * sends none.
     */
    public Optional<Attempt> basic(HttpServletRequest request) {
        if (request.getAttribute(ATTEMPT) instanceof Attempt judged) {
            return Optional.of(judged);
        }
        Optional<Attempt> attempt = BasicCredentials.of(request.getHeader("Authorization"))
                .map(sent -> enter(request, sent.name(), sent.password()));
        attempt.ifPresent(judged -> request.setAttribute(ATTEMPT, judged));
        return attempt;
    }

    /** Asks the container for a user's role. */
    public Attempt enter(HttpServletRequest request, String name, String password) {
        boolean hadSession = request.getSession(false) != null;
        AuthenticationResult authenticationResult = gate.judge(
                request.getRemoteAddr(),
                () -> name.length() <= MOST_CHARACTERS
                        && password.length() <= MOST_CHARACTERS
                        && logsIn(request, name, password));
        if (authenticationResult instanceof AuthenticationResult.Throttled throttled) {
            return new Attempt.Later(throttled.retryAfterSeconds());
        }
        if (!(authenticationResult instanceof AuthenticationResult.Admitted)) {
            return new Attempt.Wrong();
        }
        Optional<UserRole> role = UserRole.of(request::isUserInRole);
        logOut(request);
        @Nullable HttpSession session = request.getSession(false);
        if (session != null && !hadSession) { // Undertow makes one for each login
            session.invalidate();
        }
        return role.isEmpty() ? new Attempt.NoRole() : new Attempt.In(name, role.get());
    }

    private static boolean logsIn(HttpServletRequest request, String name, String password) {
        try {
            request.login(name, password);
            return true;
        } catch (ServletException unknown) { // its text may name the user
            LOG.log(
                    Level.DEBUG,
                    "The container refused a login: {0}",
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
                    "The container did not log a user out: {0}",
                    e.getClass().getName());
        }
    }
}

package dev.postern.console;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.ContainerAuthenticator.LoginResult;
import dev.postern.access.UserRole;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The logins of users, kept in the container's HTTP sessions. Only a user who has logged in gets a session. */
final class LoginSessions {

    /** The form field with the CSRF token. */
    static final String TOKEN = "csrf";
    /** The header with the CSRF token, for a request that a script sends. */
    static final String TOKEN_HEADER = "X-CSRF-Token";

    private static final String SET_COOKIE = "Set-Cookie";
    private static final String NAME = "postern.user";
    private static final String ROLE = "postern.role";
    private static final String WORD = "postern.word";
    private static final Duration IDLE = Duration.ofMinutes(30);
    /** The longest life of a session: an open page refreshes itself, so that its session is never idle. */
    private static final Duration LONGEST = Duration.ofHours(12);

    private static final int TOKEN_BYTES = 16;

    private final ContainerAuthenticator login;
    private final SecureRandom random = new SecureRandom();

    LoginSessions(ContainerAuthenticator login) {
        this.login = login;
    }

    /** The user who has sent {@code request}: by a login, or by the name and password that a program sends along. */
    Optional<ConsoleUser> user(HttpServletRequest request) {
        Optional<ConsoleUser> known = loggedIn(request);
        return known.isPresent() || !ConsoleAddresses.isProgram(request)
                ? known
                : login.basic(request)
                        .filter(LoginResult.LoggedIn.class::isInstance)
                        .map(LoginResult.LoggedIn.class::cast)
                        .map(in -> new ConsoleUser(in.name(), in.role(), null));
    }

    private Optional<ConsoleUser> loggedIn(HttpServletRequest request) {
        if (request.getUserPrincipal() != null) { // the server has its own login
            return UserRole.of(request::isUserInRole)
                    .map(role -> new ConsoleUser(
                            request.getUserPrincipal().getName(), role, token(request.getSession(true))));
        }
        @Nullable HttpSession session = request.getSession(false);
        if (session == null
                || !(session.getAttribute(NAME) instanceof String name)
                || !(session.getAttribute(ROLE) instanceof String role)) {
            return Optional.empty();
        }
        if (System.currentTimeMillis() - session.getCreationTime() > LONGEST.toMillis()) {
            session.invalidate();
            return Optional.empty();
        }
        return Optional.of(new ConsoleUser(name, UserRole.valueOf(role), token(session)));
    }

    /** Starts a session for a user who has logged in; {@code response} sets its cookie. */
    void remember(HttpServletRequest request, HttpServletResponse response, LoginResult.LoggedIn in) {
        end(request);
        HttpSession session = request.getSession(true);
        session.setMaxInactiveInterval((int) IDLE.toSeconds());
        session.setAttribute(NAME, in.name());
        session.setAttribute(ROLE, in.role().name());
        keepCookiesFromOtherSites(response);
    }

    /** Adds {@code SameSite}, which GlassFish (7.0.21) drops from the configured attributes of a session cookie. */
    private static void keepCookiesFromOtherSites(HttpServletResponse response) {
        List<String> cookies = List.copyOf(response.getHeaders(SET_COOKIE));
        for (int i = 0; i < cookies.size(); i++) {
            String cookie =
                    cookies.get(i).contains("SameSite=") ? cookies.get(i) : cookies.get(i) + "; SameSite=Strict";
            if (i == 0) {
                response.setHeader(SET_COOKIE, cookie);
            } else {
                response.addHeader(SET_COOKIE, cookie);
            }
        }
    }

    /** Ends the session of {@code request}. */
    void end(HttpServletRequest request) {
        @Nullable HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
    }

    /** Stores {@code sentence} for the next page that this browser shows. */
    void storeMessage(HttpServletRequest request, String sentence) {
        request.getSession(true).setAttribute(WORD, sentence);
    }

    /** Removes and returns the sentence stored for this browser's next page; empty where there is none. */
    String takeMessage(HttpServletRequest request) {
        @Nullable HttpSession session = request.getSession(false);
        if (session == null || !(session.getAttribute(WORD) instanceof String sentence)) {
            return "";
        }
        session.removeAttribute(WORD);
        return sentence;
    }

    /** Whether a POST comes from a page that {@code user} was sent: the CSRF check. */
    static boolean passesCsrfCheck(HttpServletRequest request, ConsoleUser user) {
        if (!SameOriginCheck.allows(request)) {
            return false;
        }
        @Nullable String expected = user.token();
        if (expected == null) {
            return true;
        }
        @Nullable String header = request.getHeader(TOKEN_HEADER);
        @Nullable String sent = header == null ? request.getParameter(TOKEN) : header;
        return sent != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
    }

    private String token(HttpSession session) {
        synchronized (this) {
            if (session.getAttribute(TOKEN) instanceof String known) {
                return known;
            }
            byte[] bytes = new byte[TOKEN_BYTES];
            random.nextBytes(bytes);
            String token = HexFormat.of().formatHex(bytes);
            session.setAttribute(TOKEN, token);
            return token;
        }
    }
}

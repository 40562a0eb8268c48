package dev.postern.http;

import dev.postern.access.Admission;
import dev.postern.access.BasicCredentials;
import dev.postern.access.PasswordGate;
import dev.postern.access.Role;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets in whom the container knows by name and password (Basic, RFC 7617, in UTF-8) and has given one of our roles. */
public final class Login {

    private static final Logger LOG = System.getLogger(Login.class.getName());

    private final PasswordGate gate;
    private final Answered answered;

    /**
     * @param gate keeps out who guesses
     * @param answered counts the refusals
     */
    public Login(PasswordGate gate, Answered answered) {
        this.gate = gate;
        this.answered = answered;
    }

    /** Why the sender may not look, which is counted; null where it may. */
    @Nullable
    Refusal refusal(HttpServletRequest request) {
        boolean hadSession = request.getSession(false) != null;
        @Nullable Refusal refusal = request.getUserPrincipal() == null ? fault(request) : null;
        if (refusal == null && Role.of(request::isUserInRole).isEmpty()) {
            refusal = Refusal.NO_ROLE;
        }
        @Nullable HttpSession session = request.getSession(false);
        if (session != null && !hadSession) { // Undertow makes one for each login
            session.invalidate();
        }
        if (refusal != null) {
            answered.refused(refusal);
        }
        return refusal;
    }

    /** Why the sender isn't logged in; null when it is now. Who sends no credentials has guessed nothing. */
    private @Nullable Refusal fault(HttpServletRequest request) {
        @Nullable String header = request.getHeader("Authorization");
        if (header == null) {
            return Refusal.LOGIN;
        }
        Optional<BasicCredentials> sent = BasicCredentials.of(header);
        Admission admission =
                gate.judge(request.getRemoteAddr(), () -> sent.filter(credentials -> logsIn(request, credentials))
                        .isPresent());
        if (admission instanceof Admission.Throttled throttled) {
            return Refusal.throttled(throttled.retryAfterSeconds());
        }
        return admission instanceof Admission.Admitted ? null : Refusal.LOGIN;
    }

    private static boolean logsIn(HttpServletRequest request, BasicCredentials credentials) {
        try {
            request.login(credentials.name(), credentials.password());
            return true;
        } catch (ServletException unknown) { // its text may name the user
            LOG.log(
                    Level.DEBUG,
                    "The container refused a login: {0}",
                    unknown.getClass().getName());
            return false;
        }
    }
}

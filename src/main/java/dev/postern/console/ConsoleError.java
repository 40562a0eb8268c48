package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.postern.access.ContainerAuthenticator.LoginResult;
import dev.postern.model.DurationFormatter;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/**
 * An error response of the console. As JSON it has the shape of the hooks' errors.
 *
 * @param error the error in a sentence that says what to do
 * @param code the error in a word for a program
 * @param status the HTTP status
 * @param title the error for a person, in a few words
 */
@JsonPropertyOrder({"ok", "error", "code"})
record ConsoleError(boolean ok, String error, String code, @JsonIgnore int status, @JsonIgnore String title) {

    static final ConsoleError NOT_FOUND =
            new ConsoleError(404, "not_found", "Not found", "This does not exist, or is no longer kept.");

    ConsoleError(int status, String code, String title, String error) {
        this(false, error, code, status, title);
    }

    /** The error of a login that failed. */
    static ConsoleError of(LoginResult loginResult) {
        if (loginResult instanceof LoginResult.Throttled throttled) {
            return new ConsoleError(
                    429,
                    "throttled",
                    "Locked out",
                    "Too many logins have failed. Try again in "
                            + DurationFormatter.precise(Duration.ofSeconds(throttled.seconds())) + ".");
        }
        return loginResult instanceof LoginResult.NoRole
                ? new ConsoleError(
                        403,
                        "forbidden",
                        "No access",
                        "This user has neither of the roles postern-viewer, postern-operator.")
                : new ConsoleError(401, "unauthorized", "Login failed", "The name or the password is wrong.");
    }

    /** The HTTP response with this error. */
    Response.ResponseBuilder response() {
        return Response.status(status).entity(this);
    }
}

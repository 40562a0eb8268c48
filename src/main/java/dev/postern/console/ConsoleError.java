package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.postern.access.ContainerAuthenticator.Attempt;
import jakarta.ws.rs.core.Response;

/**
 * A response that says why there is no other. As JSON it has the shape of the hooks' errors.
 *
 * @param status of HTTP
 * @param code a word for a program
 * @param title the same for a person, in a few words
 * @param error the same in a sentence that says what to do
 */
@JsonPropertyOrder({"ok", "error", "code"})
record ConsoleError(boolean ok, String error, String code, @JsonIgnore int status, @JsonIgnore String title) {

    static final ConsoleError NOT_FOUND =
            new ConsoleError(404, "not_found", "Nothing here", "There is no such thing, or it is no longer kept.");

    ConsoleError(int status, String code, String title, String error) {
        this(false, error, code, status, title);
    }

    /** The problem with an attempt to log in that did not work. */
    static ConsoleError of(Attempt attempt) {
        if (attempt instanceof Attempt.Later later) {
            return new ConsoleError(
                    429,
                    "throttled",
                    "Not now",
                    "Too many have failed. Try again in " + later.seconds()
                            + (later.seconds() == 1 ? " second." : " seconds."));
        }
        return attempt instanceof Attempt.NoRole
                ? new ConsoleError(
                        403,
                        "forbidden",
                        "Not for you",
                        "This user has neither role: postern-viewer, postern-operator.")
                : new ConsoleError(401, "unauthorized", "Not for you", "The name or the password is wrong.");
    }

    /** A response that is this problem. */
    Response.ResponseBuilder response() {
        return Response.status(status).entity(this);
    }
}

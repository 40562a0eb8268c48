package dev.postern.app.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;

/**
 * A valve that responds to what Tomcat rejects before Postern sees it, and where Postern fails. The body is Postern's JSON
 * error if it has a code for the status; else there is none. Tomcat's own valve sends an HTML page.
 *
 * <p>Tomcat rejects some paths that it could read in more than one way, such as one with {@code %2f}, and those that it can't
 * decode. It has mapped none of them to a resource. The response is 404, as to all other such paths.
 */
final class ErrorResponseValve extends ErrorReportValve {

    private static final Map<Integer, String> BODIES = Map.of(
            HttpServletResponse.SC_NOT_FOUND, error("No hook answers to this path.", "not_found"),
            HttpServletResponse.SC_METHOD_NOT_ALLOWED, error("This method is not answered.", "method_not_allowed"),
            HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                    error("Something went wrong here. The log has the details.", "internal"),
            HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    error("The server is being started or stopped.", "unavailable"));

    private static final String RETRY_SECONDS = "5";

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < HttpServletResponse.SC_BAD_REQUEST
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        if (isPathRejected(request, response)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        }
        @Nullable String body = BODIES.get(response.getStatus());
        if (body == null) {
            return;
        }
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (response.getStatus() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", RETRY_SECONDS);
        }
        response.resetBuffer(true);
        response.setContentType("application/json");
        response.setContentLength(body.length());
        try {
            response.getOutputStream().write(body.getBytes(US_ASCII));
            response.finishResponse();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Tomcat's valve drops it: nobody is left to tell
        }
    }

    /** Whether Tomcat has read the whole head, and rejected no more of it than the path. */
    private static boolean isPathRejected(Request request, Response response) {
        AtomicBoolean isMalformed = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_ERROR, isMalformed);
        return response.getStatus() == HttpServletResponse.SC_BAD_REQUEST
                && request.getDecodedRequestURIMB().isNull()
                && !isMalformed.get();
    }

    private static String error(String sentence, String code) {
        return "{\"ok\":false,\"error\":\"" + sentence + "\",\"code\":\"" + code + "\"}";
    }
}

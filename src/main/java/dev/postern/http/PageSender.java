package dev.postern.http;

import dev.postern.model.ErrorCode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/** A sender of responses that do not come from a hook. */
final class PageSender {

    /** The headers of every response for caches and browsers. */
    static final Map<String, String> SECURITY_HEADERS =
            Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

    private PageSender() {}

    static void json(HttpServletResponse response, ErrorCode code, String sentence) throws IOException {
        byte[] body = ErrorBody.of(code, sentence).json();
        setSecurityHeaders(response);
        response.setStatus(code.status());
        response.setContentType("application/json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    static void sendNotFound(HttpServletResponse response) throws IOException {
        setSecurityHeaders(response);
        FixedErrorResponse.NOT_FOUND.send(response);
    }

    static void setSecurityHeaders(HttpServletResponse response) {
        SECURITY_HEADERS.forEach(response::setHeader);
    }
}

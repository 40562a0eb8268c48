package dev.postern.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends what isn't a hook's answer. */
final class Page {

    private Page() {}

    static void json(HttpServletResponse response, int status, Object body) throws IOException {
        send(response, status, "application/json", Json.bytes(body));
    }

    static void text(HttpServletResponse response, String contentType, String body) throws IOException {
        send(response, 200, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    static void nothing(HttpServletResponse response) throws IOException {
        guard(response);
        Refusal.NOT_FOUND.send(response);
    }

    /** What each of our answers says to caches and browsers. */
    static void guard(HttpServletResponse response) {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }

    private static void send(HttpServletResponse response, int status, String contentType, byte[] body)
            throws IOException {
        guard(response);
        response.setStatus(status);
        response.setContentType(contentType);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}

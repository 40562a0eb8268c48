package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request to the console, and the answer to it.
 *
 * @param place what follows {@code /console/} in the path
 */
record Visit(HttpServletRequest request, HttpServletResponse response, String place) {

    /** Where the console is, such as {@code /postern/console/}. */
    String base() {
        return request.getContextPath() + "/console/";
    }

    /** The place with its query. */
    String placeAndQuery() {
        @Nullable String query = request.getQueryString();
        return query == null ? place : place + "?" + query;
    }

    /** The address of the client, as the server resolved it. */
    String client() {
        return request.getRemoteAddr();
    }

    void send(int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Sends a browser to {@code elsewhere}, a place of the console, by GET. */
    void redirect(String elsewhere) {
        response.setStatus(303);
        response.setHeader("Location", base() + elsewhere);
    }
}

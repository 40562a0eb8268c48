package dev.postern.http;

import jakarta.servlet.ServletRequest;

/** A request's body, read whole within its bounds by the filter, on its way to the resource. */
final class ReceivedBody {

    private static final String ATTRIBUTE = "dev.postern.http.body";
    private static final byte[] EMPTY = {};

    private ReceivedBody() {}

    static void attach(ServletRequest request, byte[] body) {
        request.setAttribute(ATTRIBUTE, body);
    }

    static boolean isAttached(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) != null;
    }

    static byte[] of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof byte[] body ? body : EMPTY;
    }
}

package dev.postern.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers what a Postern would that waits for its database or its home: 503, when to try again, and why. */
public final class NotYet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final String RETRY_SECONDS = "5";

    private final transient ErrorBody answer;

    /**
     * @param why a sentence without its full stop and without secrets
     */
    public NotYet(String why) {
        this.answer = ErrorBody.of(
                ErrorCode.UNAVAILABLE,
                "Postern has not started yet, and will by itself: " + why + ". Nothing was accepted.");
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Retry-After", RETRY_SECONDS);
        Page.json(response, ErrorCode.UNAVAILABLE.status(), answer);
    }
}

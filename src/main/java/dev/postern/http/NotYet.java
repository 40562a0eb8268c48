package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.observe.StartReport;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers what a Postern would that waits for its database or its home: 503, when to try again, and why. */
public final class NotYet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final String RETRY_SECONDS = "5";

    private final transient ErrorBody answer;
    private final transient ErrorBody outline;

    /** Says in full to local requests what is waited for, the one problem of {@code report}. */
    public NotYet(StartReport report) {
        this.answer = body(report.problems().get(0));
        this.outline = body(report.outline());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Retry-After", RETRY_SECONDS);
        boolean local = LocalRequestRule.covers(request);
        Page.json(response, ErrorCode.UNAVAILABLE.status(), local ? answer : outline);
    }

    private static ErrorBody body(String why) {
        return ErrorBody.of(
                ErrorCode.UNAVAILABLE,
                "Postern has not started yet, and will by itself: " + why + ". Nothing was accepted.");
    }
}

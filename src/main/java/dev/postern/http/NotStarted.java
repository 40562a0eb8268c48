package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.observe.StartReport;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Answers every path of a Postern that could not start: 503, and what has to be mended first. */
public final class NotStarted extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient ErrorBody answer;
    private final transient ErrorBody outline;

    /** Names the first of the problems of {@code report} to local requests; {@code /health/ready} has them all. */
    public NotStarted(StartReport report) {
        List<String> problems = report.problems();
        String which = problems.size() == 1 ? "" : " (the first of " + problems.size() + ", see /health/ready)";
        this.answer = ErrorBody.of(
                ErrorCode.UNAVAILABLE,
                "Postern could not start here. What to mend before it is deployed again" + which + ": "
                        + problems.get(0));
        this.outline = ErrorBody.of(
                ErrorCode.UNAVAILABLE,
                "Postern could not start here: " + report.outline() + ". Its log says what to mend.");
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean local = LocalRequestRule.covers(request);
        Page.json(response, ErrorCode.UNAVAILABLE.status(), local ? answer : outline);
    }
}

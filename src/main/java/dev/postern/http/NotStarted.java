package dev.postern.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Answers every path of a Postern that could not start: 503, and what has to be mended first. */
public final class NotStarted extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient ErrorBody answer;

    /**
     * Names the first of the {@code problems}; {@code /health/ready} has them all.
     *
     * @param problems one or more, a sentence each, without secrets
     */
    public NotStarted(List<String> problems) {
        String which = problems.size() == 1 ? "" : " (the first of " + problems.size() + ", see /health/ready)";
        String sentence = "Postern could not start here. What to mend before it is deployed again" + which + ": "
                + problems.get(0);
        this.answer = ErrorBody.of(ErrorCode.UNAVAILABLE, sentence);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Page.json(response, ErrorCode.UNAVAILABLE.status(), answer);
    }
}

package dev.postern.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Answers every path of a Postern that could not start: 503, and what has to be mended. */
public final class NotStarted extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    /**
     * Names the {@code problems}.
     *
     * @param problems a sentence each, without secrets
     */
    public NotStarted(List<String> problems) {
        this.answer = new Answer(
                false,
                "Postern could not start here. Mend its configuration and deploy it again.",
                ErrorCode.UNAVAILABLE.wire(),
                List.copyOf(problems));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Page.json(response, ErrorCode.UNAVAILABLE.status(), answer);
    }

    private record Answer(boolean ok, String error, String code, List<String> problems) {}
}

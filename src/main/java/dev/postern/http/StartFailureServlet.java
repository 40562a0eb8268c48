package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;

/** A servlet that says at every address why Postern has not started: 503. */
public final class StartFailureServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final String RETRY_SECONDS = "5";

    private final transient Function<Boolean, String> sentence;
    private final boolean retries;

    /**
     * @param sentence why, for a request that is local or is not
     * @param retries whether it goes on trying, so that a request may be sent again soon
     */
    public StartFailureServlet(Function<Boolean, String> sentence, boolean retries) {
        this.sentence = sentence;
        this.retries = retries;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (retries) {
            response.setHeader("Retry-After", RETRY_SECONDS);
        }
        String why = sentence.apply(LocalRequestRule.covers(request));
        PageSender.json(response, ErrorCode.UNAVAILABLE, why);
    }
}

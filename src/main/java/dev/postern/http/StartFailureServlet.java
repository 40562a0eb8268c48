package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.model.ErrorCode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;

/** A servlet that answers 503 at every address, with the reason why Postern has not started. */
public final class StartFailureServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final String RETRY_SECONDS = "5";

    private final transient Function<Boolean, String> sentence;
    private final boolean retries;

    /**
     * @param sentence the reason, for a request that is local (true) or not (false)
     * @param retries whether Postern keeps trying to start, so that a request may be repeated soon
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

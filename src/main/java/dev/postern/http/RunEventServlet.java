package dev.postern.http;

import dev.postern.ingress.Ingress;
import dev.postern.model.RunId;
import dev.postern.model.RunView;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A servlet that streams the events of a run to a request that prefers that, and leaves every other request to the
 * servlet of the hooks: also one for a run that it does not find, so that the responses are the same.
 */
public final class RunEventServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final transient Servlet hooks;
    private final transient Ingress ingress;
    private final transient RunEventStreams streams;
    private final transient ResponseRecorder responseRecorder;

    /**
     * Creates the servlet.
     *
     * @param hooks the servlet of the hooks, which is initialised and destroyed together with this one
     * @param ingress finds the runs
     * @param streams takes the streams
     * @param responseRecorder counts the error responses
     */
    public RunEventServlet(Servlet hooks, Ingress ingress, RunEventStreams streams, ResponseRecorder responseRecorder) {
        this.hooks = hooks;
        this.ingress = ingress;
        this.streams = streams;
        this.responseRecorder = responseRecorder;
    }

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        hooks.init(config);
    }

    @Override
    public void destroy() {
        hooks.destroy();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Optional<RunView> run = followed(request);
        if (run.isPresent()) {
            stream(run.get(), request, response);
        } else {
            hooks.service(request, response);
        }
    }

    /** The run whose events {@code request} asks for; empty if it asks for something else, or the run is not found. */
    private Optional<RunView> followed(HttpServletRequest request) {
        if (!request.getMethod().equals("GET") || !EventStreamPreference.isStatedIn(request)) {
            return Optional.empty();
        }
        RequestStart start = RequestStart.of(request);
        return HookPath.runId(start.hook())
                .filter(id -> !ResultResponses.isDelivery(id))
                .flatMap(id -> ingress.run(new RunId(id), start.sender()).found());
    }

    private void stream(RunView run, HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable
        RunEventId last =
                RunEventId.parse(request.getHeader(LAST_EVENT_ID), run).orElse(null);
        if (last != null && last.step() == RunEventId.Step.END) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT); // tells the client not to come back
            return;
        }
        List<RunEventStreams.Place> taken = new ArrayList<>();
        @Nullable
        FixedErrorResponse full =
                streams.reserve(run.id(), RequestStart.of(request).sender(), taken);
        if (full != null) {
            responseRecorder.recordError(full);
            full.send(response);
            return;
        }
        taken.get(0).begin(request::startAsync, last, run);
    }
}

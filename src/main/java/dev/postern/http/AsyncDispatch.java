package dev.postern.http;

import jakarta.servlet.ServletRequest;
import java.util.concurrent.Executor;

/** A dispatch of an asynchronous request, from a thread on which its server does not process the request later. */
final class AsyncDispatch {

    private AsyncDispatch() {}

    /**
     * Runs {@code dispatch} of {@code request}.
     *
     * <p>GlassFish (7.0.21, {@code AsyncContextImpl}) marks the thread that calls {@code dispatch}, and keeps the mark.
     * If that is a thread of its pool, the pool may process the dispatched request on it. A resource that is
     * asynchronous itself completes the request there. GlassFish sees the mark, takes the request for one that is
     * dispatched again, and never sends the response. The clock's thread processes no request.
     *
     * @param clock runs on one thread of its own, from which no request is processed
     */
    static void begin(ServletRequest request, Runnable dispatch, Executor clock) {
        if (request.getServletContext().getServerInfo().contains("GlassFish")) {
            clock.execute(dispatch);
        } else {
            dispatch.run();
        }
    }
}

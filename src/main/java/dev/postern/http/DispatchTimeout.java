package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * A timeout for a dispatch that the server may lose: a request whose dispatch does not begin in time is answered 503.
 *
 * <p>GlassFish (7.0.21, {@code AsyncContextImpl}) can lose a dispatch that comes while the request's first thread
 * leaves. {@code dispatch} reads {@code delayAsyncDispatchAndComplete} and leaves the dispatch to
 * {@code onExitService}, which has already looked for one by then. The sender would never get a response.
 */
final class DispatchTimeout {

    /** The name of the request attribute that holds the timeout. */
    private static final String WATCH = "dev.postern.http.watch";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private DispatchTimeout() {}

    /**
     * Runs {@code dispatch} of {@code exchange}: under a timeout and on the clock's thread if the server may lose it.
     *
     * <p>GlassFish marks the thread that calls {@code dispatch}, and keeps the mark. If that is a thread of its pool,
     * the pool may process the dispatched request on it. A resource that is asynchronous itself completes the request
     * there. GlassFish sees the mark, takes the request for one that is dispatched again, and never sends the response.
     *
     * @param clock runs on one thread of its own, from which no request is processed
     * @param refused receives the error response that is sent here
     */
    static void dispatch(
            AsyncContext exchange,
            Runnable dispatch,
            ScheduledExecutorService clock,
            Consumer<FixedErrorResponse> refused) {
        ServletRequest request = exchange.getRequest();
        if (request.getServletContext().getServerInfo().contains("GlassFish")) {
            OneShotTimeout begin = new OneShotTimeout();
            request.setAttribute(WATCH, begin);
            begin.set(
                    clock,
                    LONGEST_WAIT,
                    () -> exchange.start(() -> {
                        refused.accept(FixedErrorResponse.DISPATCH_LOST);
                        FixedErrorResponse.DISPATCH_LOST.complete(
                                exchange, (HttpServletResponse) exchange.getResponse());
                    }));
            clock.execute(dispatch);
        } else {
            dispatch.run();
        }
    }

    /** Ends the timeout, because the dispatch begins. False if it has expired before. */
    static boolean end(ServletRequest request) {
        return !(request.getAttribute(WATCH) instanceof OneShotTimeout begin) || begin.tryEnd();
    }
}

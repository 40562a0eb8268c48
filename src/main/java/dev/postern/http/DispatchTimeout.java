package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
    private static final System.Logger LOG = System.getLogger(DispatchTimeout.class.getName());

    private DispatchTimeout() {}

    /**
     * Starts the timeout of the dispatch of {@code exchange}, which comes next.
     *
     * @param refused receives the error response that is sent here
     */
    static void watch(AsyncContext exchange, ScheduledExecutorService clock, Consumer<FixedErrorResponse> refused) {
        ServletRequest request = exchange.getRequest();
        if (request.getServletContext().getServerInfo().contains("GlassFish")) {
            OneShotTimeout begin = new OneShotTimeout();
            request.setAttribute(WATCH, begin);
            begin.set(clock, LONGEST_WAIT, () -> exchange.start(() -> answer(exchange, refused)));
        }
    }

    /** Ends the timeout, because the dispatch begins. False if it has expired before. */
    static boolean end(ServletRequest request) {
        return !(request.getAttribute(WATCH) instanceof OneShotTimeout begin) || begin.tryEnd();
    }

    private static void answer(AsyncContext exchange, Consumer<FixedErrorResponse> refused) {
        refused.accept(FixedErrorResponse.DISPATCH_LOST);
        try {
            FixedErrorResponse.DISPATCH_LOST.send((HttpServletResponse) exchange.getResponse());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "Sender disconnected before the error response was sent", e);
        } finally {
            exchange.complete();
        }
    }
}

package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The body of a request that was answered before the body arrived. The response is sent at once. The rest of the body
 * is discarded for up to 2 s, and then the connection is closed. Without this, the rest would hold a container thread
 * (Tomcat waits for it), so anyone could take all threads. And closing at once could take the response away from a
 * sender that is still sending (RFC 9112, section 9.6).
 */
final class UnreadBody implements ReadListener {

    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final int CHUNK_BYTES = 8_192;

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final OneShotTimeout end = new OneShotTimeout();

    private UnreadBody(AsyncContext exchange, ServletInputStream in) {
        this.exchange = exchange;
        this.in = in;
    }

    /** Sends {@code fixedErrorResponse} and has the connection closed, without holding a thread meanwhile. */
    static void sendError(
            FixedErrorResponse fixedErrorResponse,
            HttpServletRequest request,
            HttpServletResponse response,
            ScheduledExecutorService clock)
            throws IOException {
        AsyncContext exchange = new LeakFreeAsyncContext(request.startAsync(request, response));
        response.setHeader("Connection", "close");
        fixedErrorResponse.send(response);
        drop(exchange, request, response, clock);
    }

    /**
     * Discards the body of a request that was answered with {@code Connection: close}, and has the connection closed,
     * without holding a thread meanwhile.
     */
    static void drop(HttpServletRequest request, HttpServletResponse response, ScheduledExecutorService clock)
            throws IOException {
        drop(new LeakFreeAsyncContext(request.startAsync(request, response)), request, response, clock);
    }

    private static void drop(
            AsyncContext exchange,
            HttpServletRequest request,
            HttpServletResponse response,
            ScheduledExecutorService clock)
            throws IOException {
        exchange.setTimeout(0); // this class keeps the deadline
        response.flushBuffer();
        UnreadBody rest = new UnreadBody(exchange, request.getInputStream());
        // The response has been sent, and servers complete and close without blocking, so the clock does not wait.
        rest.end.set(clock, LINGER, exchange::complete);
        ReadListenerRegistration.begin(request, rest, clock);
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] nowhere = new byte[CHUNK_BYTES];
        while (!end.isOver() && in.isReady()) {
            if (in.read(nowhere) < 0) {
                return;
            }
        }
    }

    @Override
    public void onAllDataRead() {
        complete();
    }

    @Override
    public void onError(Throwable failure) {
        complete();
    }

    private void complete() {
        if (end.tryEnd()) {
            exchange.complete();
        }
    }
}

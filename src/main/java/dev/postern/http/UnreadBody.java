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
 * The body of a request that was answered before it arrived. The answer is sent at once; what still comes of the body
 * runs into nothing for a short while, and then the connection is closed. Left to the server, the rest would hold a
 * container thread (Tomcat waits for it), so that anybody could take all of them; and hanging up at once could take the
 * answer away from a sender that is still sending (RFC 9112, section 9.6).
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

    /** Sends {@code refusal} and has the connection closed, holding no thread meanwhile. */
    static void refuse(
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
     * Drops the body of a request that has been answered with {@code Connection: close}, and has the connection closed,
     * holding no thread meanwhile.
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
        exchange.setTimeout(0); // the deadline is ours
        response.flushBuffer();
        UnreadBody rest = new UnreadBody(exchange, request.getInputStream());
        // The answer has left, and servers complete and close without blocking: nothing that the clock would wait for.
        rest.end.set(clock, LINGER, exchange::complete);
        ReadListenerRegistration.begin(request, rest, clock);
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] nowhere = new byte[CHUNK_BYTES];
        while (!end.isOver() && in.isReady() && !in.isFinished()) {
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
        if (end.isFirst()) {
            exchange.complete();
        }
    }
}

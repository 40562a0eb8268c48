package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The body of a request that was refused before it arrived. The refusal is sent at once; what still comes of the body
 * runs into nothing for a short while, and then the connection is closed. Left to the server, the rest would hold a
 * container thread (Tomcat waits for it), so that anybody could take all of them; and hanging up at once could take the
 * answer away from a sender that is still sending (RFC 9112, section 9.6).
 */
final class UnreadBody implements ReadListener {

    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final int CHUNK_BYTES = 8_192;

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Future<?> deadline;

    private UnreadBody(AsyncContext exchange, ServletInputStream in, ScheduledExecutorService clock) {
        this.exchange = exchange;
        this.in = in;
        this.deadline = clock.schedule(this::end, LINGER.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Sends {@code refusal} and has the connection closed, holding no thread meanwhile. */
    static void refuse(
            Refusal refusal, HttpServletRequest request, HttpServletResponse response, ScheduledExecutorService clock)
            throws IOException {
        AsyncContext exchange = request.startAsync(request, response);
        exchange.setTimeout(0); // the deadline is ours
        response.setHeader("Connection", "close");
        refusal.send(response);
        response.flushBuffer();
        ServletInputStream in = request.getInputStream();
        in.setReadListener(new UnreadBody(exchange, in, clock));
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] nowhere = new byte[CHUNK_BYTES];
        while (!ended.get() && in.isReady() && !in.isFinished()) {
            if (in.read(nowhere) < 0) {
                return;
            }
        }
    }

    @Override
    public void onAllDataRead() {
        end();
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    private void end() {
        deadline.cancel(false);
        if (ended.compareAndSet(false, true)) {
            exchange.complete();
        }
    }
}

package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a body that has not arrived whole yet, without holding a container thread while it trickles in. Whoever comes
 * first ends it, and only once: the last byte, the first byte too many, the deadline, or a broken connection.
 */
final class SlowBody implements ReadListener {

    private static final int CHUNK_BYTES = 8_192;

    private final AsyncContext exchange;
    private final ServletInputStream in;
    private final int maxBytes;
    private final Consumer<Refusal> refused;
    private final Function<byte[], Received> whole;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Future<?> deadline;

    private SlowBody(
            AsyncContext exchange,
            ServletInputStream in,
            byte[] begun,
            BodyBounds bounds,
            ScheduledExecutorService clock,
            Consumer<Refusal> refused,
            Function<byte[], Received> whole) {
        this.exchange = exchange;
        this.in = in;
        this.maxBytes = bounds.maxBytes();
        this.refused = refused;
        this.whole = whole;
        received.writeBytes(begun);
        this.deadline = clock.schedule(
                () -> refuse(Refusal.BODY_TIMEOUT), bounds.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Begins to read; dispatches the request again with its body attached when all of it is there.
     *
     * @param begun what of the body was read already
     * @param refused told of a refusal that this sends
     * @param whole makes of the whole body what is attached
     */
    static void read(
            HttpServletRequest request,
            HttpServletResponse response,
            byte[] begun,
            BodyBounds bounds,
            ScheduledExecutorService clock,
            Consumer<Refusal> refused,
            Function<byte[], Received> whole)
            throws IOException {
        AsyncContext exchange = request.startAsync(request, response);
        exchange.setTimeout(0); // the deadline is ours
        ServletInputStream in = request.getInputStream();
        in.setReadListener(new SlowBody(exchange, in, begun, bounds, clock, refused, whole));
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (in.isReady() && !in.isFinished()) {
            int count = in.read(chunk);
            if (count < 0) {
                return;
            }
            if (received.size() + count > maxBytes) {
                refuse(Refusal.PAYLOAD_TOO_LARGE);
                return;
            }
            received.write(chunk, 0, count);
        }
    }

    @Override
    public void onAllDataRead() {
        if (end()) {
            whole.apply(received.toByteArray()).attach();
            exchange.dispatch();
        }
    }

    /** Servers have a deadline of their own for each read, which may come before ours. */
    @Override
    public void onError(Throwable failure) {
        boolean late = failure instanceof SocketTimeoutException || failure instanceof TimeoutException;
        refuse(late ? Refusal.BODY_TIMEOUT : Refusal.BODY_BROKEN);
    }

    private void refuse(Refusal refusal) {
        if (!end()) {
            return;
        }
        refused.accept(refusal);
        try {
            refusal.send((HttpServletResponse) exchange.getResponse());
            // Some servers hang up after a broken body without sending what is only buffered.
            exchange.getResponse().flushBuffer();
        } catch (IOException e) {
            System.getLogger(SlowBody.class.getName())
                    .log(System.Logger.Level.DEBUG, "A sender went away before its refusal was sent", e);
        } finally {
            exchange.complete();
        }
    }

    private boolean end() {
        deadline.cancel(false);
        return ended.compareAndSet(false, true);
    }
}

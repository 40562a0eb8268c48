package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A response that streams the events of one run. It never blocks: it writes as far as the connection takes it, on
 * whichever thread has something new, and the server calls when the connection takes more. It keeps no events of its own,
 * only its place in those of the run, so a client that does not read costs no more than one that does.
 */
final class RunEventStream implements WriteListener, AsyncListener {

    private static final System.Logger LOG = System.getLogger(RunEventStream.class.getName());

    /** The most bytes of one write: what a server may have to keep for a client that does not read. */
    private static final int CHUNK = 4_096;

    private static final byte[] NOTHING = {};
    private static final byte[] KEEP_ALIVE = ":\n\n".getBytes(StandardCharsets.UTF_8);

    /** The time after which a client comes back, in milliseconds; it makes proxies pass the head on at once. */
    private static final byte[] BEGIN = "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);

    private final AsyncContext exchange;
    private final ServletOutputStream out;
    private final LongSupplier nanos;
    private final Consumer<RunEventStream> ended;
    private final long begun;

    /** The number of requests to write that the writing thread has not seen to; 0 if no thread is writing. */
    private final AtomicInteger requests = new AtomicInteger();

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile List<RunEvent> events = List.of();
    private volatile boolean closes;

    /** Whether the server will call when the connection takes more. It also calls for the first time by itself. */
    private volatile boolean waits = true;

    /** The time of the last byte that the connection has taken. */
    private volatile long written;

    // The writing thread's alone:
    private @Nullable RunEventId last;
    private byte[] current = BEGIN;
    private int offset;
    private boolean isFlushed = true;
    private boolean hasFlushed;
    private boolean isComplete;
    private volatile boolean wantsKeepAlive;

    private RunEventStream(
            AsyncContext exchange,
            ServletOutputStream out,
            @Nullable RunEventId last,
            LongSupplier nanos,
            Consumer<RunEventStream> ended) {
        this.exchange = exchange;
        this.out = out;
        this.last = last;
        this.nanos = nanos;
        this.ended = ended;
        this.begun = nanos.getAsLong();
        this.written = begun;
    }

    /**
     * Begins a response to the request of {@code exchange}.
     *
     * @param last the id of the last event that the client has; null if it has none
     * @param nanos as {@link System#nanoTime}
     * @param ended called once, when the stream has ended, for whatever reason
     */
    static RunEventStream begin(
            AsyncContext exchange, @Nullable RunEventId last, LongSupplier nanos, Consumer<RunEventStream> ended)
            throws IOException {
        HttpServletResponse response = (HttpServletResponse) exchange.getResponse();
        response.setContentType(EventStreamPreference.MEDIA_TYPE);
        response.setHeader("X-Accel-Buffering", "no"); // nginx would wait for more
        exchange.setTimeout(0); // the streams keep the time
        RunEventStream stream = new RunEventStream(exchange, response.getOutputStream(), last, nanos, ended);
        exchange.addListener(stream);
        stream.out.setWriteListener(stream);
        return stream;
    }

    /** Sends those of {@code all}, the run's events so far, that the client does not have. */
    void send(List<RunEvent> all) {
        if (!all.equals(events)) {
            events = all;
            write();
        }
    }

    /** Sends a comment, so that nobody on the way takes the connection for dead. */
    void keepAlive() {
        wantsKeepAlive = true;
        write();
    }

    /** Ends the response as soon as the connection has taken what is begun, before the last event of the run. */
    void close() {
        closes = true;
        write();
    }

    /** Ends the response whether its client reads or not. */
    void abort() {
        complete();
    }

    /** The time since its beginning, in nanoseconds. */
    long age() {
        return nanos.getAsLong() - begun;
    }

    /** The time for which the connection has not taken a byte, in nanoseconds. */
    long silence() {
        return nanos.getAsLong() - written;
    }

    /** Whether the connection takes nothing for now. */
    boolean isStalled() {
        return waits;
    }

    /** Whether the response has ended. */
    boolean isOver() {
        return over.get();
    }

    @Override
    public void onWritePossible() {
        waits = false;
        write();
    }

    @Override
    public void onError(Throwable failure) {
        LOG.log(Level.DEBUG, "Client that followed a run is gone: {0}", failure.toString());
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        complete();
    }

    @Override
    public void onError(AsyncEvent event) {
        complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}

    /** Writes what there is, unless another thread does: then that one goes on. */
    private void write() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        while (seen != 0) {
            try {
                writeAll();
            } catch (IOException | RuntimeException gone) {
                onError(gone);
            }
            seen = requests.addAndGet(-seen);
        }
    }

    private void writeAll() throws IOException {
        while (!waits && !isOver() && (offset < current.length || takeNext() || !isFlushed || isComplete)) {
            waits = true; // before the question: the server may call before it is answered
            if (!out.isReady()) {
                return;
            }
            waits = false;
            written = nanos.getAsLong();
            if (offset < current.length) {
                int length = Math.min(CHUNK, current.length - offset);
                out.write(current, offset, length);
                offset += length;
                isFlushed = false;
            } else if (!isFlushed) {
                out.flush();
                isFlushed = hasFlushed; // Open Liberty ignores the first flush of a response
                hasFlushed = true;
            } else {
                complete();
            }
        }
    }

    /** Takes the next bytes to write; false if there are none now. */
    private boolean takeNext() {
        current = NOTHING;
        offset = 0;
        if (isComplete) {
            return false;
        }
        if (closes) {
            isComplete = true;
            return false;
        }
        for (RunEvent event : events) {
            if (last == null || event.id().isAfter(last)) {
                last = event.id();
                current = event.bytes();
                isComplete = event.isLast();
                return true;
            }
        }
        if (wantsKeepAlive) {
            wantsKeepAlive = false;
            current = KEEP_ALIVE;
            return true;
        }
        return false;
    }

    private void complete() {
        if (end()) {
            try {
                exchange.complete();
            } catch (IllegalStateException e) {
                LOG.log(Level.DEBUG, "Server ended the stream of a run's events itself", e);
            }
        }
    }

    /** Notes the end; true for the first caller. */
    private boolean end() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        ended.accept(this);
        return true;
    }
}

package dev.postern.http;

import dev.postern.access.BodyLimit;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A body whose bytes are still arriving. It takes memory for the bytes that have arrived, whatever the request
 * announces: 8 KiB for the first ones, then at most twice as much as needed. The memory comes out of a budget until
 * {@link #release}, when the request has been processed. The first 8 KiB of a body that is not waited for are exempt,
 * since there are no more of those than threads.
 *
 * <p>Read by one thread at a time; released by any thread, possibly during a read.
 */
final class ArrivingBody {

    private static final int FIRST_BYTES = 8_192;
    private static final byte[] NOTHING = {};

    private final int announced;
    private final BodyLimit limit;
    private final int maxBytes;
    private final BodyBudget budget;
    private final boolean compressed;

    private byte[] bytes = NOTHING;
    private int count;
    private @Nullable FixedErrorResponse error;

    private int free = FIRST_BYTES;
    private int taken;
    private BodyProcessingQueue.@Nullable Place place;
    private boolean released;

    /** Creates a body without any bytes yet, which is not compressed. */
    ArrivingBody(int announced, BodyLimit limit, BodyBudget budget) {
        this(announced, limit, budget, false);
    }

    /**
     * Creates a body without any bytes yet.
     *
     * @param announced its Content-Length, at most what {@code limit} allows; -1 if it has none
     * @param compressed whether its content may be larger than itself
     */
    ArrivingBody(int announced, BodyLimit limit, BodyBudget budget, boolean compressed) {
        this.announced = announced;
        this.compressed = compressed;
        this.limit = limit;
        this.maxBytes = announced < 0 ? limit.maxBytes() : announced;
        this.budget = budget;
    }

    /**
     * Reads the available bytes of {@code in}. False if the body has ended, or {@link #error} says why no more is read.
     */
    boolean read(ServletInputStream in) throws IOException {
        if (count == maxBytes) {
            if (in.read() >= 0) {
                error = FixedErrorResponse.tooLarge(limit, Long.MAX_VALUE);
            }
            return false;
        }
        if (count == bytes.length && !grow()) {
            error = FixedErrorResponse.TOO_MANY_BODIES;
            return false;
        }
        int read = in.read(bytes, count, bytes.length - count);
        count += Math.max(0, read);
        return read >= 0;
    }

    BodyLimit limit() {
        return limit;
    }

    /** The error that ends reading; null if there is none. */
    @Nullable
    FixedErrorResponse error() {
        return error;
    }

    /** Whether all announced bytes have arrived; never true for a body without a Content-Length. */
    boolean isWhole() {
        return count == announced;
    }

    /** Whether announced bytes are missing; never true for a body without a Content-Length. */
    boolean isShort() {
        return count < announced;
    }

    /**
     * Prepares to wait for the rest: the first 8 KiB come out of the budget too from now on. Returns the error that
     * prevents waiting, or null.
     */
    @Nullable
    synchronized FixedErrorResponse waitFor() {
        free = 0;
        if (error == null && !affords(bytes.length)) {
            error = FixedErrorResponse.TOO_MANY_BODIES;
        }
        return error;
    }

    /** Passes all bytes that have arrived to {@code judge}, which owns them from now on, and returns its result. */
    AdmissionResult handTo(Function<byte[], AdmissionResult> judge) {
        byte[] whole = count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        bytes = NOTHING;
        return judge.apply(whole);
    }

    /** Whether this body, which has arrived, may be processed at once; a small one always may. */
    boolean mayProcessNow(BodyProcessingQueue queue) {
        return isSmall() || placeIn(queue).tryEnter();
    }

    /** Processes this body, which has arrived, in its turn: at once, or after others have ended. */
    void process(BodyProcessingQueue queue, Runnable process) {
        if (isSmall()) {
            process.run();
        } else {
            placeIn(queue).enter(process);
        }
    }

    private synchronized BodyProcessingQueue.Place placeIn(BodyProcessingQueue queue) {
        BodyProcessingQueue.Place own = queue.place(compressed ? GzipContent.largest(count, limit) : count);
        place = own;
        if (released) {
            own.end();
        }
        return own;
    }

    private boolean isSmall() {
        return count <= FIRST_BYTES && !compressed;
    }

    /** Returns the memory to the budget and the place to the queue; from now on no more is taken. */
    void release() {
        BodyProcessingQueue.Place own;
        synchronized (this) {
            released = true;
            budget.giveBack(taken);
            taken = 0;
            own = place;
        }
        if (own != null) {
            own.end();
        }
    }

    private boolean grow() {
        int size = (int) Math.min(maxBytes, Math.max(FIRST_BYTES, 2L * bytes.length));
        if (!affords(size)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    private synchronized boolean affords(int size) {
        int more = Math.max(0, size - free) - taken;
        if (released || !budget.take(more, size <= FIRST_BYTES)) {
            return false;
        }
        taken += more;
        return true;
    }
}

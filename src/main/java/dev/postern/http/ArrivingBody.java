package dev.postern.http;

import dev.postern.access.BodyLimit;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a body as they come. They take memory for what has arrived, whatever the request announces: 8 KiB for the
 * first of them, then at most twice as much as is needed. It comes out of a budget until {@link #release}, when its request
 * has been processed; but for the first 8 KiB of a body that nobody waits for, since there are no more of those than threads.
 *
 * <p>Read by one thread at a time; released by any, perhaps meanwhile.
 */
final class ArrivingBody {

    private static final int FIRST_BYTES = 8_192;
    private static final byte[] NOTHING = {};

    private final int announced;
    private final BodyLimit limit;
    private final int maxBytes;
    private final BodyBudget budget;

    private byte[] bytes = NOTHING;
    private int count;
    private @Nullable FixedErrorResponse fault;

    private int free = FIRST_BYTES;
    private int taken;
    private BodyProcessingQueue.@Nullable Place place;
    private boolean released;

    /**
     * A body of which nothing has been read.
     *
     * @param announced its Content-Length, at most what {@code limit} allows; -1 where it has none
     */
    ArrivingBody(int announced, BodyLimit limit, BodyBudget budget) {
        this.announced = announced;
        this.limit = limit;
        this.maxBytes = announced < 0 ? limit.maxBytes() : announced;
        this.budget = budget;
    }

    /** Takes what {@code in} has at hand; false where the body has ended, or {@link #fault} says why no more is taken. */
    boolean read(ServletInputStream in) throws IOException {
        if (count == maxBytes) {
            if (in.read() >= 0) {
                fault = FixedErrorResponse.tooLarge(limit, Long.MAX_VALUE);
            }
            return false;
        }
        if (count == bytes.length && !grow()) {
            fault = FixedErrorResponse.TOO_MANY_BODIES;
            return false;
        }
        int read = in.read(bytes, count, bytes.length - count);
        count += Math.max(0, read);
        return read >= 0;
    }

    BodyLimit limit() {
        return limit;
    }

    /** Why no more can be taken; null while nothing is wrong. */
    @Nullable
    FixedErrorResponse fault() {
        return fault;
    }

    /** True where all that was announced is here; never of a body that says nothing of its length. */
    boolean isWhole() {
        return count == announced;
    }

    /** True where something that was announced is not here; never of a body that says nothing of its length. */
    boolean isShort() {
        return count < announced;
    }

    /** To be said before the rest is waited for; says why it is not to be, null where nothing is wrong. */
    @Nullable
    synchronized FixedErrorResponse waitFor() {
        free = 0;
        if (fault == null && !affords(bytes.length)) {
            fault = FixedErrorResponse.TOO_MANY_BODIES;
        }
        return fault;
    }

    /** What {@code judge} says of all the bytes that have arrived, which are its own from now on. */
    AdmissionResult handTo(Function<byte[], AdmissionResult> judge) {
        byte[] whole = count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        bytes = NOTHING;
        return judge.apply(whole);
    }

    /** True where this body, which has arrived, may be processed at once: a small one always. */
    boolean isProcessedNow(BodyProcessingQueue queue) {
        return count <= FIRST_BYTES || placeIn(queue).entersNow();
    }

    /** Has this body, which has arrived, processed in its turn: at once, or when others have ended. */
    void process(BodyProcessingQueue queue, Runnable process) {
        if (count <= FIRST_BYTES) {
            process.run();
        } else {
            placeIn(queue).enter(process);
        }
    }

    private synchronized BodyProcessingQueue.Place placeIn(BodyProcessingQueue queue) {
        BodyProcessingQueue.Place own = queue.place(count);
        place = own;
        if (released) {
            own.end();
        }
        return own;
    }

    /** Gives back what came out of the budget, and its place in the queue; from now on nothing more is taken. */
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

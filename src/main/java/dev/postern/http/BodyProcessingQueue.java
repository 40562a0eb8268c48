package dev.postern.http;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests whose large bodies have arrived. Few of them are processed at the same time, because parsed JSON
 * takes up to thirty times the memory of its bytes. Waiting requests hold no thread. Thread-safe.
 */
final class BodyProcessingQueue {

    private final long mostBytes;
    private final Deque<Place> waiting = new ArrayDeque<>();
    private long bytes;

    /** @param mostBytes the maximum size of all bodies processed at the same time; a larger body is processed alone */
    BodyProcessingQueue(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * A place for a request, which takes it by {@link Place#enter} or {@link Place#tryEnter} and must end it.
     *
     * @param size the size of the request's body, in bytes
     */
    Place place(int size) {
        return new Place(size);
    }

    /** A place of one request: it waits, is processed, and ends. */
    final class Place {

        private final int size;
        private Runnable begin = () -> {};
        private boolean begun;
        private boolean ended;

        private Place(int size) {
            this.size = size;
        }

        /** Takes the place if the request may be processed at once. False if it may not; then it has taken no place. */
        boolean tryEnter() {
            return takeNow(this);
        }

        /**
         * Runs {@code process} at once on this thread, or after others have ended on one of their threads. If it fails, the
         * place ends, and the failure reaches the caller on that thread.
         */
        void enter(Runnable process) {
            begin = process;
            append(this);
            beginNext();
        }

        /** Ends this place and begins the next ones on this thread; does nothing when called again. */
        void end() {
            remove(this);
            beginNext();
        }
    }

    private synchronized boolean takeNow(Place place) {
        if (!waiting.isEmpty() || !fits(place)) {
            return false;
        }
        begin(place);
        return true;
    }

    private synchronized void append(Place place) {
        if (!place.ended) {
            waiting.add(place);
        }
    }

    private synchronized void remove(Place place) {
        if (place.ended) {
            return;
        }
        place.ended = true;
        if (place.begun) {
            bytes -= place.size;
        } else {
            waiting.remove(place);
        }
    }

    /** Begins the places that may begin now, one by one, so that one that fails keeps no other back. */
    private void beginNext() {
        for (@Nullable Place place = next(); place != null; place = next()) {
            boolean isBegun = false;
            try {
                place.begin.run();
                isBegun = true;
            } finally {
                if (!isBegun) {
                    place.end();
                }
            }
        }
    }

    /** Removes and returns the first place, if it may begin now; else null. */
    private synchronized @Nullable Place next() {
        if (waiting.isEmpty() || !fits(waiting.element())) {
            return null;
        }
        Place place = waiting.remove();
        begin(place);
        return place;
    }

    private boolean fits(Place place) {
        return bytes == 0 || bytes + place.size <= mostBytes;
    }

    private void begin(Place place) {
        place.begun = true;
        bytes += place.size;
    }
}

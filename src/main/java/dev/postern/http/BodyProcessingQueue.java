package dev.postern.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A queue of requests whose large bodies are here, of which few are processed at one time: JSON that was read takes up to
 * thirty times the memory of its bytes. Those that wait hold no thread. Safe for use by many threads.
 */
final class BodyProcessingQueue {

    private final long mostBytes;
    private final Deque<Place> waiting = new ArrayDeque<>();
    private long bytes;

    /** @param mostBytes of bodies that are processed at one time; one that is larger is processed alone */
    BodyProcessingQueue(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * A place for a request, which takes it by {@link Place#enter} or {@link Place#entersNow} and has to end it.
     *
     * @param size of its body, in bytes
     */
    Place place(int size) {
        return new Place(size);
    }

    /** A request's place: it waits, is processed, and ends. */
    final class Place {

        private final int size;
        private Runnable begin = () -> {};
        private boolean begun;
        private boolean ended;

        private Place(int size) {
            this.size = size;
        }

        /** True where the request may be processed at once; else it has taken no place. */
        boolean entersNow() {
            return takeNow(this);
        }

        /** Runs {@code process} at once, on this thread, or when others have ended, on one of theirs. */
        void enter(Runnable process) {
            begin = process;
            take(this);
        }

        /** Lets the next ones begin, on this thread; does nothing when said again. */
        void end() {
            leave(this);
        }
    }

    private synchronized boolean takeNow(Place place) {
        if (!waiting.isEmpty() || !fits(place)) {
            return false;
        }
        begin(place);
        return true;
    }

    private void take(Place place) {
        List<Place> next;
        synchronized (this) {
            if (place.ended) {
                return;
            }
            waiting.add(place);
            next = next();
        }
        next.forEach(each -> each.begin.run());
    }

    private void leave(Place place) {
        List<Place> next;
        synchronized (this) {
            if (place.ended) {
                return;
            }
            place.ended = true;
            if (place.begun) {
                bytes -= place.size;
            } else {
                waiting.remove(place);
            }
            next = next();
        }
        next.forEach(each -> each.begin.run());
    }

    /** Those that may begin now. */
    private List<Place> next() {
        List<Place> next = new ArrayList<>();
        while (!waiting.isEmpty() && fits(waiting.element())) {
            Place place = waiting.remove();
            begin(place);
            next.add(place);
        }
        return next;
    }

    private boolean fits(Place place) {
        return bytes == 0 || bytes + place.size <= mostBytes;
    }

    private void begin(Place place) {
        place.begun = true;
        bytes += place.size;
    }
}

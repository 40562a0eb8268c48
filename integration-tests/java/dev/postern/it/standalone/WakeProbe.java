package dev.postern.it.standalone;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A probe that sends one right wake after the other, each on a connection of its own, and notes how long each takes until
 * its response is there.
 */
final class WakeProbe implements AutoCloseable {

    private static final String WAKE = "{\"text\":\"still there\",\"mode\":\"next-heartbeat\"}";
    private static final String REQUEST = "POST /hooks/wake HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + HomeFixture.TOKEN + "\r\nContent-Type: application/json\r\nContent-Length: " + WAKE.length()
            + "\r\nConnection: close\r\n\r\n" + WAKE;

    private final URI server;
    private final List<Duration> times = new ArrayList<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final CompletableFuture<Void> end;
    private volatile boolean over;

    private WakeProbe(URI server) {
        this.server = server;
        this.end = CompletableFuture.runAsync(this::sendUntilOver, thread);
    }

    static WakeProbe start(URI server) {
        return new WakeProbe(server);
    }

    /** Sends one wake; returns how long it took. Fails if it is not answered 200. */
    static Duration wake(URI server) throws IOException {
        long start = System.nanoTime();
        RawExchange exchange = RawExchange.with(server, REQUEST);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        if (exchange.status() != 200) {
            throw new AssertionError("a wake was answered " + exchange);
        }
        return took;
    }

    /** The number of wakes that have been answered. Fails if one was not. */
    int count() {
        if (end.isCompletedExceptionally()) {
            end.join();
        }
        synchronized (times) {
            return times.size();
        }
    }

    /** Ends the wakes and returns the times of all. Fails if one was not answered. */
    WakeTimes stop() throws InterruptedException, ExecutionException {
        over = true;
        end.get();
        synchronized (times) {
            return new WakeTimes(times.stream().sorted().toList());
        }
    }

    @Override
    public void close() {
        over = true;
        thread.shutdownNow();
    }

    private void sendUntilOver() {
        while (!over) {
            try {
                Duration took = wake(server);
                synchronized (times) {
                    times.add(took);
                }
            } catch (IOException e) {
                throw new AssertionError("wake " + count() + " was not answered", e);
            }
        }
    }

    /**
     * The times of some wakes.
     *
     * @param ascending one or more
     */
    record WakeTimes(List<Duration> ascending) {

        /** The time that {@code percent} of the wakes did not exceed. */
        Duration percentile(int percent) {
            return ascending.get((ascending.size() - 1) * percent / 100);
        }

        boolean isSlowerThan(WakeTimes other) {
            return percentile(99).compareTo(other.percentile(99)) > 0;
        }

        Duration slowest() {
            return ascending.get(ascending.size() - 1);
        }

        @Override
        public String toString() {
            return String.format(
                    "%d wakes, p50 %d ms, p99 %d ms, slowest %d ms",
                    ascending.size(),
                    percentile(50).toMillis(),
                    percentile(99).toMillis(),
                    slowest().toMillis());
        }
    }
}

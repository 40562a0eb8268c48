package dev.postern.net;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fetcher of small documents for callers that can't wait: they ask again until the document is there. It makes one
 * request at a time and, after one that brought nothing, at most one a second. What it keeps is bounded, and good responses
 * are not displaced by others. Thread-safe.
 */
public final class BackgroundFetcher implements DocumentSource {

    private static final int MAX_BYTES = 65_536;
    private static final int MAX_KEPT = 64;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** The time for which a client error is not tried again. */
    private static final Duration KEPT_ERROR = Duration.ofMinutes(1);

    private final HttpConnections connections;
    private final LongSupplier nanos;
    private final Map<URI, Fetched> good = new LruMap<>(MAX_KEPT);
    private final Map<URI, RejectedUntil> rejected = new LruMap<>(MAX_KEPT);
    private @Nullable OutboundExchange<?> current;
    private long deadline;
    private long next;

    /**
     * Creates a fetcher that has fetched nothing.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public BackgroundFetcher(HttpConnections connections, LongSupplier nanos) {
        this.connections = connections;
        this.nanos = nanos;
        this.next = nanos.getAsLong();
    }

    /** The response of {@code address}. A server's error and a failed connection leave it empty, and can be tried again. */
    @Override
    public synchronized Optional<Fetched> find(URI address) {
        @Nullable Fetched fetched = good.get(address);
        @Nullable RejectedUntil refusal = rejected.get(address);
        if (fetched == null && refusal != null && refusal.until() - nanos.getAsLong() > 0) {
            return Optional.of(refusal.fetched());
        }
        return Optional.ofNullable(fetched);
    }

    /** Begins to fetch {@code address} unless another address is being fetched. */
    @Override
    public synchronized void request(URI address) {
        long now = nanos.getAsLong();
        if (current != null && deadline - now <= 0) {
            current.giveUp();
            current = null;
        }
        if (current == null && next - now <= 0) {
            begin(address, now);
        }
    }

    private void begin(URI address, long now) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(TIMEOUT)
                .build();
        OutboundExchange<Optional<byte[]>> exchange = connections.send(request, BoundedBodyHandler.of(MAX_BYTES));
        current = exchange;
        deadline = now + TIMEOUT.toNanos();
        var unused = exchange.response().whenComplete((response, failure) -> end(exchange, address, response));
    }

    /** @param response null if the exchange failed */
    private synchronized void end(
            OutboundExchange<?> exchange, URI address, @Nullable HttpResponse<Optional<byte[]>> response) {
        long now = nanos.getAsLong();
        if (current == exchange) {
            current = null;
        }
        next = now + PAUSE.toNanos();
        if (response == null) {
            return;
        }
        Fetched fetched = new Fetched(response.statusCode(), response.body().orElseGet(() -> new byte[0]));
        if (fetched.isGood()) {
            next = now;
            good.put(address, fetched);
        } else if (fetched.status() / 100 == 4 && fetched.status() != 429) {
            next = now; // such an address says nothing about the others
            rejected.put(address, new RejectedUntil(fetched, now + KEPT_ERROR.toNanos()));
        }
    }

    /**
     * A response.
     *
     * @param body its bytes; none if there were more than 64 KiB
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
    public record Fetched(int status, byte[] body) {

        /** Whether the status is one of success. */
        public boolean isGood() {
            return status / 100 == 2;
        }
    }

    private record RejectedUntil(Fetched fetched, long until) {}
}

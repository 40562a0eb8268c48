package dev.postern.bench;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A load generator that repeats one request over a number of connections that are kept alive, each as soon as the
 * previous response is there. One thread serves them all: a generator of many threads would take from the server the
 * processors that it is measured on.
 */
final class LoadGenerator {

    private static final long SELECT_MILLIS = 100;

    private final byte[] request;
    private final int status;

    /** Expects {@code status} from every answer. */
    LoadGenerator(byte[] request, int status) {
        this.request = request;
        this.status = status;
    }

    /** The result of a stretch of load. */
    record Result(double perSecond, double cpuMicrosEach) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%8.0f /s  %7.1f us CPU each", perSecond, cpuMicrosEach);
        }
    }

    /** Loads {@code target} for {@code time} over {@code connections}; says on standard output what was not answered as expected. */
    Result run(MeasuredServer measuredServer, int connections, Duration time) throws IOException {
        Map<String, Long> faults = new TreeMap<>();
        double cpu = measuredServer.cpuMicros();
        long start = System.nanoTime();
        long answers = exchange(measuredServer, connections, start + time.toNanos(), Long.MAX_VALUE, faults);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!faults.isEmpty()) {
            System.out.println("answers that were not " + status + ": " + faults);
        }
        return new Result(answers / seconds, (measuredServer.cpuMicros() - cpu) / answers);
    }

    /** Sends the request {@code times} times over one connection, whatever is answered. */
    void send(MeasuredServer measuredServer, int times) throws IOException {
        long farAway = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        exchange(measuredServer, 1, farAway, times, new TreeMap<>());
    }

    /** @return the answers with the expected status, until {@code end} or after {@code most} answers of any */
    private long exchange(MeasuredServer measuredServer, int connections, long end, long most, Map<String, Long> faults)
            throws IOException {
        long expected = 0;
        long all = 0;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < connections; i++) {
                LoadConnection.open(measuredServer.port(), selector).send(request);
            }
            while (System.nanoTime() < end && all < most) {
                selector.select(SELECT_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    LoadConnection connection = (LoadConnection) key.attachment();
                    int answered = connection.receive();
                    if (answered == LoadConnection.UNFINISHED) {
                        continue;
                    }
                    all++;
                    if (answered == status) {
                        expected++;
                    } else {
                        faults.merge(answered == LoadConnection.CLOSED ? "closed" : "" + answered, 1L, Long::sum);
                    }
                    // Tomcat closes a connection after a hundred requests.
                    LoadConnection next =
                            connection.closes() ? LoadConnection.open(measuredServer.port(), selector) : connection;
                    next.send(request);
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
        return expected;
    }

    /** A POST to {@code path} with {@code body}, as a sender's HTTP client would write it. */
    static byte[] post(String path, String token, String body) {
        return ("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n"
                        + "Authorization: Bearer " + token + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}

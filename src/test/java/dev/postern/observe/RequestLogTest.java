package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RequestLogEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestLogTest {

    private static final int MOST = 20;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong(-SECOND / 2);
    private final RequestLog log = new RequestLog(MOST, 3, nanos::get);

    @Test
    void keepsSomeOfTheUnadmittedRequestsOfASecond() {
        for (int i = 0; i < 3; i++) {
            assertThat(log.keepsUnadmitted()).isTrue();
        }
        assertThat(log.keepsUnadmitted()).isFalse();

        nanos.addAndGet(SECOND);

        assertThat(log.keepsUnadmitted()).isTrue();
    }

    @Test
    void forgetsTheEarliestOfTooMany() {
        for (int i = 0; i < MOST + 5; i++) {
            log.addUnadmitted(entry(i, "hook", 401));
        }

        assertThat(latest()).hasSize(MOST);
        assertThat(latest().get(0)).isEqualTo(entry(MOST + 4, "hook", 401));
    }

    @Test
    void keepsAdmittedRequestsInMemoryUntilThereIsAStore() {
        List<RequestLogEntry> stored = new ArrayList<>();
        log.addAdmitted(entry(1, "a", 503));
        log.setStore(stored::add);
        log.addAdmitted(entry(2, "b", 422));
        log.addUnadmitted(entry(3, "c", 401));

        assertThat(stored).extracting(RequestLogEntry::hook).containsExactly("b");
        assertThat(latest()).extracting(RequestLogEntry::hook).containsExactly("c", "a");
        assertThat(log.latest(entry -> entry.status() == 401, 10))
                .extracting(RequestLogEntry::hook)
                .containsExactly("c");
        assertThat(log.latest(entry -> true, 1))
                .extracting(RequestLogEntry::hook)
                .containsExactly("c");
    }

    private List<RequestLogEntry> latest() {
        return log.latest(entry -> true, 10 * MOST);
    }

    private static RequestLogEntry entry(int second, String hook, int status) {
        return new RequestLogEntry(
                /* requestId= */ null,
                /* at= */ Instant.ofEpochSecond(second),
                /* client= */ "192.0.2.1",
                /* credential= */ "",
                /* sender= */ null,
                hook,
                /* mapping= */ "",
                status,
                /* code= */ "word",
                /* detail= */ "",
                /* bytes= */ 2,
                /* micros= */ 30,
                /* became= */ List.of());
    }
}

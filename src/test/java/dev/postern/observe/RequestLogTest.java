package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.observe.RequestLog.Entry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestLogTest {

    private static final int MOST = 20;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong(-SECOND / 2);
    private final RequestLog log = new RequestLog(MOST, 3, nanos::get);

    @Test
    void keepsWhatWasAcceptedWhateverIsRefused() {
        log.addAccepted(entry(0, "mine", 200));
        for (int i = 1; i < 10 * MOST; i++) {
            nanos.addAndGet(SECOND);
            log.addRejected(entry(i, "flood", 401));
        }

        assertThat(latest()).hasSize(MOST + 1).last().isEqualTo(entry(0, "mine", 200));
    }

    @Test
    void keepsSomeOfTheRefusalsOfASecond() {
        for (int i = 0; i < 3; i++) {
            assertThat(log.keepsRejected()).isTrue();
        }
        assertThat(log.keepsRejected()).isFalse();

        nanos.addAndGet(SECOND);

        assertThat(log.keepsRejected()).isTrue();
    }

    @Test
    void forgetsTheEarliestOfTooMany() {
        for (int i = 0; i < MOST + 5; i++) {
            log.addAccepted(entry(i, "hook", 200));
        }

        assertThat(latest()).hasSize(MOST);
        assertThat(latest().get(0)).isEqualTo(entry(MOST + 4, "hook", 200));
    }

    @Test
    void showsBothKindsTheLatestFirst() {
        log.addAccepted(entry(1, "a", 200));
        log.addRejected(entry(2, "b", 401));
        log.addAccepted(entry(3, "c", 202));

        assertThat(latest()).extracting(Entry::hook).containsExactly("c", "b", "a");
        assertThat(log.latest(entry -> entry.status() == 401, 10))
                .extracting(Entry::hook)
                .containsExactly("b");
        assertThat(log.latest(entry -> true, 1)).extracting(Entry::hook).containsExactly("c");
    }

    private List<Entry> latest() {
        return log.latest(entry -> true, 10 * MOST);
    }

    private static Entry entry(int second, String hook, int status) {
        return new Entry(Instant.ofEpochSecond(second), "192.0.2.1", hook, "", status, "word", "", 2, 30, List.of());
    }
}

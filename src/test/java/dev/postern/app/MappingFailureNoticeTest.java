package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.channel.Channel;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.EventReporter;
import dev.postern.channel.StubChannel;
import dev.postern.model.ErrorCode;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestLogEntry;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the events about requests of which a mapping could make nothing. */
class MappingFailureNoticeTest {

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private final AtomicLong nanos = new AtomicLong();
    private final MappingFailureNotice notice = new MappingFailureNotice(
            new EventReporter(new ChannelRegistry(Map.of("ops", new Subscriber())), new IdGenerator(clock)),
            nanos::get);
    private Store store;

    @BeforeEach
    void open() throws StoreException {
        store = TestDatabases.sqlite(home).open(clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void reportsFailuresOnceAMinuteWithTheirNumber() throws StoreException {
        fail(3);
        assertThat(reported()).containsExactly("1");

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        fail(1);

        assertThat(reported()).containsExactly("1", "3");
    }

    @Test
    void countsNoFailureThatIsNotStored() throws StoreException {
        loseAllOf(2);

        fail(1);
        loseAllOf(1);
        fail(1);
        assertThat(reported()).containsExactly("1");
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        loseAllOf(1);
        fail(1);

        assertThat(reported()).containsExactly("1", "2");
    }

    private void fail(int times) throws StoreException {
        for (int i = 0; i < times; i++) {
            store.writeAndWait(sql -> {
                notice.onStored(sql, entry());
                return true;
            });
        }
    }

    /** Has one transaction with this many failures rolled back. */
    private void loseAllOf(int times) {
        assertThatThrownBy(() -> store.writeAndWait(sql -> {
                    for (int i = 0; i < times; i++) {
                        notice.onStored(sql, entry());
                    }
                    throw new IllegalStateException("of a test");
                }))
                .hasMessageContaining("of a test");
    }

    private RequestLogEntry entry() {
        String code = ErrorCode.SCRIPT_FAILED.wire();
        return new RequestLogEntry("req_1", clock.instant(), "", "", null, "ci", "ci", 500, code, "", 2, 1, List.of());
    }

    private List<String> reported() throws StoreException {
        return store.read(sql -> sql.query("SELECT text FROM delivery ORDER BY seq", row -> row.text("text")
                .replaceAll(".*\"failures\":(\\d+).*", "$1")));
    }

    private static final class Subscriber implements StubChannel {

        @Override
        public Channel.Outcome send(Message message) {
            throw new AssertionError("nothing is sent here");
        }

        @Override
        public Set<String> events() {
            return Set.of("mapping.failed");
        }
    }
}

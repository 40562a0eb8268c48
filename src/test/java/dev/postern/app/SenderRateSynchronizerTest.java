package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.SenderGuard;
import dev.postern.config.SenderSettings;
import dev.postern.config.SenderSettings.Rate;
import dev.postern.requests.SenderRequestQueries;
import dev.postern.store.SettableClock;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the requests that other nodes have admitted. */
class SenderRateSynchronizerTest {

    private static final SenderSettings SENDER = new SenderSettings(
            "ci",
            List.of("00"),
            List.of("wake"),
            new SenderSettings.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
            null,
            false,
            new Rate(6, Duration.ofHours(1)),
            null);

    @TempDir
    Path home;

    private final SettableClock clock = new SettableClock();
    private final SenderGuard guard =
            new SenderGuard(List.of(SENDER), () -> clock.instant().toEpochMilli() * 1_000_000);
    private Store store;
    private SenderRateSynchronizer rates;

    @BeforeEach
    void open() throws StoreException {
        store = TestDatabases.sqlite(home).open(clock);
        rates = new SenderRateSynchronizer(guard, new SenderRequestQueries(store), List.of(SENDER), "node_1", clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void takesRequestsOfOtherNodes() throws StoreException {
        admit("req_1", "node_1");
        admit("req_2", "node_2");
        admit("req_3", "node_3");
        clock.advance(Duration.ofSeconds(2));

        rates.takeFromOthersOn(Runnable::run);

        assertThat(guard.counts("ci").left()).isEqualTo(4);
    }

    @Test
    void takesThemLaterWhereNoThreadIsFree() throws StoreException {
        admit("req_1", "node_2");
        clock.advance(Duration.ofSeconds(2));

        rates.takeFromOthersOn(task -> {
            throw new RejectedExecutionException("of a test");
        });
        assertThat(guard.counts("ci").left()).isEqualTo(6);
        rates.takeFromOthersOn(Runnable::run);

        assertThat(guard.counts("ci").left()).isEqualTo(5);
    }

    @Test
    void takesEachOnceHoweverOftenItIsCalled() throws StoreException {
        admit("req_1", "node_2");
        clock.advance(Duration.ofSeconds(2));

        rates.takeFromOthersOn(task -> {
            task.run();
            task.run();
        });
        rates.takeFromOthersOn(Runnable::run);

        assertThat(guard.counts("ci").left()).isEqualTo(5);
    }

    private void admit(String id, String node) throws StoreException {
        store.writeAndWait(sql -> sql.update(
                "INSERT INTO request (id, at, node, client, credential, hook, mapping, body_bytes, status, code, detail,"
                        + " micros, became, sender) VALUES (?, ?, ?, '', '', 'wake', '', 2, 200, '', '', 1, '', 'ci')",
                id,
                clock.instant().toEpochMilli(),
                node));
    }
}

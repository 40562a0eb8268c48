package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import dev.postern.store.UnitOfWork;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of deliveries to one recipient that several nodes number and claim at the same time. */
class PostgresConcurrentDeliveriesTest extends OutboxFixture {

    private Store other;
    private DeliveryClaims ours;
    private DeliveryClaims theirs;

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @BeforeEach
    void openOther() throws StoreException {
        other = database.open(() -> now);
        enter("node_2");
        use(channel("ops"));
        ours = new DeliveryClaims(NODE, deliveryRepository, this::tell);
        theirs = new DeliveryClaims("node_2", deliveryRepository, this::tell);
    }

    @AfterEach
    void closeOther() {
        other.close();
    }

    @Test
    void sendsOneAtATimeOfTwoWithTheSameNumber() throws Exception {
        try (OpenTransaction<?> adding = begin(store, addition("first"))) {
            other.writeAndWait(addition("second"));
            adding.commit();
        }
        assertThat(texts("SELECT CAST(COUNT(DISTINCT seq) AS text) AS text FROM delivery"))
                .containsExactly("1");

        ClaimedDelivery claimed = claim(store, ours, "first").orElseThrow();

        assertThat(claim(other, theirs, "second")).isEmpty();
        assertThat(claimNext(theirs)).isEmpty();
        end(claimed);
        assertThat(claimNext(theirs))
                .hasValueSatisfying(next -> assertThat(next.text()).isEqualTo("second"));
    }

    /** Checks that a delivery with an earlier number, which shows up late, waits for the one that is being sent. */
    @Test
    void sendsOneAtATimeWhenAnEarlierOneIsCommittedLater() throws Exception {
        try (OpenTransaction<?> adding = begin(store, addition("late"))) {
            other.writeAndWait(addition("to another", "another"));
            other.writeAndWait(addition("early"));
            ClaimedDelivery claimed = claim(other, theirs, "early").orElseThrow();
            adding.commit();

            assertThat(claim(store, ours, "late")).isEmpty();
            end(claimed);
        }

        assertThat(claim(store, ours, "late")).isPresent();
    }

    @Test
    void letsOneOfTwoNodesClaimAtTheSameTime() throws Exception {
        try (OpenTransaction<?> adding = begin(store, addition("first"))) {
            other.writeAndWait(addition("second"));
            adding.commit();
        }
        String second = id("second");

        try (OpenTransaction<Optional<ClaimedDelivery>> claiming =
                begin(other, sql -> theirs.claim(sql, second, now))) {
            assertThat(claim(store, ours, "first")).isEmpty();
            assertThat(claiming.commit()).isPresent();
        }

        assertThat(claim(store, ours, "first")).isEmpty();
    }

    private UnitOfWork<DeliveryRepository.Added> addition(String text) {
        return addition(text, "somebody");
    }

    private UnitOfWork<DeliveryRepository.Added> addition(String text, String to) {
        DeliveryRepository.Reply reply = new DeliveryRepository.Reply(
                new RunId("run_1"), RunState.SUCCEEDED, SESSION, new Recipient("ops", to), text);
        return sql -> deliveryRepository.add(sql, reply, now);
    }

    private String id(String text) throws StoreException {
        return texts("SELECT id AS text FROM delivery WHERE text = '" + text + "'")
                .get(0);
    }

    private Optional<ClaimedDelivery> claim(Store node, DeliveryClaims deliveryClaims, String text)
            throws StoreException {
        String id = id(text);
        return node.writeAndWait(sql -> deliveryClaims.claim(sql, id, now));
    }

    private void end(ClaimedDelivery claimed) throws StoreException {
        store.writeAndWait(sql -> {
            deliveryRepository.deliver(sql, claimed.id(), false, now);
            return true;
        });
    }

    private static <T> OpenTransaction<T> begin(Store node, UnitOfWork<T> unit) throws InterruptedException {
        OpenTransaction<T> open = new OpenTransaction<>(node, unit);
        open.done.await();
        return open;
    }

    /** A transaction that has done its work and is not committed yet. */
    private static final class OpenTransaction<T> implements AutoCloseable {

        private final CountDownLatch done = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final CompletableFuture<T> result;

        private OpenTransaction(Store node, UnitOfWork<T> unit) {
            result = node.write(sql -> {
                T value = unit.run(sql);
                done.countDown();
                DeliveryClaimsContract.awaitUninterrupted(end);
                return value;
            });
        }

        T commit() {
            end.countDown();
            return result.join();
        }

        @Override
        public void close() {
            commit();
        }
    }
}

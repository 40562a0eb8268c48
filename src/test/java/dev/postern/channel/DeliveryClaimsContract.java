package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.text.MessagePart;
import dev.postern.model.DeliveryState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The tests, on every database, that one node sends a delivery, and that another node takes over when it stops or dies. */
abstract class DeliveryClaimsContract extends OutboxFixture {

    @Test
    void leavesToALivingNodeWhatItSends() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        enter("node_2");
        claimAs("node_2");

        outbox.signal();

        assertThat(sent).isEmpty();
    }

    @Test
    void sendsWhatItsNodeHasDiedOver() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        enter("node_2");
        claimAs("node_2");
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = 'node_2'"));

        outbox.signal();

        assertThat(sent).containsExactly("ops somebody hello");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void failsWhatEndsEachNodeThatSendsItAndGoesOnWithTheNext() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "deadly");
        tick();
        add("ops", "somebody", "next");
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            claimAsOneThatDies("node_2_" + i);
        }

        outbox.signal();

        assertThat(sent).containsExactly("ops somebody next");
        assertThat(texts("SELECT state AS text FROM delivery ORDER BY seq")).containsExactly("failed", "delivered");
        assertThat(told)
                .containsExactly(
                        "main run_1 Delivery to ops (somebody) failed: Postern ended during 8 attempts in a row;"
                                + " the message may have been sent");
        assertThat(deliveryRepository.ended(DeliveryState.FAILED)).isOne();
    }

    @Test
    void countsNoNodeThatEndedBeforeAResultNorAClaimThatWasReleased() throws Exception {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "hello");
        DeliveryClaims deliveryClaims = new DeliveryClaims(NODE, deliveryRepository, this::tell);
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            claimAsOneThatDies("node_2_" + i);
        }
        outbox.signal();
        now = now.plusSeconds(5);
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            claimAsOneThatDies("node_3_" + i);
            ClaimedDelivery stopped = claimNext(deliveryClaims).orElseThrow();
            store.writeAndWait(sql -> deliveryClaims.release(sql, stopped));
            claimAs(NODE);
            store.writeAndWait(deliveryClaims::releaseForgotten);
        }
        outcomes.clear();

        outbox.signal();

        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsWhatItHasClaimedWithoutKnowingIt() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        claimAs(NODE);
        add("ops", "another", "bye");

        outbox.signal();

        assertThat(sent).containsExactlyInAnyOrder("ops somebody hello", "ops another bye");
    }

    @Test
    void sendsWhatItHasClaimedWithoutKnowingItWhenNothingElseIsDue() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        add("ops", "somebody", "again");
        claimAs(NODE);

        outbox.signal();

        assertThat(sent).containsExactly("ops somebody hello", "ops somebody again");
    }

    @Test
    void beginsNoDeliveryOnceItsNodeWasRemovedAsDead() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        DeliveryClaims deliveryClaims = new DeliveryClaims(NODE, deliveryRepository, this::tell);
        ClaimedDelivery claimed = claimNext(deliveryClaims).orElseThrow();
        List<MessagePart> parts = List.of(MessagePart.text("hello"));
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = ?", NODE));

        List<ClaimedDelivery.Part> added = store.writeAndWait(sql -> deliveryClaims.add(sql, claimed, parts));
        List<ClaimedDelivery.Part> replaced = store.writeAndWait(sql -> deliveryClaims.replace(sql, claimed, 1, parts));

        assertThat(added).isEmpty();
        assertThat(replaced).isEmpty();
    }

    /** One worker loses the database between its claim and its first part, while another one sends on and on. */
    @Test
    void sendsWhatAWorkerHadToLeaveWhileItsChannelIsNeverIdle() throws Exception {
        atOnce = 2;
        Queue<String> began = new ConcurrentLinkedQueue<>();
        Map<String, CountDownLatch> ends =
                Map.of("a1", new CountDownLatch(1), "a2", new CountDownLatch(1), "b1", new CountDownLatch(0));
        AtomicBoolean broken = new AtomicBoolean();
        Channel channel = new StubChannel() {

            @Override
            public List<String> parts(String reply) {
                if (reply.equals("b1") && broken.compareAndSet(false, true)) {
                    await().until(() -> began.contains("a1"));
                    return Collections.singletonList(null); // which the database does not take
                }
                return List.of(reply);
            }

            @Override
            public Outcome send(Message message) {
                began.add(message.text());
                awaitUninterrupted(ends.get(message.text()));
                return new Outcome.Sent(null);
            }
        };
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            use(new ChannelRegistry(Map.of("ops", channel)), threads);
            add("ops", "a", "a1");
            tick();
            add("ops", "b", "b1");
            tick();
            add("ops", "a", "a2");
            outbox.signal();
            await().until(() -> broken.get() && outbox.busyThreads() == 1);
            ends.get("a1").countDown();

            await().untilAsserted(() -> {
                outbox.signal();
                assertThat(began).containsExactlyInAnyOrder("a1", "a2", "b1");
            });
        } finally {
            ends.values().forEach(CountDownLatch::countDown);
            closeSoon(outbox);
            threads.shutdown();
        }
    }

    @Test
    void changesNothingOfADeliveryThatItHasLost() throws Exception {
        use(new ChannelRegistry(Map.of("ops", (StubChannel) message -> {
            take("node_2");
            return new Outcome.Sent("m1");
        })));
        enter("node_2");
        add("ops", "somebody", "hello");

        outbox.signal();

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("sender")).isEqualTo("node_2");
    }

    @Test
    void sendsNothingWhileOthersTakeItForDead() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        store.writeAndWait(sql -> sql.update("DELETE FROM node"));

        outbox.signal();

        assertThat(sent).isEmpty();
        assertThat(row("attempts")).isEqualTo("0");
    }

    @Test
    void goesOnWithNoPartOfADeliveryThatItHasLost() throws Exception {
        use(splitting());
        add("ops", "somebody", "a|b");
        DeliveryClaims deliveryClaims = new DeliveryClaims(NODE, deliveryRepository, this::tell);
        ClaimedDelivery claimedDelivery = claimNext(deliveryClaims).orElseThrow();
        store.writeAndWait(
                sql -> deliveryClaims.add(sql, claimedDelivery, List.of(MessagePart.text("a"), MessagePart.text("b"))));
        assertThat(store.<List<ClaimedDelivery.Part>>read(sql -> deliveryClaims.parts(sql, claimedDelivery)))
                .hasSize(2);
        store.writeAndWait(sql -> sql.update("DELETE FROM node"));
        assertThat(store.<List<ClaimedDelivery.Part>>read(sql -> deliveryClaims.parts(sql, claimedDelivery)))
                .isEmpty();
        enter("node_2");
        take("node_2");

        assertThat(store.<List<ClaimedDelivery.Part>>read(sql -> deliveryClaims.parts(sql, claimedDelivery)))
                .isEmpty();
    }

    @Test
    void changesNothingOfADeliveryThatItHasLostAndClaimedAgain() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        DeliveryClaims deliveryClaims = new DeliveryClaims(NODE, deliveryRepository, this::tell);
        ClaimedDelivery lost = claimNext(deliveryClaims).orElseThrow();
        take(null);
        ClaimedDelivery claimedDelivery = claimNext(deliveryClaims).orElseThrow();
        ClaimedDelivery.Part part = store.writeAndWait(
                        sql -> deliveryClaims.add(sql, claimedDelivery, List.of(MessagePart.text("hello"))))
                .get(0);

        assertThat(store.<Boolean>writeAndWait(sql -> deliveryClaims.sent(sql, lost, part, true, null, now)))
                .isFalse();
        assertThat(store.<Boolean>writeAndWait(sql -> deliveryClaims.postpone(sql, lost, now, false, "late")))
                .isFalse();
        assertThat(store.<Boolean>writeAndWait(sql -> deliveryClaims.fail(sql, lost, "late", now)))
                .isFalse();
        assertThat(store.<Integer>writeAndWait(sql -> deliveryClaims.release(sql, lost)))
                .isZero();
        assertThat(store.<Boolean>writeAndWait(sql -> deliveryClaims.sent(sql, claimedDelivery, part, true, null, now)))
                .isTrue();
    }

    @Test
    void sendsThroughOthersWhileAChannelHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        StubChannel hanging = message -> {
            hangs.countDown();
            awaitUninterrupted(released);
            return new Outcome.Sent(null);
        };
        StubChannel quick = message -> {
            synchronized (sent) {
                sent.add(message.text());
            }
            return new Outcome.Sent(null);
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            use(new ChannelRegistry(Map.of("hanging", hanging, "quick", quick)), threads);
            add("hanging", "somebody", "one");
            outbox.signal();
            hangs.await();
            add("hanging", "somebody", "two");
            add("quick", "somebody", "three");

            outbox.signal();

            await().untilAsserted(() -> assertThat(deliveryRepository.ended(DeliveryState.DELIVERED))
                    .isOne());
            assertThat(outbox.close(Duration.ofMillis(1))).isFalse();
            released.countDown();
            assertThat(outbox.close(Duration.ofSeconds(20))).isTrue();
            assertThat(deliveryRepository.ended(DeliveryState.DELIVERED)).isEqualTo(2);
        } finally {
            released.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void sendsToOthersWhileARecipientHangsButToThatOneInOrder() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        StubChannel channel = message -> {
            if (message.text().equals("one")) {
                awaitUninterrupted(released);
            }
            synchronized (sent) {
                sent.add(message.text());
            }
            return new Outcome.Sent(null);
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            atOnce = 2;
            use(new ChannelRegistry(Map.of("ops", channel)), threads);
            add("ops", "slow", "one");
            add("ops", "slow", "two");
            add("ops", "another", "three");

            outbox.signal();

            await().untilAsserted(() -> assertThat(deliveryRepository.ended(DeliveryState.DELIVERED))
                    .isOne());
            released.countDown();
            await().untilAsserted(() -> assertThat(deliveryRepository.ended(DeliveryState.DELIVERED))
                    .isEqualTo(3));
            assertThat(sent).containsExactly("three", "one", "two");
            assertThat(outbox.close(Duration.ofSeconds(20))).isTrue();
        } finally {
            released.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void leavesTheRestOfTheirPartsToTheNextNodeWhenItIsClosed() throws Exception {
        AtomicReference<Outbox> closing = new AtomicReference<>();
        SplittingChannel parts = message -> {
            sent.add(message.text());
            closeSoon(closing.get());
            return new Outcome.Sent(null);
        };
        use(new ChannelRegistry(Map.of("ops", parts)));
        closing.set(outbox);
        add("ops", "somebody", "a|b");

        outbox.signal();

        assertThat(sent).containsExactly("a");
        assertThat(row("state")).isEqualTo("pending");
        assertThat(texts("SELECT id AS text FROM delivery WHERE sender IS NULL"))
                .hasSize(1);
    }

    @Test
    void goesOnAfterAnExecutorOrAPassThatBroke() throws Exception {
        AtomicReference<Error> fault = new AtomicReference<>(new InternalError("no thread"));
        Runnable breaking = () -> {
            if (fault.get() != null) {
                throw fault.get();
            }
        };
        use(channel("ops"));
        add("ops", "somebody", "hello");
        outbox = outbox(channel("ops"), task -> {
            breaking.run();
            task.run();
        });
        outbox.signal();
        assertThat(outbox.close(Duration.ZERO)).as("no pass is under way").isTrue();
        outbox = new Outbox(
                store, deliveryRepository, channel("ops"), NODE, MAX_ATTEMPTS, 1, this::tell, Runnable::run, () -> {
                    breaking.run();
                    return now;
                });
        outbox.signal();
        assertThat(sent).isEmpty();
        fault.set(null);

        outbox.signal();

        assertThat(sent).containsExactly("ops somebody hello");
    }

    @Test
    void sendsNothingOnceClosed() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");

        assertThat(outbox.close(Duration.ZERO)).isTrue();
        outbox.signal();

        assertThat(sent).isEmpty();
        assertThat(row("state")).isEqualTo("pending");
    }

    static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

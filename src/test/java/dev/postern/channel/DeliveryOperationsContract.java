package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.channel.Channel.Outcome;
import dev.postern.model.DeliveryState;
import dev.postern.model.OperatorResult;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tests of the operator's operations on deliveries, on every database. */
abstract class DeliveryOperationsContract extends OutboxFixture {

    private static final OperatorResult AGAIN = new OperatorResult.Done("The delivery is tried again now.");
    private static final OperatorResult GIVEN_UP = new OperatorResult.Done("The delivery is given up.");
    private static final OperatorResult BEING_SENT =
            new OperatorResult.Conflict("The delivery is being sent now. Try again in a moment.");

    private ChannelRegistry usable;

    @BeforeEach
    void useChannels() {
        usable = splitting();
        use(usable);
    }

    @Test
    void knowsNoDeliveryThatThereIsNot() throws StoreException {
        add("ops", "somebody", "hello");

        assertThat(tryAgain("dlv_1")).isEqualTo(new OperatorResult.NotFound());
        assertThat(giveUp("' OR 1 = 1 --")).isEqualTo(new OperatorResult.NotFound());
        assertThat(row("state")).isEqualTo("pending");
    }

    @Test
    void changesNothingOfWhatANodeIsSending() throws StoreException {
        add("ops", "somebody", "hello");
        enter("node_2");
        claimAs("node_2");

        assertThat(tryAgain(id("hello"))).isEqualTo(BEING_SENT);
        assertThat(giveUp(id("hello"))).isEqualTo(BEING_SENT);

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("sender")).isEqualTo("node_2");
    }

    @Test
    void sendsNothingBesideWhatANodeIsSendingToTheSameRecipient() throws StoreException {
        outcomes.put("first", new Outcome.Refused("not today"));
        add("ops", "somebody", "first");
        outbox.signal();
        tick();
        add("ops", "somebody", "second");
        enter("node_2");
        claimAs("node_2");

        assertThat(tryAgain(id("first"))).isEqualTo(BEING_SENT);

        assertThat(texts("SELECT state AS text FROM delivery ORDER BY seq")).containsExactly("failed", "pending");
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = 'node_2'"));
        assertThat(tryAgain(id("first"))).isEqualTo(AGAIN);
    }

    @Test
    void changesNothingOfWhatHasEndedOtherwise() throws StoreException {
        add("ops", "somebody", "sent");
        add("inbox", null, "kept");
        outbox.signal();
        outcomes.put("bad", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "bad");
        outbox.signal();

        for (String text : new String[] {"sent", "kept"}) {
            assertThat(tryAgain(id(text))).isEqualTo(new OperatorResult.Conflict("The delivery has ended: delivered."));
            assertThat(giveUp(id(text))).isEqualTo(new OperatorResult.Conflict("The delivery has ended: delivered."));
        }
        assertThat(giveUp(id("bad"))).isEqualTo(new OperatorResult.Conflict("The delivery has ended: failed."));
        assertThat(reasonOf("bad")).isEqualTo("no such recipient");
        assertThat(told).hasSize(1);
    }

    @Test
    void triesNothingAgainThatCannotBeSentAsThingsAre() throws StoreException {
        add("slack", "C1", "nowhere");
        usable = new ChannelRegistry(Map.of("ops", new SelectiveChannel()));
        use(usable);
        add("ops", "somebody", "nobody");

        assertThat(tryAgain(id("nowhere")))
                .isEqualTo(new OperatorResult.Conflict("channel slack is not configured: set channels.slack.botToken"));
        assertThat(tryAgain(id("nobody"))).isEqualTo(new OperatorResult.Conflict("to must be a number"));
        assertThat(texts("SELECT state AS text FROM delivery")).containsOnly("failed");
    }

    @Test
    void sendsTheRestOfWhatHasFailedWithAsManyAttemptsAsANewOne() throws StoreException {
        outcomes.put("b", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "a|b|c");
        failFor(MAX_ATTEMPTS);
        assertThat(row("state")).isEqualTo("failed");
        assertThat(deliveryRepository.ended(DeliveryState.FAILED)).isEqualTo(1);
        sent.clear();

        assertThat(tryAgain(id("a|b|c"))).isEqualTo(AGAIN);

        assertThat(row("state")).isEqualTo("pending");
        assertThat(texts("SELECT id AS text FROM delivery WHERE finished_at IS NULL"))
                .hasSize(1);
        failFor(MAX_ATTEMPTS - 1);
        assertThat(row("state")).isEqualTo("pending");
        outcomes.clear();
        outbox.signal();
        assertThat(sent).startsWith("2/3 b").endsWith("2/3 b", "3/3 c").doesNotContain("1/3 a");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsWhatHasEndedEachNodeThatSentIt() throws StoreException {
        add("ops", "somebody", "hello");
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            claimAsOneThatDies("node_2_" + i);
        }
        outbox.signal();
        assertThat(row("state")).isEqualTo("failed");

        assertThat(tryAgain(id("hello"))).isEqualTo(AGAIN);
        outbox.signal();

        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsWhatWaitsForItsNextAttemptAtOnce() throws StoreException {
        outcomes.put("hello", new Outcome.Later(Duration.ofHours(1), "too many requests"));
        add("ops", "somebody", "hello");
        outbox.signal();
        outcomes.clear();
        outbox.signal();
        assertThat(sent).hasSize(1);

        assertThat(tryAgain(id("hello"))).isEqualTo(AGAIN);
        outbox.signal();

        assertThat(sent).hasSize(2);
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsWhatHasFailedAheadOfWhatCameLaterAndStillWaits() throws StoreException {
        outcomes.put("first", new Outcome.Refused("not today"));
        add("ops", "somebody", "first");
        outbox.signal();
        tick();
        outcomes.put("second", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "second");
        outbox.signal();
        outcomes.clear();
        sent.clear();

        tryAgain(id("first"));
        now = now.plus(Duration.ofHours(1));
        outbox.signal();

        assertThat(sent).containsExactly("1/1 first", "1/1 second");
    }

    @Test
    void failsWhatIsGivenUpAndGoesOnWithTheNext() throws StoreException {
        outcomes.put("b", new Outcome.Later(Duration.ofHours(1), "too many requests"));
        add("ops", "somebody", "a|b");
        outbox.signal();
        tick();
        add("ops", "somebody", "next");
        outbox.signal();
        assertThat(sent).containsExactly("1/2 a", "2/2 b");

        assertThat(giveUp(id("a|b"))).isEqualTo(GIVEN_UP);
        outbox.signal();

        assertThat(sent).containsExactly("1/2 a", "2/2 b", "1/1 next");
        assertThat(texts("SELECT state AS text FROM delivery ORDER BY seq")).containsExactly("failed", "delivered");
        assertThat(reasonOf("a|b")).isEqualTo("An operator has given it up.");
        assertThat(texts("SELECT text FROM delivery_part WHERE sent_at IS NOT NULL ORDER BY text"))
                .containsExactly("a", "next");
        assertThat(told).containsExactly("main run_1 Delivery to ops (somebody) failed: An operator has given it up.");
        assertThat(deliveryRepository.ended(DeliveryState.FAILED)).isEqualTo(1);
    }

    @Test
    void givesUpWhatANodeWasSendingThatHasDied() throws StoreException {
        add("ops", "somebody", "hello");
        enter("node_2");
        DeliveryClaims lost = new DeliveryClaims("node_2", deliveryRepository, this::tell);
        ClaimedDelivery claimedDelivery = claimNext(lost).orElseThrow();
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = 'node_2'"));

        assertThat(giveUp(id("hello"))).isEqualTo(GIVEN_UP);

        boolean noted = store.writeAndWait(sql -> lost.postpone(sql, claimedDelivery, now, false, "busy"));
        assertThat(noted).isFalse();
        assertThat(row("state")).isEqualTo("failed");
    }

    /** Makes {@code attempts} attempts that fail, each as late as possible. */
    private void failFor(int attempts) {
        for (int i = 0; i < attempts; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }
    }

    private OperatorResult tryAgain(String id) throws StoreException {
        DeliveryOperations deliveryOperations = new DeliveryOperations(deliveryRepository, usable, this::tell);
        return store.writeAndWait(sql -> deliveryOperations.tryAgain(sql, id, now));
    }

    private OperatorResult giveUp(String id) throws StoreException {
        DeliveryOperations deliveryOperations = new DeliveryOperations(deliveryRepository, usable, this::tell);
        return store.writeAndWait(sql -> deliveryOperations.giveUp(sql, id, now));
    }

    private String id(String text) throws StoreException {
        return texts("SELECT id AS text FROM delivery WHERE text = '" + text + "'")
                .get(0);
    }

    private String reasonOf(String text) throws StoreException {
        return texts("SELECT reason AS text FROM delivery WHERE text = '" + text + "'")
                .get(0);
    }
}

package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Deliveries.Reply;
import dev.postern.model.DeliveryState;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of a reply before anything is sent: where it goes, what is kept of it and for how long, whatever the database. */
abstract class DeliveriesSuite extends OutboxScene {

    @Test
    void failsWhatGoesToARecipientInAFormThatTheChannelDoesNotKnow() throws StoreException {
        use(new Channels(Map.of("ops", new Particular())));
        add("ops", "somebody", "hello");

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("to must be a number");
    }

    @Test
    void failsWhatGoesToAChannelThatIsNotConfigured() throws StoreException {
        add("slack", "C1", "hello");

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("channel slack is not configured: set channels.slack.botToken");
    }

    @Test
    void failsWhatGoesToAChannelThatNobodyKnows() throws StoreException {
        add("pigeon", null, "hello");

        assertThat(row("reason")).isEqualTo("channel pigeon is not configured: add channels.pigeon with its kind");
    }

    @Test
    void namesEverySettingThatAChannelNeeds() {
        Channels none = new Channels(Map.of());

        assertThat(none.whyNot("whatsapp"))
                .isEqualTo("channel whatsapp is not configured: set channels.whatsapp.accessToken and"
                        + " channels.whatsapp.phoneNumberId");
    }

    @Test
    void saysAtOnceWhatToTellOfWhatCannotBeSentAtAll() throws StoreException {
        assertThat(add("pigeon", "x".repeat(200), "hello").failure())
                .isEqualTo("Delivery to pigeon (" + "x".repeat(100)
                        + "…) failed: channel pigeon is not configured: add channels.pigeon with its kind");
    }

    @Test
    void keepsInTheInboxWhatHasNoOtherPlace() throws StoreException {
        assertThat(add("last", null, "hello").channel()).isEqualTo("inbox");
        assertThat(row("state")).isEqualTo("delivered");
        assertThat(row("run_id")).isEqualTo("run_1");
    }

    @Test
    void sendsTheFirstToWhatsappOrElseToTheFirstChannel() throws StoreException {
        use(channel("zulu", "alpha"));
        assertThat(add("last", null, "hello").channel()).isEqualTo("zulu");

        store.writeAndWait(sql -> sql.update("DELETE FROM delivery"));
        use(channel("alpha", "whatsapp"));
        assertThat(add("last", null, "hello").channel()).isEqualTo("whatsapp");
    }

    @Test
    void followsTheAgentsLatestTarget() throws StoreException {
        use(channel("alpha", "ops"));
        add("ops", "somebody", "one");
        tick();
        add("inbox", null, "two");
        tick();
        add("slack", "C1", "fails");
        tick();

        assertThat(last("main")).isEqualTo(new Recipient("ops", "somebody"));
        assertThat(last("other")).isEqualTo(new Recipient("alpha", null));
        add("last", null, "three");
        tick();
        add("last", "somebody else", "four");
        outbox.wake();

        assertThat(sent).containsExactly("ops somebody one", "ops somebody three", "ops somebody else four");
    }

    @Test
    void sendsToTheChannelsLatestRecipientWhenNoneIsNamed() throws StoreException {
        use(channel("alpha", "ops"));
        add("ops", "somebody", "one");
        tick();
        add("alpha", "another", "two");
        tick();

        add("ops", null, "three");
        outbox.wake();

        assertThat(sent).contains("ops somebody three");
    }

    @Test
    void dropsWhatIsTooOldButRemembersTheLatestTarget() throws StoreException {
        use(channel("alpha", "ops"));
        add("ops", "somebody", "one");
        add("inbox", null, "two");
        outbox.wake();
        now = now.plus(Duration.ofDays(31));

        store.writeAndWait(sql -> deliveries.prune(sql, now.minus(Duration.ofDays(30)), 100));

        assertThat(texts("SELECT text FROM delivery")).containsExactly("one");
        assertThat(add("last", null, "three").channel()).isEqualTo("ops");
    }

    @Test
    void countsWhatHasEndedHowAndWhatIsStillToBeSent() throws StoreException {
        use(channel("ops"));
        outcomes.put("never", new Outcome.Refused("gone"));
        outcomes.put("later", new Outcome.Later(null, "busy"));
        add("inbox", null, "kept");
        add("nowhere", "x", "lost");
        store.writeAndWait(sql -> deliveries.suppress(
                sql,
                new Reply(new RunId("run_1"), RunState.SUCCEEDED, "main", new Recipient("ops", "x"), "NO_REPLY"),
                now));
        add("ops", "x", "sent");
        add("ops", "x", "never");
        add("ops", "x", "later");
        assertThat(store.read(deliveries::pending)).isEqualTo(3);

        outbox.wake();

        assertThat(store.read(deliveries::pending)).isEqualTo(1);
        assertThat(deliveries.ended(DeliveryState.DELIVERED)).isEqualTo(2);
        assertThat(deliveries.ended(DeliveryState.FAILED)).isEqualTo(2);
        assertThat(deliveries.ended(DeliveryState.SUPPRESSED)).isEqualTo(1);
    }

    @Test
    void countsNothingThatWasUndone() {
        Reply reply = new Reply(new RunId("run_1"), RunState.SUCCEEDED, "main", new Recipient("inbox", null), "kept");

        assertThatThrownBy(() -> store.writeAndWait(sql -> {
                    deliveries.add(sql, reply, now);
                    return sql.update("UPDATE nowhere SET x = 1");
                }))
                .isInstanceOf(StoreException.class);

        assertThat(deliveries.ended(DeliveryState.DELIVERED)).isZero();
    }

    private Recipient last(String agent) throws StoreException {
        return store.read(sql -> deliveries.last(sql, agent));
    }
}

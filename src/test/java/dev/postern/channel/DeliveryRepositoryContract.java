package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.model.DeliveryState;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.observe.PackageLogCapture;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tests, on every database, of a delivery before it is sent: its recipient, its row and how long that is kept. */
abstract class DeliveryRepositoryContract extends OutboxFixture {

    private static final Recipient INBOX = new Recipient("inbox", null);

    @Test
    void failsWhatGoesToARecipientInAFormThatTheChannelDoesNotKnow() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new SelectiveChannel())));
        add("ops", "somebody", "hello");

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("to must be a number");
    }

    @Test
    void failsWhatGoesToARecipientThatNoIndexHasRoomFor() throws StoreException {
        use(channel("ops"));
        String longest = incompressible(Recipient.MAX_TO_BYTES);

        assertThat(add("ops", longest, "hello").state()).isEqualTo(DeliveryState.PENDING);
        assertThat(add("ops", longest + "x", "hello").failure()).endsWith("to must be at most 2400 bytes of UTF-8.");
    }

    @Test
    void failsTheReportOfAFailureToARecipientThatNoIndexHasRoomFor() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new FailureChannel())));
        Recipient recipient = new Recipient("ops", incompressible(5_000));
        Reply reply = new Reply(new RunId("run_1"), RunState.FAILED, SESSION, recipient, "the provider is down");

        store.writeAndWait(sql -> deliveryRepository.addFailure(sql, reply, now));

        assertThat(row("state")).isEqualTo("failed");
    }

    @Test
    void failsWhatGoesToAChannelThatIsNotConfigured() throws StoreException {
        add("slack", "C1", "hello");

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("channel slack is not configured: set channels.slack.botToken");
    }

    @Test
    void warnsOnceOfWhatFailsWithoutAnAttempt() throws StoreException {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.channel")) {
            add("slack", "C1", "hello");

            assertThat(log.lines(Level.WARNING))
                    .containsExactly("Delivery " + row("id")
                            + " on channel slack failed: channel slack is not configured: set channels.slack.botToken");
        }
    }

    @Test
    void warnsOfNoFailureThatIsNotStored() {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.channel")) {
            Reply reply =
                    new Reply(new RunId("run_1"), RunState.SUCCEEDED, SESSION, new Recipient("slack", "C1"), "hello");
            assertThatThrownBy(() -> store.writeAndWait(sql -> {
                        deliveryRepository.add(sql, reply, now);
                        return sql.update("UPDATE nowhere SET x = 1");
                    }))
                    .isInstanceOf(StoreException.class);

            assertThat(log.lines(Level.WARNING)).isEmpty();
        }
    }

    @Test
    void failsWhatGoesToAChannelThatNobodyKnows() throws StoreException {
        add("pigeon", null, "hello");

        assertThat(row("reason")).isEqualTo("channel pigeon is not configured: add channels.pigeon with its kind");
    }

    @Test
    void namesEverySettingThatAChannelNeeds() {
        ChannelRegistry none = new ChannelRegistry(Map.of());

        assertThat(none.whyNot("whatsapp"))
                .isEqualTo("channel whatsapp is not configured: set channels.whatsapp.accessToken and"
                        + " channels.whatsapp.phoneNumberId");
    }

    @Test
    void saysAtOnceWhatToTellOfWhatCannotBeSentAtAll() throws StoreException {
        assertThat(add("pigeon", "x".repeat(200), "hello").failure())
                .isEqualTo("Delivery to pigeon (" + "x".repeat(99)
                        + "…) failed: channel pigeon is not configured: add channels.pigeon with its kind");
    }

    @Test
    void keepsInTheInboxWhatHasNoOtherPlace() throws StoreException {
        assertThat(add("last", null, "hello").channel()).isEqualTo("inbox");
        assertThat(row("state")).isEqualTo("delivered");
        assertThat(row("run_id")).isEqualTo("run_1");
    }

    @Test
    void sendsToNoChannelThatNobodyNamed() throws StoreException {
        use(channel("zulu", "alpha", "whatsapp"));

        assertThat(add("last", null, "hello").channel()).isEqualTo("inbox");
        assertThat(last(SessionId.mainOf("main"))).isEqualTo(INBOX);
    }

    @Test
    void sendsToWhatsappsOwnRecipientWhatFollowsNothing() throws StoreException {
        use(new ChannelRegistry(Map.of("whatsapp", new PhoneChannel())));

        assertThat(last(SESSION)).isEqualTo(new Recipient("whatsapp", "+4915112345678"));
        assertThat(add("whatsapp", null, "hello").state()).isEqualTo(DeliveryState.PENDING);
        add("inbox", null, "kept");
        assertThat(last(SESSION)).isEqualTo(INBOX);
    }

    @Test
    void followsTheRouteOfItsSessionAndOfNoOther() throws StoreException {
        use(channel("alpha", "ops"));
        add("ops", "somebody", "one");
        tick();
        add(new SessionId("hook:2"), "alpha", "another", "two");
        tick();

        assertThat(last(SESSION)).isEqualTo(new Recipient("ops", "somebody"));
        assertThat(last(new SessionId("agent:other:hook:1"))).isEqualTo(INBOX);
        assertThat(last(new SessionId("hook:3"))).isEqualTo(INBOX);
        assertThat(last(SessionId.mainOf("main"))).isEqualTo(INBOX);
    }

    @Test
    void isNotLedByWhatNobodyNamedNorByWhatReachedNobody() throws StoreException {
        use(channel("alpha", "ops"));
        outcomes.put("refused", new Outcome.Refused("gone"));
        add("ops", "somebody", "one");
        tick();
        add("slack", "C1", "not configured");
        tick();
        add("alpha", "nobody", "refused");
        tick();
        outbox.signal();
        add("last", null, "three");
        tick();
        add("last", "somebody else", "four");
        tick();
        add("last", null, "five");
        outbox.signal();

        assertThat(sent)
                .containsSubsequence(
                        "ops somebody one", "ops somebody three", "ops somebody else four", "ops somebody five");
    }

    @Test
    void followsTheMainSessionWhereItHasNoRouteOfItsOwn() throws StoreException {
        use(channel("alpha", "ops"));
        add(SessionId.mainOf("main"), "ops", "the team", "heartbeat");
        tick();

        assertThat(last(SESSION)).isEqualTo(new Recipient("ops", "the team"));
        assertThat(last(new SessionId("agent:other:hook:1"))).isEqualTo(INBOX);
        heartbeats.put("main", new Recipient("alpha", "the night shift"));
        assertThat(last(SESSION)).isEqualTo(new Recipient("alpha", "the night shift"));
        heartbeats.put("main", new Recipient("last", null));
        assertThat(last(SESSION)).isEqualTo(new Recipient("ops", "the team"));
        heartbeats.put("main", new Recipient("gone", "nobody"));
        assertThat(last(SESSION)).isEqualTo(new Recipient("ops", "the team"));
        add("inbox", null, "kept");
        assertThat(last(SESSION)).isEqualTo(INBOX);
    }

    @Test
    void passesOverARouteWhoseChannelIsGone() throws StoreException {
        use(channel("alpha", "ops"));
        add(SessionId.mainOf("main"), "alpha", "the team", "heartbeat");
        tick();
        add("ops", "somebody", "one");
        tick();

        use(channel("alpha"));
        assertThat(last(SESSION)).isEqualTo(new Recipient("alpha", "the team"));
        use(channel());
        assertThat(last(SESSION)).isEqualTo(INBOX);
    }

    @Test
    void sendsToTheChannelsLatestRecipientWhenNoneIsNamed() throws StoreException {
        use(channel("alpha", "ops", "crm"));
        heartbeats.put("main", new Recipient("crm", "the team"));
        add("ops", "somebody", "one");
        tick();
        add("alpha", "another", "two");
        tick();
        add(new SessionId("hook:2"), "ops", "a stranger", "elsewhere");
        tick();

        add("ops", null, "three");
        add("crm", null, "four");
        outbox.signal();

        assertThat(sent).contains("ops somebody three", "crm the team four");
    }

    @Test
    void dropsWhatIsTooOldButRemembersTheRoutesOfSessionsThatThereAre() throws StoreException {
        use(channel("alpha", "ops"));
        store.writeAndWait(sql -> sql.update(
                "INSERT INTO session (key, agent_id, tail, used_at) VALUES (?, 'main', 1, 1)", SESSION.value()));
        add("ops", "before", "zero");
        add("ops", "somebody", "one");
        add("last", null, "two");
        add(new SessionId("hook:2"), "ops", "another", "three");
        outbox.signal();
        now = now.plus(Duration.ofDays(31));

        store.writeAndWait(sql -> deliveryRepository.prune(sql, now.minus(Duration.ofDays(30)), 100));

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
        store.writeAndWait(sql -> deliveryRepository.suppress(
                sql,
                new Reply(new RunId("run_1"), RunState.SUCCEEDED, SESSION, new Recipient("ops", "x"), "NO_REPLY"),
                now));
        add("ops", "x", "sent");
        add("ops", "x", "never");
        add("ops", "x", "later");
        assertThat(store.read(deliveryRepository::pending)).isEqualTo(3);

        outbox.signal();

        assertThat(store.read(deliveryRepository::pending)).isEqualTo(1);
        assertThat(deliveryRepository.ended(DeliveryState.DELIVERED)).isEqualTo(2);
        assertThat(deliveryRepository.ended(DeliveryState.FAILED)).isEqualTo(2);
        assertThat(deliveryRepository.ended(DeliveryState.SUPPRESSED)).isEqualTo(1);
    }

    @Test
    void countsNothingThatWasUndone() {
        Reply reply = new Reply(new RunId("run_1"), RunState.SUCCEEDED, SESSION, new Recipient("inbox", null), "kept");

        assertThatThrownBy(() -> store.writeAndWait(sql -> {
                    deliveryRepository.add(sql, reply, now);
                    return sql.update("UPDATE nowhere SET x = 1");
                }))
                .isInstanceOf(StoreException.class);

        assertThat(deliveryRepository.ended(DeliveryState.DELIVERED)).isZero();
    }

    private Recipient last(SessionId session) throws StoreException {
        return store.read(sql -> deliveryRepository.last(sql, session));
    }

    /** A channel with a recipient of its own that accepts no message without one. */
    private static final class PhoneChannel implements StubChannel {

        @Override
        public @Nullable String ownRecipient() {
            return "+4915112345678";
        }

        @Override
        public @Nullable String refusal(@Nullable String to) {
            return to == null ? "to must be a number" : null;
        }

        @Override
        public Outcome send(Message message) {
            return new Outcome.Sent(null);
        }
    }

    /** A text of ASCII that a database can't make shorter. */
    private static String incompressible(int length) {
        return new Random(1)
                .ints(length, '!', '~')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** A channel that reports failures too. */
    private static final class FailureChannel implements StubChannel {

        @Override
        public Outcome send(Message message) {
            return new Outcome.Sent(null);
        }

        @Override
        public boolean tellsFailures() {
            return true;
        }
    }
}

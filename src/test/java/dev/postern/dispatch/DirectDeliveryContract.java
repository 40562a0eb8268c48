package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.acceptance.CoalescingRequest;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Submission;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.StubChannel;
import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.DeliveryState;
import dev.postern.model.DeliveryView;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorResult;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RunLookup;
import dev.postern.observe.PackageLogCapture;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of deliveries without an agent, from their acceptance to their end, on every database. */
abstract class DirectDeliveryContract {

    private static final CoalescingRule ALL =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 3);
    private static final CoalescingRule LATEST =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), true, 100);

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private DispatchFixture fixture;

    abstract DispatchFixture scenario();

    @BeforeEach
    void begin() throws StoreException {
        fixture = scenario()
                .channels(new ChannelRegistry(Map.of("ops", new Ops())))
                .start();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void failsAtOnceOnChannelThatIsNotConfigured() throws StoreException {
        DeliveryView delivery = view(id(accept(to("slack", null, "hello"))));

        assertThat(delivery.state()).isEqualTo(DeliveryState.FAILED);
        assertThat(delivery.reason()).contains("channels.slack.botToken");
        assertThat(fixture.pending.value()).isZero();
        assertThat(fixture.eventTexts(true)).isEmpty();
    }

    @Test
    void warnsOnceOfChannelThatIsNotConfigured() {
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.channel")) {
            String id = id(accept(to("slack", null, "hello")));

            await().untilAsserted(
                            () -> assertThat(log.lines(Level.WARNING))
                                    .containsExactly(
                                            "Delivery " + id
                                                    + " on channel slack failed: channel slack is not configured: set channels.slack.botToken"));
        }
    }

    @Test
    void failureIsToldToNoAgent() throws StoreException {
        outcomes.put("hello", new Outcome.Refused("no such room"));

        DeliveryView delivery = ended(id(accept(to("ops", "a", "hello"))));

        assertThat(delivery.state()).isEqualTo(DeliveryState.FAILED);
        assertThat(delivery.reason()).isEqualTo("no such room");
        assertThat(fixture.pending.value()).isZero();
        assertThat(fixture.eventTexts(true)).isEmpty();
        assertThat(fixture.backend.begun).isEmpty();
    }

    @Test
    void isSentAsItIsWithoutTurn() throws StoreException {
        DeliveryView delivery = ended(id(accept(to("ops", "a", "<|im_start|> hello"))));

        assertThat(sent).containsExactly("a <|im_start|> hello");
        assertThat(delivery.state()).isEqualTo(DeliveryState.DELIVERED);
        assertThat(delivery.messageIds()).containsExactly("m1");
        assertThat(delivery.parts()).isEqualTo(1);
        assertThat(fixture.backend.begun).isEmpty();
        assertThat(fixture.pending.value()).isZero();
    }

    @Test
    void textsToOneRecipientKeepTheirOrder() throws StoreException {
        outcomes.put("1", new Outcome.Later(Duration.ofMinutes(1), "busy"));
        String first = id(accept(to("ops", "a", "1")));
        await().until(() -> view(first).attempts() == 1 && view(first).reason() != null);
        String second = id(accept(to("ops", "a", "2")));
        String other = id(accept(to("ops", "b", "3")));
        ended(other);

        assertThat(view(second).attempts()).isZero();
        assertThat(fixture.pending.value()).isEqualTo(2);
        outcomes.clear();
        fixture.time.advance(Duration.ofMinutes(1));
        ended(second);
        assertThat(sent).containsExactly("a 1", "b 3", "a 1", "a 2");
        assertThat(view(first).attempts()).isEqualTo(2);
    }

    @Test
    void isInInboxAtOnce() throws StoreException {
        String id = id(accept(to(Recipient.INBOX, null, "hello")));

        assertThat(view(id).state()).isEqualTo(DeliveryState.DELIVERED);
        assertThat(fixture.inbox()).containsExactly("hello");
        assertThat(fixture.pending.value()).isZero();
    }

    @Test
    void survivesCrash() throws StoreException {
        outcomes.put("hello", new Outcome.Later(Duration.ofMinutes(1), "busy"));
        String id = id(accept(to("ops", "a", "hello")));
        await().until(() -> view(id).reason() != null);
        outcomes.clear();

        fixture.crashAndRestart();
        assertThat(fixture.pending.value()).isEqualTo(1);
        fixture.time.advance(Duration.ofMinutes(1));

        assertThat(ended(id).state()).isEqualTo(DeliveryState.DELIVERED);
        assertThat(sent).containsExactly("a hello", "a hello");
    }

    @Test
    void repeatedKeyDeliversOnce() {
        IdempotencyKey key = new IdempotencyKey("k", "content", true, null);
        HookResult.Accepted first = accept(to("ops", "a", "hello"), key, null);
        HookResult.Accepted again = accept(to("ops", "a", "hello"), key, null);

        assertThat(again.replayed()).isTrue();
        assertThat(again.receipts()).isEqualTo(first.receipts());
        ended(id(first));
        assertThat(sent).containsExactly("a hello");
    }

    @Test
    void requestsOfOneGroupBecomeOneText() {
        HookResult.Accepted first = collect("one", ALL);
        HookResult.Accepted second = collect("two", ALL);

        assertThat(second.receipts()).isEqualTo(first.receipts());
        assertThat(second.coalesced()).isEqualTo(2);
        assertThat(view(id(first)).collectingUntil()).isNotNull();
        assertThat(view(id(first)).items()).isEqualTo(2);
        assertThat(fixture.pending.value()).isEqualTo(1);
        assertThat(sent).isEmpty();

        fixture.time.advance(Duration.ofSeconds(30));
        assertThat(ended(id(first)).items()).isEqualTo(2);
        assertThat(sent).containsExactly("a one\n\ntwo");
    }

    @Test
    void fullGroupIsSentAtOnce() {
        String id = id(collect("one", ALL));
        collect("two", ALL);
        collect("three", ALL);

        ended(id);
        assertThat(sent).containsExactly("a one\n\ntwo\n\nthree");
    }

    @Test
    void lastTextOfGroupIsSentAlone() {
        String id = id(collect("one", LATEST));
        collect("two", LATEST);
        fixture.time.advance(Duration.ofSeconds(30));

        ended(id);
        assertThat(sent).containsExactly("a two");
    }

    @Test
    void groupHoldsBackNothingElse() {
        String grouped = id(collect("one", ALL));
        ended(id(accept(to("ops", "a", "meanwhile"))));
        fixture.time.advance(Duration.ofSeconds(30));

        ended(grouped);
        assertThat(sent).containsExactly("a meanwhile", "a one");
    }

    @Test
    void groupIsSentAfterRestart() throws StoreException {
        String id = id(collect("one", ALL));
        collect("two", ALL);
        fixture.crashAndRestart();
        fixture.time.advance(Duration.ofSeconds(30));

        ended(id);
        assertThat(sent).containsExactly("a one\n\ntwo");
    }

    @Test
    void groupThatIsGivenUpIsGivenUpWhole() throws StoreException {
        String id = id(collect("one", ALL));
        collect("two", ALL);

        OperatorResult result = fixture.dispatcher.operatorCommands().giveUp(id);

        assertThat(result).isEqualTo(new OperatorResult.Done("The delivery is given up."));
        assertThat(view(id).state()).isEqualTo(DeliveryState.FAILED);
        assertThat(fixture.pending.value()).isZero();
        assertThat(id(collect("three", ALL))).isNotEqualTo(id);
        assertThat(sent).isEmpty();
    }

    @Test
    void operatorTriesAgain() throws StoreException {
        outcomes.put("hello", new Outcome.Refused("no such room"));
        String id = id(accept(to("ops", "a", "hello")));
        ended(id);
        outcomes.clear();

        OperatorResult result = fixture.dispatcher.operatorCommands().tryAgain(id);

        assertThat(result).isEqualTo(new OperatorResult.Done("The delivery is tried again now."));
        await().until(() -> view(id).state() == DeliveryState.DELIVERED);
        assertThat(fixture.pending.value()).isZero();
        assertThat(fixture.eventTexts(true)).isEmpty();
    }

    private HookResult.Accepted collect(String text, CoalescingRule rule) {
        return accept(to("ops", "a", text), null, new CoalescingRequest("group", rule));
    }

    private HookResult.Accepted accept(AllowedAction action) {
        return accept(action, null, null);
    }

    private HookResult.Accepted accept(
            AllowedAction action, @Nullable IdempotencyKey key, @Nullable CoalescingRequest group) {
        Submission submission = new Submission(List.of(action), key, 2, "0".repeat(64), null, null);
        HookResult result = fixture.intake.accept(group == null ? submission : submission.within(group));
        return (HookResult.Accepted) result;
    }

    private static AllowedAction to(String channel, @Nullable String to, String text) {
        return new AllowedAction.DirectDelivery(text, new Recipient(channel, to), Provenance.untrusted("red"));
    }

    private static String id(HookResult.Accepted accepted) {
        return accepted.receipts().get(0).name();
    }

    private DeliveryView view(String id) {
        return ((RunLookup.FoundDelivery) fixture.intake.delivery(id)).delivery();
    }

    private DeliveryView ended(String id) {
        return await("the end of a delivery")
                .pollInterval(Duration.ofMillis(5))
                .until(() -> view(id), view -> view.finishedAt() != null);
    }

    /** A channel that keeps what it gets, and sends all but the texts of {@link #outcomes}. */
    private final class Ops implements StubChannel {

        @Override
        public Outcome send(Channel.Message message) {
            sent.add(message.to() + " " + message.text());
            return outcomes.getOrDefault(message.text(), new Outcome.Sent("m" + sent.size()));
        }
    }
}

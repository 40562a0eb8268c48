package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Deliveries.Added;
import dev.postern.channel.Deliveries.Reply;
import dev.postern.config.Settings;
import dev.postern.model.DeliveryState;
import dev.postern.model.Ids;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.store.Databases;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {

    @TempDir
    Path home;

    private final List<String> sent = new ArrayList<>();
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");
    private Store store;
    private Deliveries deliveries;
    private Outbox outbox;

    @BeforeEach
    void open() throws StoreException {
        store = Databases.sqlite(home).open(() -> now);
        use(new Channels(Map.of(), Map.of()));
    }

    @AfterEach
    void close() {
        store.close();
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
    void failsWhatGoesToAChannelThatThisVersionLacks() throws StoreException {
        Settings.Channel slack = new Settings.Channel("slack", "slack", Map.of(), Map.of());
        use(Channels.of(Map.of("slack", slack)));
        add("slack", "C1", "hello");

        assertThat(row("reason")).startsWith("channels of kind slack are not available in this version: ");
    }

    @Test
    void namesEverySettingThatAChannelNeeds() {
        Channels none = new Channels(Map.of(), Map.of());

        assertThat(none.whyNot("whatsapp"))
                .isEqualTo("channel whatsapp is not configured: set channels.whatsapp.accessToken and"
                        + " channels.whatsapp.phoneNumberId");
    }

    @Test
    void failsWhatTheChannelRefuses() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "hello");

        outbox.wake();

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no such recipient");
    }

    @Test
    void triesAgainWhenTheChannelSaysSo() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(Duration.ofSeconds(42), "too many requests"));
        add("ops", "somebody", "hello");
        outbox.wake();
        now = now.plusSeconds(41);
        outbox.wake();
        assertThat(sent).containsExactly("ops somebody hello");

        outcomes.clear();
        now = now.plusSeconds(1);
        outbox.wake();

        assertThat(sent).hasSize(2);
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void givesUpAfterManyAttemptsAndKeepsWhy() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(null, "no answer"));
        add("ops", "somebody", "hello");
        for (int i = 0; i < 20; i++) {
            outbox.wake();
            now = now.plus(Duration.ofMinutes(10));
        }

        assertThat(sent).hasSize(Outbox.MAX_ATTEMPTS);
        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no answer (given up after 8 attempts)");
    }

    @Test
    void countsAChannelThatBreaksAsAnAttempt() throws StoreException {
        use(new Channels(
                Map.of("ops", (SendingChannel) message -> {
                    throw new IllegalStateException(message.text());
                }),
                Map.of()));
        add("ops", "somebody", "private");
        outbox.wake();

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("reason")).isEqualTo("the channel broke: IllegalStateException");
    }

    @Test
    void sendsAgainWhatACrashLeftHalfSent() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        store.writeAndWait(sql -> deliveries.claim(sql, now, 10));
        store.close();

        store = Databases.sqlite(home).open(() -> now);
        use(channel("ops"));
        outbox.wake();
        assertThat(sent).isEmpty();
        now = now.plus(Deliveries.LEASE);
        outbox.wake();

        assertThat(sent).containsExactly("ops somebody hello");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void failsWhatWaitedForAChannelThatIsGone() throws StoreException {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        use(new Channels(Map.of(), Map.of()));

        outbox.wake();

        assertThat(row("state")).isEqualTo("failed");
    }

    @Test
    void putsOffADeliveryWhoseChannelBreaksWithAnError() throws StoreException {
        SendingChannel deep = message -> {
            throw new StackOverflowError("private");
        };
        use(new Channels(Map.of("ops", deep), Map.of()));
        add("ops", "somebody", "hello");

        outbox.wake();

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("reason")).isEqualTo("the channel broke: StackOverflowError");
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
        outbox = new Outbox(
                store,
                deliveries,
                channel("ops"),
                task -> {
                    breaking.run();
                    task.run();
                },
                () -> now);
        outbox.wake();
        assertThat(outbox.close(Duration.ZERO)).as("no pass is under way").isTrue();
        outbox = new Outbox(store, deliveries, channel("ops"), Runnable::run, () -> {
            breaking.run();
            return now;
        });
        outbox.wake();
        assertThat(sent).isEmpty();
        fault.set(null);

        outbox.wake();

        assertThat(sent).containsExactly("ops somebody hello");
    }

    @Test
    void sendsNothingOnceClosed() throws Exception {
        use(channel("ops"));
        add("ops", "somebody", "hello");

        assertThat(outbox.close(Duration.ZERO)).isTrue();
        outbox.wake();

        assertThat(sent).isEmpty();
        assertThat(row("state")).isEqualTo("pending");
    }

    @Test
    void sendsEverythingThatIsDueInOrder() throws StoreException {
        use(channel("ops"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 45; i++) {
            add("ops", "somebody", "m" + i);
            expected.add("ops somebody m" + i);
            now = now.plusMillis(1);
        }

        outbox.wake();

        assertThat(sent).containsExactlyElementsOf(expected);
        assertThat(deliveries.ended(DeliveryState.DELIVERED)).isEqualTo(45);
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
        assertThat(add("last", null, "hello").channel()).isEqualTo("alpha");

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

        assertThat(sent).last().isEqualTo("ops somebody three");
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
                sql, new Reply(new RunId("run_1"), "main", new Recipient("ops", "x"), "NO_REPLY"), now));
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
        Reply reply = new Reply(new RunId("run_1"), "main", new Recipient("inbox", null), "kept");

        assertThatThrownBy(() -> store.writeAndWait(sql -> {
                    deliveries.add(sql, reply, now);
                    return sql.update("UPDATE nowhere SET x = 1");
                }))
                .isInstanceOf(StoreException.class);

        assertThat(deliveries.ended(DeliveryState.DELIVERED)).isZero();
    }

    private void tick() {
        now = now.plusMillis(1);
    }

    private void use(Channels channels) {
        deliveries = new Deliveries(channels, new Ids(() -> now));
        outbox = new Outbox(store, deliveries, channels, Runnable::run, () -> now);
    }

    private Channels channel(String... ids) {
        Map<String, Channel> usable = new HashMap<>();
        for (String id : ids) {
            usable.put(id, (SendingChannel) message -> {
                sent.add(id + " " + message.to() + " " + message.text());
                return outcomes.getOrDefault(message.text(), new Outcome.Sent(null));
            });
        }
        return new Channels(usable, Map.of());
    }

    private Added add(String channel, String to, String text) throws StoreException {
        Reply reply = new Reply(new RunId("run_1"), "main", new Recipient(channel, to), text);
        return store.writeAndWait(sql -> deliveries.add(sql, reply, now));
    }

    private String row(String column) throws StoreException {
        return texts("SELECT " + column + " AS text FROM delivery").get(0);
    }

    private List<String> texts(String query) throws StoreException {
        return store.read(sql -> sql.query(query, row -> row.text("text")));
    }
}

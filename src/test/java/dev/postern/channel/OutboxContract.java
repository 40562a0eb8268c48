package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MessagePart;
import dev.postern.model.DeliveryState;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests, on every database, that deliveries are sent in parts, in order, and again after failures. */
abstract class OutboxContract extends OutboxFixture {

    /** What an outbox of {@link #useTwoThreads} has yet to run. */
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private Runnable beforeParts = () -> {};

    @Test
    void failsWhatTheChannelRefuses() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "hello");

        outbox.signal();

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no such recipient");
    }

    @Test
    void triesAgainWhenTheChannelSaysSo() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(Duration.ofSeconds(42), "too many requests"));
        add("ops", "somebody", "hello");
        outbox.signal();
        now = now.plusSeconds(41);
        outbox.signal();
        assertThat(sent).containsExactly("ops somebody hello");

        outcomes.clear();
        now = now.plusSeconds(1);
        outbox.signal();

        assertThat(sent).hasSize(2);
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void givesUpAfterManyAttemptsAndKeepsWhy() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(null, "no answer"));
        add("ops", "somebody", "hello");
        for (int i = 0; i < 20; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }

        assertThat(sent).hasSize(MAX_ATTEMPTS);
        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no answer (given up after 8 attempts)");
    }

    @Test
    void countsAChannelThatBreaksAsAnAttempt() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", (StubChannel) message -> {
            throw new IllegalStateException(message.text());
        })));
        add("ops", "somebody", "private");
        outbox.signal();

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("reason")).isEqualTo("the channel broke: IllegalStateException");
    }

    @Test
    void sendsTheRestOfTheSamePartsAfterAFailure() throws StoreException {
        use(splitting());
        outcomes.put("b", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "a|b|c");
        outbox.signal();
        assertThat(sent).containsExactly("1/3 a", "2/3 b");
        assertThat(texts("SELECT message_id AS text FROM delivery_part WHERE sent_at IS NOT NULL"))
                .containsExactly("id of a");

        outcomes.clear();
        separator = "nothing";
        now = now.plusSeconds(5);
        outbox.signal();

        assertThat(sent).containsExactly("1/3 a", "2/3 b", "2/3 b", "3/3 c");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void putsOffAReplyThatCannotBeSplitAndSendsTheOthers() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new StubChannel() {

            @Override
            public List<String> parts(String reply) {
                if (reply.equals("deep")) {
                    throw new StackOverflowError("private");
                }
                return List.of(reply);
            }

            @Override
            public Outcome send(Message message) {
                sent.add(message.text());
                return new Outcome.Sent(null);
            }
        })));
        add("ops", "somebody", "deep");
        add("ops", "another", "flat");

        outbox.signal();

        assertThat(sent).containsExactly("flat");
        assertThat(texts("SELECT reason AS text FROM delivery WHERE text = 'deep'"))
                .containsExactly("the channel broke: StackOverflowError");
    }

    @Test
    void countsFailuresAnewOnceAPartWasTaken() throws StoreException {
        use(splitting());
        outcomes.put("a", new Outcome.Later(null, "busy"));
        outcomes.put("b", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "a|b");
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }
        outcomes.remove("a");
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }
        outcomes.clear();

        outbox.signal();

        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void tellsTheChannelWhatAnEarlierAttemptMayHaveSent() throws StoreException {
        List<String> doubts = new ArrayList<>();
        use(new ChannelRegistry(Map.of("ops", (SplittingChannel) message -> {
            doubts.add(message.text() + " " + message.maybeSent());
            return doubts.size() == 2 ? new Outcome.Unsure("no answer") : new Outcome.Sent(null);
        })));
        add("ops", "1", "a|b|c");
        outbox.signal();
        now = now.plus(Duration.ofHours(1));
        outbox.signal();

        assertThat(doubts).containsExactly("a false", "b false", "b true", "c false");
    }

    @Test
    void tellsTheChannelThatTheNodeOfAnAttemptDied() throws StoreException {
        List<String> doubts = new ArrayList<>();
        use(new ChannelRegistry(Map.of("ops", (StubChannel) message -> {
            doubts.add(message.text() + " " + message.maybeSent());
            return new Outcome.Sent(null);
        })));
        add("ops", "1", "abc");
        enter("node_2");
        claimAs("node_2");
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = 'node_2'"));
        outbox.signal();

        assertThat(doubts).containsExactly("abc true");
    }

    @Test
    void triesFewTimesWhatMayHaveBeenSent() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Unsure("no answer came"));
        add("ops", "somebody", "hello");
        for (int i = 0; i < 10; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }

        assertThat(sent).hasSize(3);
        assertThat(row("reason")).isEqualTo("no answer came (given up after 3 attempts)");
    }

    @Test
    void countsUnclearAttemptsApartFromPostponedOnes() throws StoreException {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        outcomes.put("hello", new Outcome.Later(null, "busy"));
        attempt(4);
        outcomes.put("hello", new Outcome.Unsure("no answer came"));
        attempt(2);
        assertThat(row("state")).isEqualTo("pending");

        attempt(1);

        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no answer came (given up after 7 attempts)");
    }

    @Test
    void countsUnclearAttemptsAnewOnceAPartWasTaken() throws StoreException {
        use(splitting());
        add("ops", "somebody", "a|b");
        outcomes.put("a", new Outcome.Unsure("no answer came"));
        attempt(2);
        outcomes.remove("a");
        outcomes.put("b", new Outcome.Unsure("no answer came"));

        attempt(2);

        assertThat(row("state")).isEqualTo("pending");
    }

    private void attempt(int times) {
        for (int i = 0; i < times; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }
    }

    @Test
    void triesOftenWhatAChannelRecognises() throws StoreException {
        List<String> attempts = new ArrayList<>();
        use(new ChannelRegistry(Map.of("ops", new StubChannel() {

            @Override
            public boolean recognisesRepeats() {
                return true;
            }

            @Override
            public Outcome send(Message message) {
                attempts.add(message.text());
                return new Outcome.Unsure("no answer came");
            }
        })));
        add("ops", "somebody", "hello");
        for (int i = 0; i < 20; i++) {
            outbox.signal();
            now = now.plus(Duration.ofHours(1));
        }

        assertThat(attempts).hasSize(MAX_ATTEMPTS);
        assertThat(row("state")).isEqualTo("failed");
    }

    @Test
    void waitsTwiceAsLongAfterEachFailure() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "hello");
        outbox.signal();
        now = now.plusSeconds(5);
        outbox.signal();
        now = now.plusSeconds(9);
        outbox.signal();
        assertThat(sent).hasSize(2);

        now = now.plusSeconds(1);
        outbox.signal();

        assertThat(sent).hasSize(3);
    }

    @Test
    void waitsForLessThanItsOwnPauseOnceIfTheChannelAsksForLess() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Later(Duration.ZERO, "busy"));
        add("ops", "somebody", "hello");
        outbox.signal();
        now = now.plusSeconds(4);
        outbox.signal();
        assertThat(sent).hasSize(2);

        now = now.plusSeconds(1);
        outbox.signal();

        assertThat(sent).hasSize(3);
    }

    @Test
    void sendsNothingToAnybodyWhileTheServiceLimitsTheWholeChannel() throws StoreException {
        use(channel("ops", "crm"));
        outcomes.put("first", new Outcome.Later(Duration.ofSeconds(30), "too many requests", true));
        add("ops", "somebody", "first");
        add("ops", "another", "second");
        add("crm", "another", "third");
        outbox.signal();
        now = now.plusSeconds(29);
        outbox.signal();
        assertThat(sent).containsExactlyInAnyOrder("ops somebody first", "crm another third");

        outcomes.clear();
        now = now.plusSeconds(1);
        outbox.signal();

        assertThat(sent).hasSize(4).contains("ops another second");
    }

    @Test
    void waitsForTheLongerOfTwoLimitsOfTheWholeChannel() throws StoreException {
        use(channel("ops"));
        add("ops", "somebody", "first");
        DueDeliveryQueue queue =
                new DueDeliveryQueue("ops", store, new DeliveryClaims(NODE, deliveryRepository, this::tell), () -> now);
        queue.pause(Duration.ofMinutes(40));
        queue.pause(Duration.ofMinutes(1));

        now = now.plusSeconds(2_399);
        assertThat(queue.claim()).isEmpty();
        now = now.plusSeconds(1);
        assertThat(queue.claim()).isPresent();
    }

    @Test
    void sendsAgainOnALimitedChannelWhenTheClockIsSetBack() throws StoreException {
        use(channel("ops"));
        outcomes.put("first", new Outcome.Later(Duration.ofHours(1), "too many requests", true));
        add("ops", "somebody", "first");
        outbox.signal();
        now = now.minusSeconds(60);
        add("ops", "another", "second");
        outbox.signal();

        assertThat(sent).containsExactly("ops somebody first", "ops another second");
    }

    @Test
    void keepsTheOrderOfWhatOneRecipientGetsAndHoldsUpNoOther() throws StoreException {
        use(channel("ops"));
        outcomes.put("first", new Outcome.Later(Duration.ofSeconds(30), "busy"));
        add("ops", "somebody", "first");
        add("ops", "somebody", "second");
        add("ops", "another", "third");
        add("ops", null, "fourth");
        outbox.signal();
        assertThat(sent).containsExactly("ops somebody first", "ops another third", "ops another fourth");

        outcomes.clear();
        now = now.plusSeconds(30);
        outbox.signal();

        assertThat(sent)
                .containsExactly(
                        "ops somebody first",
                        "ops another third",
                        "ops another fourth",
                        "ops somebody first",
                        "ops somebody second");
    }

    @Test
    void tellsTheAgentOfWhatHasReachedNobody() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "hello");

        outbox.signal();

        assertThat(told).containsExactly("main run_1 Delivery to ops (somebody) failed: no such recipient");
    }

    @Test
    void sendsToAnotherRecipientWhileALongMessageIsSent() throws StoreException {
        assertShortIsSentDuringLong(() -> {
            runAll(); // finds no more to send
            addUnchecked("another", "short");
        });
    }

    @Test
    void sendsAgainAfterAFailureOfTheDatabaseWhileALongMessageIsSent() throws StoreException {
        assertShortIsSentDuringLong(() -> {
            addUnchecked("another", "short");
            hideParts();
            signalAndRunAll();
            update("ALTER TABLE hidden RENAME TO delivery_part");
        });
    }

    @Test
    void sendsAgainOnceItsNodeIsBackWhileALongMessageIsSent() throws StoreException {
        assertShortIsSentDuringLong(() -> {
            addUnchecked("another", "short");
            beforeParts = () -> update("DELETE FROM node WHERE id = ?", NODE);
            signalAndRunAll();
            beforeParts = () -> {};
            update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 0, 0)", NODE);
        });
    }

    /** Checks that the next signal sends "short" while "long" is still being sent, after {@code meanwhile}. */
    private void assertShortIsSentDuringLong(Runnable meanwhile) throws StoreException {
        useTwoThreads(whileLong(() -> {
            meanwhile.run();
            signalAndRunAll();
        }));
        add("ops", "somebody", "long");

        signalAndRunAll();

        assertThat(sent).containsExactly("short", "long");
        assertThat(deliveryRepository.ended(DeliveryState.DELIVERED)).isEqualTo(2);
    }

    private void signalAndRunAll() {
        outbox.signal();
        runAll();
    }

    @Test
    void waitsForTheNextSignalAfterAFailureOfTheDatabase() throws StoreException {
        useTwoThreads(whileLong(() -> {}));
        add("ops", "somebody", "hello");
        hideParts();

        outbox.signal();
        outbox.signal();
        for (int i = 0; i < 20 && !threads.isEmpty(); i++) {
            threads.remove().run();
        }

        assertThat(threads).isEmpty();
        assertThat(outbox.busyThreads()).isZero();
    }

    @Test
    void sendsNothingAgainBecauseItsResultCouldNotBeStored() throws StoreException {
        use(channel("ops"));
        outcomes.put("hello", new Outcome.Refused("no such recipient"));
        beforeTelling = () -> {
            beforeTelling = () -> {};
            throw new IllegalStateException("private");
        };
        add("ops", "somebody", "hello");

        outbox.signal();
        outbox.signal();

        assertThat(sent).containsExactly("ops somebody hello");
        assertThat(row("state")).isEqualTo("failed");
    }

    @Test
    void claimsNothingBeforeClaimsThatWereLeftBehindAreReleased() throws StoreException {
        useTwoThreads((StubChannel) message -> {
            runAll();
            sent.add(message.text());
            return new Outcome.Sent(null);
        });
        add("ops", "somebody", "hello");
        outbox.signal();
        threads.remove().run(); // the first poll adds a worker, and the second one is ahead of it
        outbox.signal();
        while (!threads.isEmpty()) {
            threads.removeLast().run();
        }

        assertThat(sent).containsExactly("hello");
    }

    /** A channel that runs {@code meanwhile} while it sends the message "long". */
    private Channel whileLong(Runnable meanwhile) {
        return new StubChannel() {

            @Override
            public List<String> parts(String reply) {
                beforeParts.run();
                return List.of(reply);
            }

            @Override
            public Outcome send(Message message) {
                if (message.text().equals("long")) {
                    meanwhile.run();
                }
                sent.add(message.text());
                return new Outcome.Sent(null);
            }
        };
    }

    private void useTwoThreads(Channel channel) {
        atOnce = 2;
        use(new ChannelRegistry(Map.of("ops", channel)), threads::add);
    }

    private void hideParts() {
        update("ALTER TABLE delivery_part RENAME TO hidden");
    }

    private void addUnchecked(String to, String text) {
        try {
            add("ops", to, text);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    void failsWhatWaitedForAChannelThatIsGone() throws StoreException {
        use(channel("ops"));
        add("ops", "somebody", "hello");
        use(new ChannelRegistry(Map.of()));

        outbox.signal();

        assertThat(row("state")).isEqualTo("failed");
    }

    @Test
    void putsOffADeliveryWhoseChannelBreaksWithAnError() throws StoreException {
        StubChannel deep = message -> {
            throw new StackOverflowError("private");
        };
        use(new ChannelRegistry(Map.of("ops", deep)));
        add("ops", "somebody", "hello");

        outbox.signal();

        assertThat(row("state")).isEqualTo("pending");
        assertThat(row("reason")).isEqualTo("the channel broke: StackOverflowError");
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

        outbox.signal();

        assertThat(sent).containsExactlyElementsOf(expected);
        assertThat(deliveryRepository.ended(DeliveryState.DELIVERED)).isEqualTo(45);
    }

    /** A channel that sends what is in capitals as a file, and splits it at hyphens if that is refused. */
    private class CapitalsChannel implements FileChannel, StubChannel {

        @Override
        public List<String> parts(String reply) {
            return List.of(reply.split("-"));
        }

        @Override
        public List<MessagePart> partsWithFiles(String reply) {
            return Stream.of(reply.split("\\|"))
                    .map(text -> new MessagePart(text, text.equals(text.toUpperCase(Locale.ROOT)) ? "code.txt" : null))
                    .toList();
        }

        @Override
        public Outcome send(Message message) {
            sent.add(message.number() + "/" + message.of() + " " + message.text());
            return outcomes.getOrDefault(message.text(), new Outcome.Sent("id of " + message.text()));
        }

        @Override
        public Outcome sendFile(Message message, CodeFile file) {
            sent.add(message.number() + "/" + message.of() + " " + file.name() + " " + message.text());
            return outcomes.getOrDefault(message.text(), new Outcome.Sent("file"));
        }
    }

    @Test
    void sendsTextsInPlaceOfAFileThatIsRefused() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel())));
        outcomes.put("B-C", new Outcome.Refused("no files here"));
        add("ops", "somebody", "a|B-C|d");

        outbox.signal();

        assertThat(sent).containsExactly("1/3 a", "2/3 code.txt B-C", "2/4 B", "3/4 C", "4/4 d");
        assertThat(texts("SELECT text FROM delivery_part WHERE file_name IS NULL AND sent_at IS NOT NULL"
                        + " ORDER BY number"))
                .containsExactly("a", "B", "C", "d");
        assertThat(row("state")).isEqualTo("delivered");
        assertThat(told).isEmpty();
    }

    @Test
    void failsWhereATextInPlaceOfAFileIsRefusedToo() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel())));
        outcomes.put("B-C", new Outcome.Refused("no files here"));
        outcomes.put("B", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "B-C|d");

        outbox.signal();

        assertThat(sent).containsExactly("1/2 code.txt B-C", "1/3 B");
        assertThat(row("state")).isEqualTo("failed");
        assertThat(row("reason")).isEqualTo("no such recipient");
    }

    @Test
    void goesOnBehindTheTextsInPlaceOfAFile() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel())));
        outcomes.put("B-C", new Outcome.Refused("no files here"));
        outcomes.put("C", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "B-C|d");
        outbox.signal();
        outcomes.clear();
        now = now.plusSeconds(5);

        outbox.signal();

        assertThat(sent).containsExactly("1/2 code.txt B-C", "1/3 B", "2/3 C", "2/3 C", "3/3 d");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsAFileAgainOnlyUnlessItWasTaken() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel())));
        outcomes.put("B", new Outcome.Unsure("no answer"));
        add("ops", "somebody", "a|B|C");
        outbox.signal();
        outcomes.clear();
        outcomes.put("C", new Outcome.Later(null, "busy"));
        now = now.plusSeconds(5);
        outbox.signal();
        outcomes.clear();
        now = now.plusSeconds(5);

        outbox.signal();

        assertThat(sent)
                .containsExactly("1/3 a", "2/3 code.txt B", "2/3 code.txt B", "3/3 code.txt C", "3/3 code.txt C");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void sendsTextsWhereItsChannelTakesFilesNoMore() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel())));
        outcomes.put("B", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "B|c");
        outbox.signal();
        use(splitting());
        outcomes.clear();
        now = now.plusSeconds(5);

        outbox.signal();

        assertThat(sent).containsExactly("1/2 code.txt B", "1/2 B", "2/2 c");
        assertThat(row("state")).isEqualTo("delivered");
    }

    @Test
    void replacesNoPartOfADeliveryThatItHasLost() throws StoreException {
        use(new ChannelRegistry(Map.of("ops", new CapitalsChannel() {

            @Override
            public Outcome sendFile(Message message, CodeFile file) {
                take("node_2");
                return new Outcome.Refused("no files here");
            }
        })));
        enter("node_2");
        add("ops", "somebody", "B-C|d");

        outbox.signal();

        assertThat(sent).isEmpty();
        assertThat(texts("SELECT text FROM delivery_part ORDER BY number")).containsExactly("B-C", "d");
        assertThat(row("state")).isEqualTo("pending");
    }
}

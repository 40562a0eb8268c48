package dev.postern.channel;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MessagePart;
import dev.postern.net.Backoff;
import dev.postern.observe.TraceSpan;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.UnitOfWork;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A worker that sends a channel's deliveries in one thread, one after the other. It repeats a failed attempt after 5 s,
 * doubled each time up to an hour, or after the pause that the channel asks for if that is longer, or the first. There
 * are {@value #MAX_UNCLEAR} attempts at most of which it is unknown whether a part was sent, because each of them may send
 * it again, unless the channel recognises repeats. Texts replace a file that the channel refuses.
 */
final class DeliveryWorker {

    private static final Logger LOG = System.getLogger(DeliveryWorker.class.getName());
    private static final int MAX_UNCLEAR = 3;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofHours(1));
    private static final Duration STORE_WAIT = Duration.ofSeconds(1);

    private final String id;
    private final Store store;
    private final DeliveryClaims deliveryClaims;
    private final DueDeliveryQueue dueDeliveryQueue;
    private final ChannelRegistry channelRegistry;
    private final int maxAttempts;
    private final InstantSource clock;
    private final Outbox outbox;

    DeliveryWorker(
            String id,
            Store store,
            DeliveryClaims deliveryClaims,
            DueDeliveryQueue dueDeliveryQueue,
            ChannelRegistry channelRegistry,
            int maxAttempts,
            InstantSource clock,
            Outbox outbox) {
        this.id = id;
        this.store = store;
        this.deliveryClaims = deliveryClaims;
        this.dueDeliveryQueue = dueDeliveryQueue;
        this.channelRegistry = channelRegistry;
        this.maxAttempts = maxAttempts;
        this.clock = clock;
        this.outbox = outbox;
    }

    /** Sends deliveries until none is due or the outbox is closed. */
    void sendAll() throws StoreException, InterruptedException {
        while (outbox.isOpen()) {
            Optional<ClaimedDelivery> next = dueDeliveryQueue.claim();
            if (next.isEmpty()) {
                return;
            }
            try {
                outbox.addWorker(id);
                attempt(next.get());
            } finally {
                deliveryClaims.cancelReservation(next.get().id());
            }
        }
    }

    private void attempt(ClaimedDelivery claimedDelivery) throws StoreException, InterruptedException {
        try (TraceSpan span = TraceSpan.continuing(claimedDelivery.trace(), "delivery")) {
            span.set("postern.delivery.id", claimedDelivery.id())
                    .set("postern.delivery.attempt", (long) claimedDelivery.attempt())
                    .set("postern.run.id", claimedDelivery.runId())
                    .set("postern.channel", id)
                    .set("postern.event", claimedDelivery.event());
            send(claimedDelivery);
        }
    }

    private void send(ClaimedDelivery claimedDelivery) throws StoreException, InterruptedException {
        Optional<Channel> channel = channelRegistry.find(id);
        if (channel.isEmpty()) {
            fail(claimedDelivery, channelRegistry.whyNot(id));
            return;
        }
        if (claimedDelivery.interrupted() >= maxAttempts) {
            fail(
                    claimedDelivery,
                    "Postern ended during " + attempts(claimedDelivery.interrupted())
                            + " in a row; the message may have been sent");
            return;
        }
        List<ClaimedDelivery.Part> parts;
        try {
            parts = parts(claimedDelivery, channel.get());
        } catch (RuntimeException | Error e) {
            tryLater(claimedDelivery, broke(e), null, claimedDelivery.failures() + 1, false);
            return;
        }
        int of = parts.size();
        Deque<ClaimedDelivery.Part> unsent =
                new ArrayDeque<>(parts.stream().filter(part -> !part.sent()).toList());
        int failures = claimedDelivery.failures();
        int unclear = claimedDelivery.unclear();
        boolean maybeSent = claimedDelivery.attempt() > 1; // parts go in order, so it is the first unsent one at most
        while (!unsent.isEmpty()) {
            if (!outbox.isOpen()) {
                store.writeAndWait(sql -> deliveryClaims.release(sql, claimedDelivery));
                return;
            }
            ClaimedDelivery.Part part = unsent.remove();
            Outcome outcome = attempt(channel.get(), claimedDelivery.message(part, of, maybeSent), part.content());
            if (outcome instanceof Outcome.Refused refused && part.content().fileName() != null) {
                try {
                    unsent = withoutFile(claimedDelivery, channel.get(), part, unsent, refused);
                } catch (RuntimeException | Error e) {
                    tryLater(claimedDelivery, broke(e), null, failures + 1, false);
                    return;
                }
                of = part.number() - 1 + unsent.size();
                maybeSent = false;
                continue;
            }
            if (!(outcome instanceof Outcome.Sent sent)) {
                failed(claimedDelivery, channel.get(), outcome, failures + 1, unclear + 1);
                return;
            }
            failures = 0;
            unclear = 0;
            maybeSent = false;
            boolean last = unsent.isEmpty();
            if (!storeResult(
                    claimedDelivery,
                    sql -> deliveryClaims.sent(sql, claimedDelivery, part, last, sent.messageId(), clock.instant()))) {
                return;
            }
        }
    }

    /** Stores texts in place of a file that the product refuses; returns these and the parts behind it, now unsent. */
    private Deque<ClaimedDelivery.Part> withoutFile(
            ClaimedDelivery claimedDelivery,
            Channel channel,
            ClaimedDelivery.Part file,
            Collection<ClaimedDelivery.Part> behind,
            Outcome.Refused refused)
            throws StoreException {
        LOG.log(
                Level.WARNING,
                "Delivery {0} on channel {1} sends code as text, not as a file: {2}",
                claimedDelivery.label(),
                id,
                refused.reason());
        List<MessagePart> contents = Stream.concat(
                        texts(channel, file.content().text()), behind.stream().map(ClaimedDelivery.Part::content))
                .toList();
        return new ArrayDeque<>(
                store.writeAndWait(sql -> deliveryClaims.replace(sql, claimedDelivery, file.number(), contents)));
    }

    private static Stream<MessagePart> texts(Channel channel, String reply) {
        return channel.parts(reply).stream().map(MessagePart::text);
    }

    private List<ClaimedDelivery.Part> parts(ClaimedDelivery claimedDelivery, Channel channel) throws StoreException {
        List<ClaimedDelivery.Part> noted = store.read(sql -> deliveryClaims.parts(sql, claimedDelivery));
        if (!noted.isEmpty()) {
            return noted;
        }
        if (claimedDelivery.event() != null) {
            MessagePart data = new MessagePart(claimedDelivery.text(), null);
            return store.writeAndWait(sql -> deliveryClaims.add(sql, claimedDelivery, List.of(data)));
        }
        List<MessagePart> contents = channel instanceof FileChannel fileChannel
                ? fileChannel.partsWithFiles(claimedDelivery.text())
                : texts(channel, claimedDelivery.text()).toList();
        return store.writeAndWait(sql -> deliveryClaims.add(sql, claimedDelivery, contents));
    }

    private static Outcome attempt(Channel channel, Channel.Message message, MessagePart content) {
        @Nullable CodeFile file = content.file();
        try {
            if (file == null) {
                return channel.send(message);
            }
            return channel instanceof FileChannel fileChannel
                    ? fileChannel.sendFile(message, file)
                    : new Outcome.Refused("the channel takes no files");
        } catch (RuntimeException | Error e) {
            return new Outcome.Unsure(broke(e));
        }
    }

    /** The reason for an exception, without its message, which may hold the reply. */
    private static String broke(Throwable fault) {
        return "the channel broke: " + fault.getClass().getSimpleName();
    }

    /**
     * Stores the result of a failed attempt.
     *
     * @param failures number of attempts that failed since a part was last sent, with this one
     * @param unclear number of those that may have sent a part, if this one may
     */
    private void failed(ClaimedDelivery claimedDelivery, Channel channel, Outcome outcome, int failures, int unclear)
            throws InterruptedException {
        if (outcome instanceof Outcome.Refused refused) {
            fail(claimedDelivery, refused.reason());
        } else if (outcome instanceof Outcome.Later later) {
            if (later.wholeChannel() && later.pause() != null) {
                dueDeliveryQueue.pause(later.pause());
            }
            tryLater(claimedDelivery, later.reason(), later.pause(), failures, false);
        } else if (outcome instanceof Outcome.Unsure unsure) {
            if (unclear >= MAX_UNCLEAR && !channel.recognisesRepeats()) {
                giveUp(claimedDelivery, unsure.reason(), failures);
            } else {
                tryLater(claimedDelivery, unsure.reason(), null, failures, true);
            }
        }
    }

    private void tryLater(
            ClaimedDelivery claimedDelivery, String reason, @Nullable Duration asked, int failures, boolean isUnclear)
            throws InterruptedException {
        if (failures >= maxAttempts) {
            giveUp(claimedDelivery, reason, failures);
            return;
        }
        Instant next = clock.instant().plus(pause(asked, failures));
        LOG.log(Level.DEBUG, "Delivery {0} on channel {1} postponed: {2}", claimedDelivery.label(), id, reason);
        TraceSpan.failCurrent("postponed");
        storeResult(claimedDelivery, sql -> deliveryClaims.postpone(sql, claimedDelivery, next, isUnclear, reason));
    }

    /** The pause before the next attempt. The first one may be as short as a channel asks, since rate limits are. */
    private static Duration pause(@Nullable Duration asked, int failures) {
        if (asked == null) {
            return BACKOFF.after(failures);
        }
        Duration least = failures == 1 ? Duration.ZERO : BACKOFF.after(failures - 1);
        return asked.compareTo(least) < 0 ? least : asked;
    }

    private void giveUp(ClaimedDelivery claimedDelivery, String reason, int failures) throws InterruptedException {
        fail(claimedDelivery, reason + " (given up after " + attempts(failures) + ")");
    }

    private static String attempts(int number) {
        return number + (number == 1 ? " attempt" : " attempts");
    }

    private void fail(ClaimedDelivery claimedDelivery, String reason) throws InterruptedException {
        LOG.log(Level.WARNING, "Delivery {0} on channel {1} failed: {2}", claimedDelivery.label(), id, reason);
        TraceSpan.failCurrent("failed");
        storeResult(claimedDelivery, sql -> deliveryClaims.fail(sql, claimedDelivery, reason, clock.instant()));
    }

    /** Stores the result of an attempt and retries until it is stored, because otherwise the message is sent again. */
    private boolean storeResult(ClaimedDelivery claimedDelivery, UnitOfWork<Boolean> unit) throws InterruptedException {
        Level level = Level.WARNING;
        do {
            try {
                return store.writeAndWait(unit);
            } catch (StoreException e) {
                LOG.log(Level.DEBUG, "Could not store the result of a delivery; retrying: {0}", e.getMessage());
            } catch (RuntimeException | Error e) {
                LOG.log(
                        level,
                        "The result of delivery {0} on channel {1} can''t be stored; retrying: {2}",
                        claimedDelivery.label(),
                        id,
                        e.getClass().getSimpleName());
                level = Level.DEBUG;
            }
        } while (outbox.pause(STORE_WAIT));
        return false;
    }
}

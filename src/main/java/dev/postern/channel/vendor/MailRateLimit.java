package dev.postern.channel.vendor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A limit of the replies that one address gets within an hour, the last brake of a loop (RFC 3834, section 2). The parts
 * of one delivery count once. Each node counts by itself, from its start. Safe for use by many threads.
 */
final class MailRateLimit {

    private static final Duration WINDOW = Duration.ofHours(1);

    private static final int MOST_ADDRESSES = 10_000;

    /** A delivery that was sent, or is being sent. */
    private record Counted(Instant at, String deliveryId) {}

    private final int most;

    /** The deliveries of the last hour by address; the address that was used last is the last one. */
    private final Map<String, Deque<Counted>> byAddress = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Counted>> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    /** @param most the most deliveries to one address within an hour */
    MailRateLimit(int most) {
        this.most = most;
    }

    /** Counts the delivery {@code deliveryId} unless it is counted already; false if it is one too many. */
    synchronized boolean take(String address, String deliveryId, Instant now) {
        Deque<Counted> counted = byAddress.computeIfAbsent(key(address), none -> new ArrayDeque<>());
        counted.removeIf(each -> !each.at().isAfter(now.minus(WINDOW)));
        if (counted.stream().anyMatch(each -> each.deliveryId().equals(deliveryId))) {
            return true;
        }
        return counted.size() < most && counted.add(new Counted(now, deliveryId));
    }

    private static String key(String address) {
        return address.toLowerCase(Locale.ROOT);
    }
}

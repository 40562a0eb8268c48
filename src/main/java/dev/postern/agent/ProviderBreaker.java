package dev.postern.agent;

import dev.postern.net.Backoff;
import dev.postern.net.RetryAfter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker for one provider on this node. After {@value #MOST_FAILURES} failed requests in a row it opens: one
 * request at a time probes the provider, and no other is sent. A response closes it. The reason may be in the turns that have
 * failed rather than in the provider. So it opens later while the provider responds to others, and when it is open, turns that
 * have failed since the last response wait longer and longer, but a turn that has not is the next to probe the provider, once
 * a second at most. Safe for use by many threads.
 */
public final class ProviderBreaker {

    /** The number of failed requests in a row that opens it. */
    static final int MOST_FAILURES = 5;
    /** The number of failed requests in a row that opens it within {@link #LATELY} after a response. */
    static final int MOST_FAILURES_LATELY = 50;

    private static final Logger LOG = System.getLogger(ProviderBreaker.class.getName());
    private static final Duration LATELY = Duration.ofSeconds(30);
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
    /** The pause between the probes of two turns that had not failed. */
    private static final Duration PAUSE_OF_OTHERS = Duration.ofSeconds(1);
    /** The time within which an admitted turn sends its request; another turn is admitted after it. */
    private static final Duration ADMISSION = Duration.ofSeconds(5);
    /** The most turns that it remembers as failed; the one that failed first is forgotten. */
    private static final int MOST_FAILED_TURNS = 1_000;

    private final String provider;
    private final boolean enabled;
    private final Consumer<Outage> listener;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private int failures;
    private int probes;
    /** The permission of the probe that has not ended; null if there is none. */
    private @Nullable Granted probe;

    private @Nullable Outage outage;
    /** The turns that have failed since the last response. */
    private final Set<String> failedTurns = new LinkedHashSet<>();
    /** The pause of the turns that have failed. */
    private Pause pause = new Pause(Duration.ZERO, 0);
    /** The pause of all other turns. */
    private Pause pauseOfOthers = new Pause(Duration.ZERO, 0);

    private long admittedAt;
    /** The turn that was admitted for the next probe; null if there is none. */
    private @Nullable String admitted;

    private long respondedAt;
    private boolean responded;

    /**
     * @param provider its id, for the log
     * @param enabled false for a breaker that never opens
     * @param listener takes each outage as it begins; it must not block
     * @param nanos as {@link System#nanoTime}
     */
    ProviderBreaker(
            String provider, boolean enabled, Consumer<Outage> listener, InstantSource clock, LongSupplier nanos) {
        this.provider = provider;
        this.enabled = enabled;
        this.listener = listener;
        this.clock = clock;
        this.nanos = nanos;
    }

    /**
     * A time in which the provider is down.
     *
     * @param since the time at which the breaker opened
     * @param reason the last failure, with neither payload nor secret
     */
    public record Outage(Instant since, String reason) {}

    /** The answer to a request that is to be sent. */
    public sealed interface Permission {}

    /**
     * A permission to send one request. Its end has to be reported by {@link #succeeded}, {@link #failed} or
     * {@link #abandoned}.
     *
     * @param probe whether no other request is sent until then
     * @param at the time of the permission, as {@link System#nanoTime}
     * @param turn the id of the turn that sends the request
     */
    public record Granted(boolean probe, long at, String turn) implements Permission {}

    /**
     * A denial: the provider is down.
     *
     * @param reason its last failure
     * @param pause the time until the next probe
     */
    public record Denied(String reason, Duration pause) implements Permission {}

    /** A pause that began at {@code begin}, as {@link System#nanoTime}. */
    private record Pause(Duration length, long begin) {

        Duration left(long now) {
            Duration left = length.minusNanos(now - begin);
            return left.isNegative() ? Duration.ZERO : left;
        }
    }

    /** Asks for the permission to send a request of the turn with the id {@code turn}. */
    public synchronized Permission request(String turn) {
        long now = nanos.getAsLong();
        Optional<Denied> denied = denied(turn, now);
        if (denied.isPresent()) {
            return denied.get();
        }
        admitted = null;
        Granted granted = new Granted(outage != null, now, turn);
        if (granted.probe()) {
            probe = granted;
        }
        return granted;
    }

    /**
     * Whether the turn with the id {@code turn} may begin, which will send a request: empty, or a denial. Of many turns that
     * ask while a probe is due, one is admitted.
     */
    public synchronized Optional<Denied> admit(String turn) {
        long now = nanos.getAsLong();
        Optional<Denied> denied = denied(turn, now);
        if (denied.isEmpty() && outage != null) {
            admitted = turn;
            admittedAt = now;
        }
        return denied;
    }

    /** The denial of a probe by {@code turn}: another one probes or is admitted, or its pause is not over; else empty. */
    private Optional<Denied> denied(String turn, long now) {
        Outage current = outage;
        if (current == null) {
            return Optional.empty();
        }
        Duration left = (failedTurns.contains(turn) ? pause : pauseOfOthers).left(now);
        if (probe == null && left.isZero() && !isTaken(turn, now)) {
            return Optional.empty();
        }
        return Optional.of(new Denied(current.reason(), left.isZero() ? PAUSES.after(1) : left));
    }

    /** Whether another turn is admitted that does not have to let {@code turn} go first. */
    private boolean isTaken(String turn, long now) {
        String other = admitted;
        return other != null
                && !other.equals(turn)
                && (failedTurns.contains(turn) || !failedTurns.contains(other))
                && now - admittedAt < ADMISSION.toNanos();
    }

    /** Reports a response that shows that the provider works, even if it refuses the request. */
    public synchronized void succeeded(Granted granted) {
        respondedAt = nanos.getAsLong();
        responded = true;
        failures = 0;
        failedTurns.clear();
        Outage over = outage;
        if (over != null) {
            outage = null;
            probe = null;
            Duration lasted = Duration.between(over.since(), clock.instant());
            LOG.log(Level.INFO, "Provider {0} responds again, after {1} s", provider, lasted.toSeconds());
        }
    }

    /**
     * Reports that the provider was down for a request.
     *
     * @param reason how it failed, with neither payload nor secret
     * @param asked the pause that the provider asks for; zero if it asks for none
     */
    public synchronized void failed(Granted granted, String reason, Duration asked) {
        abandoned(granted);
        long now = nanos.getAsLong();
        boolean isFirst = failedTurns.isEmpty();
        boolean isNew = remember(granted.turn());
        if (isNew) {
            pauseOfOthers = new Pause(isFirst ? Duration.ZERO : longer(PAUSE_OF_OTHERS, asked), now);
        }
        failures++;
        Outage before = outage;
        if (!enabled || (before == null ? failures < mostFailures(asked, now) : !granted.probe())) {
            return;
        }
        outage = new Outage(before == null ? clock.instant() : before.since(), reason);
        if (before == null || !isNew) {
            probes = before == null ? 1 : probes + 1;
            pause = new Pause(longer(PAUSES.after(probes), asked), now);
        }
        if (before == null) {
            LOG.log(
                    Level.WARNING,
                    "Provider {0} is down; until it responds, one request at a time probes it: {1}",
                    provider,
                    reason);
            listener.accept(outage);
        }
    }

    /** Remembers that {@code turn} has failed; returns whether it had not. */
    private boolean remember(String turn) {
        boolean isNew = failedTurns.add(turn);
        if (failedTurns.size() > MOST_FAILED_TURNS) {
            failedTurns.remove(failedTurns.iterator().next());
        }
        return isNew;
    }

    private int mostFailures(Duration asked, long now) {
        boolean responds = responded && now - respondedAt < LATELY.toNanos();
        return responds && asked.isZero() ? MOST_FAILURES_LATELY : MOST_FAILURES;
    }

    private static Duration longer(Duration own, Duration asked) {
        Duration bounded = RetryAfter.bounded(asked);
        return own.compareTo(bounded) < 0 ? bounded : own;
    }

    /** Whether {@value #MOST_FAILURES} requests in a row have failed, after which no turn should send one again at once. */
    public synchronized boolean failsRepeatedly() {
        return enabled && failures >= MOST_FAILURES;
    }

    /**
     * Reports that a request was ended from this side, so that it says nothing about the provider. Does nothing if its end is
     * reported already.
     */
    public synchronized void abandoned(Granted granted) {
        if (granted.equals(probe)) {
            probe = null;
        }
    }

    /** Whether a response came, to any request, since {@code granted}. */
    public synchronized boolean respondedSince(Granted granted) {
        return responded && respondedAt - granted.at() >= 0;
    }

    /** The outage; empty while the provider works. */
    public synchronized Optional<Outage> outage() {
        return Optional.ofNullable(outage);
    }
}

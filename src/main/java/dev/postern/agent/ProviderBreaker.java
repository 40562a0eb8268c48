package dev.postern.agent;

import dev.postern.net.Backoff;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker for one provider on this node. After {@value #MOST_FAILURES} failed requests in a row it opens: one
 * request at a time probes the provider, with growing pauses, and no other is sent. A response closes it. While the requests
 * of one turn alone have failed, that turn may be the reason: then another turn probes the provider at once. Safe for use by
 * many threads.
 */
public final class ProviderBreaker {

    /** The number of failed requests in a row that opens it. */
    static final int MOST_FAILURES = 5;

    private static final Logger LOG = System.getLogger(ProviderBreaker.class.getName());
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
    /** The longest pause between two probes, whatever the provider asks for. */
    private static final Duration LONGEST = Duration.ofHours(1);
    /** The time within which an admitted turn sends its request; another turn is admitted after it. */
    private static final Duration ADMISSION = Duration.ofSeconds(5);

    private final String provider;
    private final boolean enabled;
    private final Consumer<Outage> listener;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private int failures;
    private int probes;
    private boolean probing;
    private @Nullable Outage outage;
    private Duration pause = Duration.ZERO;
    private long pausedAt;
    private long admittedAt;
    /** The turn that was admitted for the next probe; null if there is none. */
    private @Nullable String admitted;
    /** The turn to which all failures in a row belong; null if there are none, or several turns have failed. */
    private @Nullable String onlyFailed;

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

    /** Asks for the permission to send a request of the turn with the id {@code turn}. */
    public synchronized Permission request(String turn) {
        long now = nanos.getAsLong();
        Outage current = outage;
        if (current == null) {
            return new Granted(false, now, turn);
        }
        Duration left = untilProbe(now);
        if (probing || !(left.isZero() || mayProbeAtOnce(turn))) {
            return denied(current, left);
        }
        probing = true;
        admitted = null;
        return new Granted(true, now, turn);
    }

    /** Whether {@code turn} may probe without a pause: it has not failed, and one other alone has. */
    private boolean mayProbeAtOnce(String turn) {
        return onlyFailed != null && !onlyFailed.equals(turn);
    }

    /**
     * Whether the turn with the id {@code turn} may begin, which will send a request: empty, or a denial. Of many turns that
     * ask while a probe is due, one is admitted.
     */
    public synchronized Optional<Denied> admit(String turn) {
        Outage current = outage;
        if (current == null) {
            return Optional.empty();
        }
        long now = nanos.getAsLong();
        Duration left = untilProbe(now);
        boolean atOnce = mayProbeAtOnce(turn);
        boolean taken = admitted != null
                && !admitted.equals(turn)
                && !(atOnce && admitted.equals(onlyFailed))
                && now - admittedAt < ADMISSION.toNanos();
        if (probing || taken || !(left.isZero() || atOnce)) {
            return Optional.of(denied(current, left));
        }
        admitted = turn;
        admittedAt = now;
        return Optional.empty();
    }

    private Denied denied(Outage current, Duration left) {
        return new Denied(current.reason(), left.isZero() ? PAUSES.after(1) : left);
    }

    private Duration untilProbe(long now) {
        Duration left = pause.minusNanos(now - pausedAt);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Reports a response that shows that the provider works, even if it refuses the request. */
    public synchronized void succeeded(Granted granted) {
        abandoned(granted);
        respondedAt = nanos.getAsLong();
        responded = true;
        failures = 0;
        onlyFailed = null;
        Outage over = outage;
        if (over != null) {
            outage = null;
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
        if (failures == 0) {
            onlyFailed = granted.turn();
        } else if (!granted.turn().equals(onlyFailed)) {
            onlyFailed = null;
        }
        failures++;
        Outage before = outage;
        if (!enabled || (before == null ? failures < MOST_FAILURES : !granted.probe())) {
            return;
        }
        probes = before == null ? 1 : probes + 1;
        Duration longer = PAUSES.after(probes).compareTo(asked) < 0 ? asked : PAUSES.after(probes);
        pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        pausedAt = nanos.getAsLong();
        outage = new Outage(before == null ? clock.instant() : before.since(), reason);
        if (before == null) {
            LOG.log(
                    Level.WARNING,
                    "Provider {0} is down; until it responds, one request at a time probes it: {1}",
                    provider,
                    reason);
            listener.accept(outage);
        }
    }

    /** Reports that a request was ended from this side, so that it says nothing about the provider. */
    public synchronized void abandoned(Granted granted) {
        if (granted.probe()) {
            probing = false;
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

package dev.postern.console;

import dev.postern.config.Settings;
import dev.postern.observe.LastHourCounter;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A resource that shows the status and the alerts of this Postern. Its result is kept for a second, since many pages may be
 * open, each of which asks every few seconds.
 */
final class OverviewResource {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final Supplier<SystemStatus> look;
    private final AlertFinder alertFinder;
    private final Console.Traffic traffic;
    private final CachedValue<Shown> cachedValue;

    /**
     * @param nanos as {@link System#nanoTime}
     */
    OverviewResource(Supplier<SystemStatus> look, Settings settings, Console.Traffic traffic, LongSupplier nanos) {
        this.look = look;
        this.alertFinder = new AlertFinder(settings.hooks().enabled(), eventsMayWait(settings.agents()));
        this.traffic = traffic;
        this.cachedValue = new CachedValue<>(this::shown, FRESH, nanos);
    }

    /**
     * The overview.
     *
     * @param alerts the alerts, the gravest first
     * @param accepted the accepted actions, by minute
     * @param refused the rejected requests that were not throttled, by minute
     * @param throttled the throttled requests, by minute
     * @param most the largest count of one kind in one minute, at least 1
     */
    record Shown(
            List<Alert> alerts,
            SystemStatus now,
            List<LastHourCounter.Minute> accepted,
            List<LastHourCounter.Minute> refused,
            List<LastHourCounter.Minute> throttled,
            long most) {}

    /** The overview as it is now, or was less than a second ago. */
    Shown show() {
        return cachedValue.get();
    }

    private Shown shown() {
        SystemStatus now = look.get();
        List<LastHourCounter.Minute> accepted = traffic.accepted().minutes();
        List<LastHourCounter.Minute> refused = traffic.refused().minutes();
        List<LastHourCounter.Minute> throttled = traffic.throttled().minutes();
        return new Shown(
                alertFinder.of(now),
                now,
                accepted,
                refused,
                throttled,
                Math.max(1, Math.max(most(accepted), Math.max(most(refused), most(throttled)))));
    }

    private static long most(List<LastHourCounter.Minute> minutes) {
        return minutes.stream().mapToLong(LastHourCounter.Minute::count).max().orElse(0);
    }

    /** Twice the longest heartbeat interval, plus a day if there are active hours; null if an agent has no heartbeats. */
    private static @Nullable Duration eventsMayWait(Settings.Agents agents) {
        Duration longest = Duration.ZERO;
        for (Settings.Agent agent : agents.list()) {
            Settings.Heartbeat heartbeat = agent.heartbeat();
            if (heartbeat.every().isZero()) {
                return null;
            }
            Duration pause =
                    heartbeat.every().multipliedBy(2).plus(heartbeat.activeHours() == null ? Duration.ZERO : DAY);
            longest = longest.compareTo(pause) < 0 ? pause : longest;
        }
        return longest;
    }
}

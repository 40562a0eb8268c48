package dev.postern.heartbeat;

import dev.postern.config.AgentSettings.ActiveHours;
import dev.postern.config.AgentSettings.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The schedule of an agent's periodic heartbeats. Requested heartbeats don't wait for it. */
public final class HeartbeatSchedule {

    private final Duration every;
    private final @Nullable ActiveHours activeHours;

    public HeartbeatSchedule(Heartbeat heartbeat) {
        this.every = heartbeat.every();
        this.activeHours = heartbeat.activeHours();
    }

    /** True when the agent has periodic heartbeats at all. */
    public boolean isOn() {
        return !every.isZero();
    }

    /** The time from which one is due if it is within active hours, given that the latest was at {@code latest}. */
    public Instant next(Instant latest) {
        return latest.plus(every);
    }

    /** True when one is due at {@code now}, given that the latest was at {@code latest}. */
    public boolean isDue(Instant latest, Instant now) {
        return isOn() && !now.isBefore(next(latest)) && isActive(now);
    }

    /** The first time within active hours that is not before {@code from}. */
    public Instant firstActive(Instant from) {
        if (activeHours == null || isActive(from)) {
            return from;
        }
        ZoneId zone = activeHours.timezone();
        LocalDate day = from.atZone(zone).toLocalDate();
        Instant start = day.atTime(activeHours.start()).atZone(zone).toInstant();
        while (start.isBefore(from) || !isActive(start)) { // hours that a daylight saving change skips are not active
            day = day.plusDays(1);
            start = day.atTime(activeHours.start()).atZone(zone).toInstant();
        }
        return start;
    }

    private boolean isActive(Instant now) {
        if (activeHours == null) {
            return true;
        }
        LocalTime time = now.atZone(activeHours.timezone()).toLocalTime();
        boolean started = !time.isBefore(activeHours.start());
        boolean ended = !time.isBefore(activeHours.end());
        boolean overMidnight = !activeHours.start().isBefore(activeHours.end());
        return overMidnight ? started || !ended : started && !ended;
    }
}

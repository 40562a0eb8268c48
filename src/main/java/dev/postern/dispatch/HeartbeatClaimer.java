package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.HeartbeatRepository;
import dev.postern.acceptance.HeartbeatState;
import dev.postern.acceptance.WaitingEvent;
import dev.postern.config.AgentSettings;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.heartbeat.HeartbeatRetryRule;
import dev.postern.heartbeat.HeartbeatSchedule;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A claimer of due heartbeats: the requested ones, also for agents that are no longer configured, and the periodic
 * ones. While a requested one is to come, the schedule adds none.
 */
final class HeartbeatClaimer {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /**
     * The longest time between two checks, however far away the next heartbeat is: within it, a change of the clock is
     * noticed.
     */
    private static final Duration LOOK_AT_LEAST = Duration.ofMinutes(1);

    private final EventRepository eventRepository;
    private final HeartbeatRepository heartbeatRepository;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Map<String, HeartbeatSchedule> schedules = new HashMap<>();
    private final Map<String, Long> notBefore = new HashMap<>();
    private Instant started;

    /**
     * @param nanos as {@link System#nanoTime}
     */
    HeartbeatClaimer(
            AgentSettings agents,
            EventRepository eventRepository,
            HeartbeatRepository heartbeatRepository,
            InstantSource clock,
            LongSupplier nanos) {
        this.eventRepository = eventRepository;
        this.heartbeatRepository = heartbeatRepository;
        this.clock = clock;
        this.nanos = nanos;
        this.started = clock.instant();
        for (Agent agent : agents.list()) {
            HeartbeatSchedule schedule = new HeartbeatSchedule(agent.heartbeat());
            if (schedule.isOn()) {
                schedules.put(agent.id(), schedule);
            }
        }
    }

    /** Claims up to {@code max} heartbeats for {@code node}. */
    List<ClaimedHeartbeat> claim(SqlTransaction sql, String node, int max) throws SQLException {
        long moment = nanos.getAsLong(); // before the time, so that a pause between the two delays no heartbeat
        Instant now = clock.instant();
        Set<String> periodic = periodic(sql, now, moment);
        Set<String> due = new LinkedHashSet<>(heartbeatRepository.due(sql, now, max));
        due.addAll(periodic);
        List<ClaimedHeartbeat> claimed = new ArrayList<>();
        for (String agent : due) {
            if (claimed.size() < max) {
                heartbeatRepository
                        .claim(sql, node, agent, now, periodic.contains(agent))
                        .ifPresent(claimed::add);
            }
        }
        return claimed;
    }

    /**
     * The agents with a periodic heartbeat that is due. Each agent is checked again when one can be due at the
     * earliest, and at least each minute.
     */
    private Set<String> periodic(SqlTransaction sql, Instant now, long moment) throws SQLException {
        Set<String> due = new LinkedHashSet<>();
        for (Map.Entry<String, HeartbeatSchedule> each : schedules.entrySet()) {
            String agent = each.getKey();
            Long lookAgain = notBefore.get(agent);
            if (lookAgain != null && moment - lookAgain < 0) {
                continue;
            }
            HeartbeatState state = heartbeatRepository.state(sql, agent);
            Instant latest = latest(sql, agent, state, now);
            if (state.askedFor() == null
                    && !state.busy()
                    && !isPausing(state, now)
                    && each.getValue().isDue(latest, now)) {
                due.add(agent);
            } else {
                Instant next = each.getValue().next(latest);
                Duration pause = next.isAfter(now) ? Duration.between(now, next) : LOOK_AGAIN;
                notBefore.put(agent, moment + (pause.compareTo(LOOK_AT_LEAST) > 0 ? LOOK_AT_LEAST : pause).toNanos());
            }
        }
        return due;
    }

    /** Lets the schedule of {@code agent} begin no heartbeat for {@code time}; a request still does. */
    void hold(String agent, Duration time) {
        notBefore.put(agent, nanos.getAsLong() + time.toNanos());
    }

    private static boolean isPausing(HeartbeatState state, Instant now) {
        Instant notBefore = state.notBefore();
        return notBefore != null && now.isBefore(HeartbeatRetryRule.retryAt(notBefore, state.failures()));
    }

    /** The time from which the schedule counts. A time in the future came from a wrong clock, and becomes now. */
    private Instant latest(SqlTransaction sql, String agent, HeartbeatState state, Instant now) throws SQLException {
        Instant last = state.lastBeatAt();
        if (last == null) {
            return firstWaiting(sql, agent, now);
        }
        if (last.isAfter(now)) {
            heartbeatRepository.capLast(sql, agent, now);
            return now;
        }
        return last;
    }

    /** The start of the schedule of an agent that never had a heartbeat, independent of restarts of the program. */
    private Instant firstWaiting(SqlTransaction sql, String agent, Instant now) throws SQLException {
        if (started.isAfter(now)) {
            started = now;
        }
        return eventRepository.waiting(sql, agent, 1).stream()
                .map(WaitingEvent::createdAt)
                .filter(started::isAfter)
                .findFirst()
                .orElse(started);
    }
}

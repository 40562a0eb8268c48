package dev.postern.dispatch;

import dev.postern.acceptance.HeartbeatState;
import dev.postern.config.AgentSettings;
import dev.postern.config.AgentSettings.ActiveHours;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.config.AgentSettings.Heartbeat;
import dev.postern.heartbeat.HeartbeatRetryRule;
import dev.postern.heartbeat.HeartbeatSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of agents' next heartbeats. It follows the rules of {@link HeartbeatClaimer} without a claim. Safe for use
 * by many threads.
 */
public final class NextHeartbeatForecast {

    private static final String OFF = "periodic heartbeats are off; a request starts one";
    private static final String UNKNOWN = "the agent is not configured on this node; a request starts one";
    private static final String BUSY = "a turn is running in the main session; the heartbeat follows it";
    private static final String OUTSIDE = "the scheduled time is outside the active hours, which begin then";

    private final AgentSettings agents;
    private final InstantSource clock;
    private final Instant started;

    NextHeartbeatForecast(AgentSettings agents, InstantSource clock) {
        this.agents = agents;
        this.clock = clock;
        this.started = clock.instant();
    }

    /**
     * The heartbeat settings of an agent and its next heartbeat.
     *
     * @param every the interval; null where there are no periodic heartbeats
     * @param hours the active hours, null for all
     * @param target the target of the replies: {@code last}, a channel's id, or {@code none}
     * @param next the time of the next one, which comes at once when it is past; null where none comes by itself
     * @param held the reason why none comes by itself, or why it comes later than the schedule or a request says; null
     *     otherwise
     */
    public record Outlook(
            @Nullable Duration every,
            @Nullable String hours,
            @Nullable String target,
            @Nullable Instant next,
            @Nullable String held) {}

    /** The agent that is used where none is named. */
    public String defaultAgent() {
        return agents.defaultAgent().id();
    }

    /** The configured agents, in their order. */
    public List<String> agents() {
        return agents.list().stream().map(Agent::id).toList();
    }

    /**
     * The forecast for {@code agentId}.
     *
     * @param state the heartbeat state from the database
     * @param oldest the arrival time of the oldest event that waits in its main session; null where none waits
     */
    public Outlook of(String agentId, HeartbeatState state, @Nullable Instant oldest) {
        Optional<Heartbeat> configured = agents.list().stream()
                .filter(agent -> agent.id().equals(agentId))
                .findFirst()
                .map(Agent::heartbeat);
        Next next = next(configured, state, oldest);
        String held = state.busy() && next.at() != null ? BUSY : next.held();
        if (configured.isEmpty()) {
            return new Outlook(null, null, null, next.at(), held);
        }
        Heartbeat heartbeat = configured.get();
        return new Outlook(
                heartbeat.every().isZero() ? null : heartbeat.every(),
                hours(heartbeat.activeHours()),
                heartbeat.target(),
                next.at(),
                held);
    }

    private record Next(@Nullable Instant at, @Nullable String held) {}

    private Next next(Optional<Heartbeat> configured, HeartbeatState state, @Nullable Instant oldest) {
        Instant now = clock.instant();
        Instant asked = state.askedFor();
        if (asked != null) {
            return new Next(asked, state.failures() > 0 && asked.isAfter(now) ? failing(state) : null);
        }
        if (configured.isEmpty()) {
            return new Next(null, UNKNOWN);
        }
        HeartbeatSchedule schedule = new HeartbeatSchedule(configured.get());
        if (!schedule.isOn()) {
            return new Next(null, OFF);
        }
        Instant at = schedule.next(latest(state, oldest, now));
        String held = null;
        Instant retryAt = retryAt(state);
        if (retryAt != null && retryAt.isAfter(at)) {
            at = retryAt;
            held = failing(state);
        }
        Instant soonest = at.isBefore(now) ? now : at;
        Instant active = schedule.firstActive(soonest);
        return active.isAfter(soonest) ? new Next(active, OUTSIDE) : new Next(at, held);
    }

    /** The time from which the schedule counts, as in {@link HeartbeatClaimer}. */
    private Instant latest(HeartbeatState state, @Nullable Instant oldest, Instant now) {
        Instant last = state.lastBeatAt();
        Instant from = last != null ? last : oldest != null && oldest.isBefore(started) ? oldest : started;
        return from.isAfter(now) ? now : from;
    }

    private static @Nullable Instant retryAt(HeartbeatState state) {
        Instant notBefore = state.notBefore();
        return notBefore == null || state.failures() == 0
                ? null
                : HeartbeatRetryRule.retryAt(notBefore, state.failures());
    }

    private static String failing(HeartbeatState state) {
        return "the last heartbeat failed and is retried then; consecutive failures: " + state.failures();
    }

    private static @Nullable String hours(@Nullable ActiveHours hours) {
        return hours == null ? null : hours.start() + " to " + hours.end() + " " + hours.timezone();
    }
}

package dev.postern.dispatch;

import dev.postern.acceptance.HeartbeatState;
import dev.postern.config.Settings.ActiveHours;
import dev.postern.config.Settings.Agent;
import dev.postern.config.Settings.Agents;
import dev.postern.config.Settings.Heartbeat;
import dev.postern.heartbeat.HeartbeatRetryRule;
import dev.postern.heartbeat.HeartbeatSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells when an agent's next heartbeat comes: what {@link HeartbeatClaimer} claims by, without a claim. For many threads. */
public final class NextHeartbeatForecast {

    private static final String OFF = "it has no periodic heartbeats: one comes when it is asked for";
    private static final String UNKNOWN = "the agent is not configured here: one comes when it is asked for";
    private static final String BUSY = "a turn is under way in its main session, and it comes after that";
    private static final String OUTSIDE = "it would fall outside its active hours, which begin then";

    private final Agents agents;
    private final InstantSource clock;
    private final Instant started;

    NextHeartbeatForecast(Agents agents, InstantSource clock) {
        this.agents = agents;
        this.clock = clock;
        this.started = clock.instant();
    }

    /**
     * An agent's heartbeats.
     *
     * @param every how far apart they are; null where none is periodic
     * @param hours between which they fall, null for all
     * @param target where what one has to say goes: {@code last}, a channel's id, or {@code none}
     * @param next when the next one comes, at once where that is past; null where none does by itself
     * @param held why none comes by itself, or not when the schedule or a request alone would have it; null otherwise
     */
    public record Outlook(
            @Nullable Duration every,
            @Nullable String hours,
            @Nullable String target,
            @Nullable Instant next,
            @Nullable String held) {}

    /** The agent that acts where none is named. */
    public String defaultAgent() {
        return agents.defaultAgent().id();
    }

    /** The configured agents, in their order. */
    public List<String> agents() {
        return agents.list().stream().map(Agent::id).toList();
    }

    /**
     * The outlook of {@code agentId}.
     *
     * @param state what the database knows of its heartbeats
     * @param oldest since when an event waits in its main session; null where none does
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

    /** From when on the schedule counts, as {@link HeartbeatClaimer} has it. */
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
        return "the last has failed, and is tried again then; failed in a row: " + state.failures();
    }

    private static @Nullable String hours(@Nullable ActiveHours hours) {
        return hours == null ? null : hours.start() + " to " + hours.end() + " " + hours.timezone();
    }
}

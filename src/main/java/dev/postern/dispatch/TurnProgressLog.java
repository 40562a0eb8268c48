package dev.postern.dispatch;

import dev.postern.config.AgentSettings.Agent;
import dev.postern.config.AgentSettings.Models;
import dev.postern.model.Excerpt;
import dev.postern.model.TraceContext;
import dev.postern.model.TurnRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The log of a turn's progress: a line at its beginning and one at its end, without its content. */
final class TurnProgressLog {

    private static final Logger LOG = System.getLogger(TurnProgressLog.class.getName());

    /** The longest name in characters. A mapping without its own path is named after the request's path. */
    private static final int MAX_NAME = 100;

    private final String who;

    private TurnProgressLog(String who) {
        this.who = who;
    }

    /** The log of the turn {@code id}, which belongs to the hook or the heartbeat named in {@code of}. */
    static TurnProgressLog of(String id, String of, Agent agent, String model) {
        return new TurnProgressLog(
                id + " of " + Excerpt.of(of, MAX_NAME) + ", agent " + agent.id() + ", model " + shown(agent, model));
    }

    /** The log of the same turn, as part of a trace; null for none. */
    TurnProgressLog in(@Nullable TraceContext trace) {
        return trace == null ? this : new TurnProgressLog(who + ", trace " + trace.traceId());
    }

    /**
     * The name of a model that the operator has configured. A request may name another, with any text in it, which is
     * not logged.
     */
    private static String shown(Agent agent, String model) {
        boolean known = model.equals(agent.model())
                || agent.models()
                        .map(Models::ids)
                        .filter(ids -> ids.contains(model))
                        .isPresent();
        return known ? model : "of the request's choice";
    }

    /** Logs the beginning of the turn; {@code more} is added to the line. */
    void begins(Level level, String more) {
        LOG.log(level, "Turn {0}: begins{1}", who, more);
    }

    /** Logs the end of the turn in {@code outcome}. */
    void ended(Level level, String outcome, TurnRecord record) {
        if (LOG.isLoggable(level)) {
            LOG.log(level, "Turn {0}: {1} ({2})", who, outcome, used(record));
        }
    }

    private static String used(TurnRecord record) {
        StringBuilder used = new StringBuilder();
        used.append(String.format(Locale.ROOT, "%.1f s", record.durationMillis() / 1000.0));
        if (record.inputTokens() != null || record.outputTokens() != null) {
            used.append(", tokens ")
                    .append(Objects.requireNonNullElse(record.inputTokens(), 0L))
                    .append(" in, ")
                    .append(Objects.requireNonNullElse(record.outputTokens(), 0L))
                    .append(" out");
        }
        if (!record.toolCalls().isEmpty()) {
            used.append(", tool calls ").append(record.toolCalls().size());
            long refused = record.toolCalls().stream()
                    .filter(call -> call.outcome() == TurnRecord.Outcome.REFUSED)
                    .count();
            if (refused > 0) {
                used.append(", refused ").append(refused);
            }
        }
        return used.toString();
    }
}

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
    private final boolean isModelKnown;

    private TurnProgressLog(String who, boolean isModelKnown) {
        this.who = who;
        this.isModelKnown = isModelKnown;
    }

    /** The log of the turn {@code id}, which belongs to the hook or the heartbeat named in {@code of}. */
    static TurnProgressLog of(String id, String of, Agent agent, String model) {
        boolean isModelKnown = isKnown(agent, model);
        String shown = isModelKnown ? model : "of the request's choice";
        return new TurnProgressLog(
                id + " of " + Excerpt.of(of, MAX_NAME) + ", agent " + agent.id() + ", model " + shown, isModelKnown);
    }

    /** The log of the same turn, as part of a trace; null for none. */
    TurnProgressLog in(@Nullable TraceContext trace) {
        return trace == null ? this : new TurnProgressLog(who + ", trace " + trace.traceId(), isModelKnown);
    }

    /**
     * Whether the operator has configured {@code model} for the agent. A request may name another, with any text in it,
     * which is not logged.
     */
    private static boolean isKnown(Agent agent, String model) {
        return model.equals(agent.model())
                || agent.models()
                        .map(Models::ids)
                        .filter(ids -> ids.contains(model))
                        .isPresent();
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

    /**
     * Logs the end of a turn that failed.
     *
     * @param reason as in {@link dev.postern.agent.TurnResult.Failed}; it may name the model
     */
    void failed(String state, String reason, TurnRecord record) {
        ended(Level.WARNING, isModelKnown ? state + ": " + reason : state + ", for the reason in the run", record);
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

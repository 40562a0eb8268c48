package dev.postern.model;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a turn used and did, to be kept with its run: names and sizes, never what was said.
 *
 * @param durationMillis from the turn's beginning to its end; of the last one, where there were several attempts
 * @param inputTokens as the provider counts them, over all the turn's requests; null where nothing was counted
 * @param outputTokens likewise
 * @param finishReason why the model stopped, such as {@code stop} or {@code length}; null where nobody said so
 * @param toolCalls in the order in which they ended
 * @param notes what else is worth knowing, a sentence each
 */
public record TurnRecord(
        long durationMillis,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String finishReason,
        List<ToolCall> toolCalls,
        List<String> notes) {

    public TurnRecord {
        toolCalls = List.copyOf(toolCalls);
        notes = List.copyOf(notes);
    }

    /** How a tool call ended. */
    public enum Outcome {
        /** The tool gave a result. */
        OK,
        /** The tool, or its server, said that something went wrong. */
        ERROR,
        /** Its time was used up. */
        TIMED_OUT,
        /** It was not called: the turn may not use it, or has called enough. */
        REFUSED;

        /** The value as answers spell it, such as {@code timed_out}. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One call of a tool.
     *
     * @param server the id below {@code mcp}; empty where there is no such tool
     * @param tool the tool's name at its server; empty where there is no such tool: a name that the model has made up may be
     *     anything, and hold what a stranger has told it
     * @param argumentBytes in UTF-8
     * @param resultBytes in UTF-8, as the model got it
     */
    public record ToolCall(
            String server, String tool, long argumentBytes, long resultBytes, long durationMillis, Outcome outcome) {}
}

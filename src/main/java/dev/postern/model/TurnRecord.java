package dev.postern.model;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A record of what a turn used and did, kept with its run: names and sizes, never content but for the error text.
 *
 * @param durationMillis the time from the turn's start to its end; that of the last attempt if there were several
 * @param inputTokens the provider's count over all requests of the turn; null if nothing was counted
 * @param outputTokens as {@code inputTokens}
 * @param finishReason the reason why the model stopped, such as {@code stop} or {@code length}; null if it is unknown
 * @param fallback the model that answered in place of the asked one; null if the asked one answered, or none
 * @param toolCalls in the order in which they ended
 * @param notes further remarks, one sentence each
 * @param errorText the error as the provider or the program put it, cut and without secrets; null if there was none. Only
 *     operators may see it.
 * @param cost the cost in the operator's currency, at the prices of the time; null if no model that was used had a price
 */
public record TurnRecord(
        long durationMillis,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String finishReason,
        @Nullable String fallback,
        List<ToolCall> toolCalls,
        List<String> notes,
        @Nullable String errorText,
        @Nullable BigDecimal cost) {

    public TurnRecord {
        toolCalls = List.copyOf(toolCalls);
        notes = List.copyOf(notes);
    }

    /** The same record with its cost. */
    public TurnRecord withCost(@Nullable BigDecimal known) {
        return new TurnRecord(
                durationMillis, inputTokens, outputTokens, finishReason, fallback, toolCalls, notes, errorText, known);
    }

    /** The outcome of a tool call. */
    public enum Outcome {
        /** The tool gave a result. */
        OK,
        /** The tool or its server reported an error. */
        ERROR,
        /** The call timed out. */
        TIMED_OUT,
        /** The tool was not called: the turn may not use it, or has used up its calls. */
        REFUSED;

        /** The value as responses spell it, such as {@code timed_out}. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A call of a tool.
     *
     * @param server the id below {@code mcp}; empty if the tool does not exist
     * @param tool the tool's name at its server; empty if the tool does not exist, because a name that the model has made up
     *     may contain untrusted content
     * @param argumentBytes in UTF-8
     * @param resultBytes in UTF-8, as the model got it
     */
    public record ToolCall(
            String server, String tool, long argumentBytes, long resultBytes, long durationMillis, Outcome outcome) {}
}

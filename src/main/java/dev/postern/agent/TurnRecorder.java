package dev.postern.agent;

import dev.postern.model.ModelUse;
import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import dev.postern.observe.TraceSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of what a turn uses and does. Backends write to it during the turn, so that the record exists however the turn
 * ends. {@link #record} has the whole turn; {@link #uses} and {@link #newToolCalls} have what is new since the turn began, or
 * went on after a pause. Bounded; may be written to by several threads.
 */
public final class TurnRecorder {

    private static final int MOST_CALLS = 200;
    private static final int MOST_NOTES = 20;
    private static final int LONGEST_NAME = 128;
    private static final Tokens NONE = new Tokens(0, 0);

    private final long start = System.nanoTime();
    private final List<ToolCall> calls = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Map<String, Tokens> tokens = new LinkedHashMap<>();
    private final Map<String, Tokens> allTokens = new LinkedHashMap<>();
    private final Map<Outcome, Long> newToolCalls = new EnumMap<>(Outcome.class);
    private @Nullable String asked;
    private @Nullable String provider;
    private @Nullable String answeredModel;
    private @Nullable Long inputTokens;
    private @Nullable Long outputTokens;
    private @Nullable String finishReason;
    private @Nullable String fallback;
    private @Nullable String errorText;

    /** The tokens that a model has used. */
    private record Tokens(long input, long output) {

        private Tokens plus(Tokens more) {
            return new Tokens(input + more.input, output + more.output);
        }
    }

    /** Records that {@code model} is asked from now on; {@link #addTokens} counts for it. */
    public synchronized void recordAsked(String model) {
        asked = model;
        tokens.putIfAbsent(model, NONE);
        allTokens.putIfAbsent(model, NONE);
    }

    /** Records the provider of the model that is asked from now on, by its name in spans. */
    public synchronized void recordProvider(String name) {
        provider = name;
    }

    /** Records the model that has answered, as the provider names it; null if it names none. */
    public synchronized void recordAnsweredBy(@Nullable String model) {
        answeredModel = model;
    }

    /**
     * Tells {@code span}, which is that of the turn since it began or went on, what was used meanwhile (OpenTelemetry's
     * semantic conventions for generative AI, "invoke_agent").
     */
    synchronized void describe(TraceSpan span, String agentId) {
        span.set("gen_ai.operation.name", "invoke_agent")
                .set("gen_ai.provider.name", provider)
                .set("gen_ai.agent.id", agentId)
                .set("gen_ai.agent.name", agentId)
                .set("gen_ai.request.model", asked == null ? null : asked.substring(asked.indexOf('/') + 1))
                .set("gen_ai.response.model", answeredModel)
                .set("gen_ai.usage.input_tokens", newTokens(Tokens::input))
                .set("gen_ai.usage.output_tokens", newTokens(Tokens::output))
                .setFinishReason(finishReason)
                .set(
                        "postern.tool_calls",
                        newToolCalls.values().stream()
                                .mapToLong(Long::longValue)
                                .sum());
    }

    /** The tokens of all models since the turn began or went on; null if none were counted. */
    private @Nullable Long newTokens(ToLongFunction<Tokens> direction) {
        long sum = tokens.values().stream().mapToLong(direction).sum();
        return sum == 0 ? null : sum;
    }

    /**
     * The models that were asked since the turn began or went on, in order. One is decisive: the fallback that replied, else
     * the first.
     */
    public synchronized List<ModelUse> uses() {
        return uses(tokens);
    }

    /** As {@link #uses}, with what the models used before the turn was paused. */
    public synchronized List<ModelUse> allUses() {
        return uses(allTokens);
    }

    private List<ModelUse> uses(Map<String, Tokens> counted) {
        List<ModelUse> uses = new ArrayList<>();
        counted.forEach((model, used) -> uses.add(new ModelUse(
                model, used.input(), used.output(), fallback == null ? uses.isEmpty() : model.equals(fallback))));
        return uses;
    }

    /** Adds token counts of a request from before the turn was paused; {@link #uses} had them then. */
    public synchronized void addEarlierTokens(@Nullable Integer input, @Nullable Integer output) {
        inputTokens = plus(inputTokens, input);
        outputTokens = plus(outputTokens, output);
        count(allTokens, input, output);
    }

    /** Adds a provider's token counts of one request; null for a count that the provider did not give. */
    public synchronized void addTokens(@Nullable Integer input, @Nullable Integer output) {
        addEarlierTokens(input, output);
        count(tokens, input, output);
    }

    private void count(Map<String, Tokens> counted, @Nullable Integer input, @Nullable Integer output) {
        if (asked != null) {
            Tokens used = new Tokens(notNegative(input), notNegative(output));
            counted.merge(asked, used, Tokens::plus);
        }
    }

    private static @Nullable Long plus(@Nullable Long sum, @Nullable Integer more) {
        if (more == null) {
            return sum;
        }
        return (sum == null ? 0 : sum) + notNegative(more);
    }

    /** A provider's count; 0 if it is missing or negative, because a negative one would make room in a budget. */
    private static int notNegative(@Nullable Integer count) {
        return Math.max(0, Objects.requireNonNullElse(count, 0));
    }

    /** Records the model's reason for stopping. */
    public synchronized void recordFinishReason(String reason) {
        finishReason = reason;
    }

    /** Records that {@code model} answered in place of the asked one. */
    public synchronized void recordFallback(String model) {
        fallback = model;
    }

    /** Whether a tool was called since the turn began or went on, so that the attempt may have had an effect. */
    public synchronized boolean hasCalledTools() {
        return newToolCalls.keySet().stream().anyMatch(outcome -> outcome != Outcome.REFUSED);
    }

    /** The numbers of the tool calls since the turn began or went on, by outcome. */
    public synchronized Map<Outcome, Long> newToolCalls() {
        return Map.copyOf(newToolCalls);
    }

    /** The tokens of all requests so far, in and out, as far as the provider counts them. */
    public synchronized long tokens() {
        return Objects.requireNonNullElse(inputTokens, 0L) + Objects.requireNonNullElse(outputTokens, 0L);
    }

    /** Adds a tool call that has ended. */
    public synchronized void addToolCall(ToolCall call) {
        newToolCalls.merge(call.outcome(), 1L, Long::sum);
        addEarlierToolCall(call);
    }

    /** Adds a tool call that an earlier part of the turn has begun. */
    public synchronized void addEarlierToolCall(ToolCall call) {
        if (calls.size() == MOST_CALLS) {
            notes.add("More than " + MOST_CALLS + " tool calls; the others are not listed.");
            return;
        }
        String name = call.tool().length() > LONGEST_NAME ? call.tool().substring(0, LONGEST_NAME) : call.tool();
        calls.add(new ToolCall(
                call.server(), name, call.argumentBytes(), call.resultBytes(), call.durationMillis(), call.outcome()));
    }

    /** Adds a sentence that contains neither payload nor secret, unless it was added before. */
    public synchronized void addNote(String sentence) {
        if (notes.size() < MOST_NOTES) {
            notes.add(sentence);
        }
    }

    /**
     * Records the error as the provider or the program put it.
     *
     * @param text made by {@link ErrorText}; empty where the error is over
     */
    public synchronized void recordErrorText(String text) {
        errorText = text.isEmpty() ? null : text;
    }

    /** The record of the turn so far. */
    public synchronized TurnRecord record() {
        return new TurnRecord(
                Duration.ofNanos(System.nanoTime() - start).toMillis(),
                inputTokens,
                outputTokens,
                finishReason,
                fallback,
                calls,
                List.copyOf(notes),
                errorText,
                null);
    }
}

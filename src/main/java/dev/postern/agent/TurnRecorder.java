package dev.postern.agent;

import dev.postern.model.TurnRecord;
import dev.postern.model.TurnRecord.ToolCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a backend writes down what its turn uses and does, while it does it, so that it is known however the turn ends.
 * Bounded; may be written to by several threads.
 */
public final class TurnRecorder {

    private static final int MOST_CALLS = 200;
    private static final int MOST_NOTES = 20;
    private static final int LONGEST_NAME = 128;

    private final long start = System.nanoTime();
    private final List<ToolCall> calls = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private @Nullable Long inputTokens;
    private @Nullable Long outputTokens;
    private @Nullable String finishReason;

    /** A provider has counted the tokens of one request; null for what it did not count. */
    public synchronized void tokens(@Nullable Integer input, @Nullable Integer output) {
        inputTokens = plus(inputTokens, input);
        outputTokens = plus(outputTokens, output);
    }

    private static @Nullable Long plus(@Nullable Long sum, @Nullable Integer more) {
        if (more == null) {
            return sum;
        }
        return (sum == null ? 0 : sum) + more;
    }

    /** The model has stopped, for {@code reason}. */
    public synchronized void finished(String reason) {
        finishReason = reason;
    }

    /** A tool call has ended. */
    public synchronized void called(ToolCall call) {
        if (calls.size() == MOST_CALLS) {
            notes.add("More than " + MOST_CALLS + " tool calls; the others are not listed.");
            return;
        }
        String name = call.tool().length() > LONGEST_NAME ? call.tool().substring(0, LONGEST_NAME) : call.tool();
        calls.add(new ToolCall(
                call.server(), name, call.argumentBytes(), call.resultBytes(), call.durationMillis(), call.outcome()));
    }

    /** A sentence that holds neither payload nor secret; what was said before is not said again. */
    public synchronized void note(String sentence) {
        if (notes.size() < MOST_NOTES) {
            notes.add(sentence);
        }
    }

    /** All of it, as it stands. */
    public synchronized TurnRecord record() {
        return new TurnRecord(
                Duration.ofNanos(System.nanoTime() - start).toMillis(),
                inputTokens,
                outputTokens,
                finishReason,
                calls,
                List.copyOf(notes));
    }
}

package dev.postern.acceptance;

import dev.postern.model.RunState;

/** What became of an operator's wish that a run should end: exactly one of these. */
public sealed interface Cancellation {

    /** What a run says that was cancelled. */
    String SENTENCE = "An operator has cancelled it.";

    /** It was queued, and has ended as cancelled. */
    record Cancelled(EndedRun run) implements Cancellation {}

    /**
     * Its turn is under way. The node that takes it ends it within seconds; a run whose turn ends by itself before that is
     * what it became. Where that node has died, the run ends as soon as others have noticed.
     */
    record BeingCancelled() implements Cancellation {}

    /** It had ended before; nothing was changed. */
    record HadEnded(RunState state) implements Cancellation {}

    /** There is no such run, or no more. */
    record Unknown() implements Cancellation {}
}

package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import java.time.Duration;

/** What became of an operator's wish that a run should be run again: exactly one of these. */
public sealed interface RunAgain {

    /** It was accepted anew, as the run {@code id}, and will be run whatever happens. */
    record Accepted(RunId id) implements RunAgain {}

    /** There is no such run, or no more: it ended longer ago than runs are kept. */
    record Unknown() implements RunAgain {}

    /** It has not ended; nothing was written. */
    record NotEnded(RunState state) implements RunAgain {}

    /** Too much that was accepted is not done yet. Nothing was written. */
    record Overloaded(Duration retryAfter) implements RunAgain {}

    /** The database could not take it; the store has told the log why. Nothing was written. */
    record Unavailable(Duration retryAfter) implements RunAgain {}

    /** The database didn't say whether it took it; a repeat may have it run twice. */
    record Uncertain(Duration retryAfter) implements RunAgain {}
}

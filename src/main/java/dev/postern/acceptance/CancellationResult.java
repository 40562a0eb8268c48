package dev.postern.acceptance;

import dev.postern.model.OperatorResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of an operator's request to cancel a run.
 *
 * @param result the result for the operator. A turn in progress is ended within seconds by the node that runs it; if
 *     the turn ends by itself before that, the run keeps that state. If that node has died, the run ends as soon as
 *     another node recovers it
 * @param ended the run, if it ended at once; null if not
 */
public record CancellationResult(OperatorResult result, @Nullable EndedRun ended) {

    /** The error text of a cancelled run. */
    public static final String SENTENCE = "An operator has cancelled it.";

    static CancellationResult of(OperatorResult result) {
        return new CancellationResult(result, null);
    }
}

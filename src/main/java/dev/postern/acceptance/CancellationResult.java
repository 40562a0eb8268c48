package dev.postern.acceptance;

import dev.postern.model.OperatorResult;
import org.jspecify.annotations.Nullable;

/**
 * A result of an operator's wish that a run should end.
 *
 * @param result what the operator is told. A turn that is under way is ended by the node that takes it, within seconds, and a run
 *     whose turn ends by itself before that is what it became. Where that node has died, the run ends as soon as others
 *     have noticed
 * @param ended the run as it ended at once; null where none did
 */
public record CancellationResult(OperatorResult result, @Nullable EndedRun ended) {

    /** What a run says that was cancelled. */
    public static final String SENTENCE = "An operator has cancelled it.";

    static CancellationResult of(OperatorResult result) {
        return new CancellationResult(result, null);
    }
}

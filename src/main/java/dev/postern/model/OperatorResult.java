package dev.postern.model;

import org.jspecify.annotations.Nullable;

/** A result of something that an operator has asked for: exactly one of these. */
public sealed interface OperatorResult {

    /** What came of it, for a person. */
    String sentence();

    /**
     * It is done, and on disk.
     *
     * @param run the run that it is about; null where it is about none
     */
    record Done(String sentence, @Nullable RunId run) implements OperatorResult {

        public Done(String sentence) {
            this(sentence, null);
        }
    }

    /** There is no such thing, or no more; nothing was changed. */
    record NotFound() implements OperatorResult {

        @Override
        public String sentence() {
            return "There is no such thing, or it is no longer kept.";
        }
    }

    /** It can't be done to this thing as it is now; nothing was changed. */
    record Conflict(String sentence) implements OperatorResult {}

    /** It can't be done to anything now; the sentence says whether it may have been done. */
    record Unavailable(String sentence) implements OperatorResult {}
}

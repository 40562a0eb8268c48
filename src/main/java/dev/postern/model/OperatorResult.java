package dev.postern.model;

import org.jspecify.annotations.Nullable;

/** The result of an operator's command: exactly one of these. */
public sealed interface OperatorResult {

    /** The outcome in a sentence for people. */
    String sentence();

    /**
     * The result of a command that is done and on disk.
     *
     * @param run the run that the command is about; null if it is about none
     */
    record Done(String sentence, @Nullable RunId run) implements OperatorResult {

        public Done(String sentence) {
            this(sentence, null);
        }
    }

    /** The result when the object does not exist or is no longer kept; nothing was changed. */
    record NotFound() implements OperatorResult {

        @Override
        public String sentence() {
            return "This does not exist, or is no longer kept.";
        }
    }

    /** The result when the object's present state does not allow the command; nothing was changed. */
    record Conflict(String sentence) implements OperatorResult {}

    /** The result when the command can't be done to anything now; the sentence says whether it may have been done. */
    record Unavailable(String sentence) implements OperatorResult {}
}

package dev.postern.mapping.script;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a transform gave back. */
public sealed interface ScriptResult {

    /** An object: these fields go over the action. */
    record Returned(ObjectNode fields) implements ScriptResult {}

    /** {@code undefined}: the action stays as it is. */
    record Unchanged() implements ScriptResult {}

    /** {@code null}: there is nothing to do. */
    record Nothing() implements ScriptResult {}

    /**
     * It failed, or was ended.
     *
     * @param sentence file, line, column and kind, for the sender and the log; never a word of the payload
     * @param detail the script's own words, at most 500 characters, for the operator's terminal alone; perhaps empty
     */
    record Failed(String sentence, String detail) implements ScriptResult {}

    /**
     * It was not run, since too many were running already or Postern is stopping: no fault of its own, and worth another try.
     *
     * @param sentence which transform, and why not
     */
    record Unrun(String sentence) implements ScriptResult {}
}

package dev.postern.mapping.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/** A result of a transform. */
public sealed interface ScriptResult {

    /** A result with an object, whose fields override those of the action. */
    record Returned(ObjectNode fields) implements ScriptResult {}

    /** A result of {@code undefined}: the action stays as it is. */
    record Unchanged() implements ScriptResult {}

    /** A result of {@code null}: there is nothing to do. */
    record Nothing() implements ScriptResult {}

    /**
     * A failure: the script failed, or was ended.
     *
     * @param sentence file, line, column and kind, for the sender and the log; never a word of the payload
     * @param detail the script's own message, at most 500 characters, for the operator's terminal only; may be empty
     */
    record Failed(String sentence, String detail) implements ScriptResult {}

    /**
     * A result of a call that was not run, because too many were running, the module is switched off, or Postern is
     * stopping. It does not come from this call's input, and another try may succeed.
     *
     * @param sentence the transform, and why it was not run
     * @param retryAfter the time after which another try may succeed, in whole seconds
     */
    record NotRun(String sentence, Duration retryAfter) implements ScriptResult {}
}

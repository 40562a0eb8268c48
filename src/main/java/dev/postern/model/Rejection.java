package dev.postern.model;

import org.jspecify.annotations.Nullable;

/**
 * The reason why an action was rejected. The sender has to change the request.
 *
 * @param code the rule that the request has broken
 * @param field the field or header with the error; null if the payload as a whole has it
 * @param sentence the error and the allowed values, without the field's value
 */
public record Rejection(ErrorCode code, @Nullable String field, String sentence) {

    /** The rejection of a request to a hook that its sender may not call, whether there is such a hook or not. */
    public static final Rejection HOOK_NOT_ALLOWED =
            new Rejection(ErrorCode.NOT_ALLOWED, "hook", "This sender may not call this hook.");

    /** A rejection of a payload that no configuration would accept. */
    public static Rejection invalid(@Nullable String field, String sentence) {
        return new Rejection(ErrorCode.INVALID_PAYLOAD, field, sentence);
    }
}

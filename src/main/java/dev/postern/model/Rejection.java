package dev.postern.model;

import org.jspecify.annotations.Nullable;

/**
 * The reason why an action was rejected. The sender has to change the request.
 *
 * @param field the field or header with the error; null if the payload as a whole has it
 * @param sentence the error and the allowed values, without the field's value
 */
public record Rejection(Reason reason, @Nullable String field, String sentence) {

    /** A rejection of a payload that no configuration would accept. */
    public static Rejection invalid(@Nullable String field, String sentence) {
        return new Rejection(Reason.INVALID_PAYLOAD, field, sentence);
    }

    /** The rule that a request has broken. */
    public enum Reason {
        /** The body is not JSON, or exceeds a limit of the parser. */
        INVALID_JSON,
        /** The body is a form, as browsers send them. */
        UNSUPPORTED_MEDIA_TYPE,
        /** A field is missing, of the wrong type, or out of its bounds. */
        INVALID_PAYLOAD,
        /** A request named a session key while {@code hooks.allowRequestSessionKey} is false. */
        SESSION_KEY_DISABLED,
        /**
         * An explicit session key begins with none of {@code hooks.allowedSessionKeyPrefixes}, or is reserved for Postern.
         */
        SESSION_KEY_PREFIX,
        /** An explicit agent is outside {@code hooks.allowedAgentIds}. */
        AGENT_NOT_ALLOWED,
        /** A model is outside {@code agents.defaults.models}, or the agent's own list. */
        MODEL_NOT_ALLOWED,
        /** A mapping can't make an action from this payload. */
        MAPPING_FAILED
    }
}

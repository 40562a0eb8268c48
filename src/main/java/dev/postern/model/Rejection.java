package dev.postern.model;

import org.jspecify.annotations.Nullable;

/**
 * Why an action can't be taken as it was asked for. The sender has to ask differently.
 *
 * @param field the field or header at fault; null where the payload as a whole is
 * @param sentence what is wrong and what is allowed, without the field's value
 */
public record Rejection(Reason reason, @Nullable String field, String sentence) {

    /** A payload that no configuration would take. */
    public static Rejection invalid(@Nullable String field, String sentence) {
        return new Rejection(Reason.INVALID_PAYLOAD, field, sentence);
    }

    /** The rules that a request can break. */
    public enum Reason {
        /** The body is no JSON, or passes a limit of what is parsed. */
        INVALID_JSON,
        /** The body is a form, as browsers send them. */
        FORM_BODY,
        /** A field is missing, of the wrong type, or out of its bounds. */
        INVALID_PAYLOAD,
        /** A request named a session key while {@code hooks.allowRequestSessionKey} is false. */
        SESSION_KEY_DISABLED,
        /** An explicit session key begins with none of {@code hooks.allowedSessionKeyPrefixes}, or is one of Postern's own. */
        SESSION_KEY_PREFIX,
        /** An explicit agent is outside {@code hooks.allowedAgentIds}. */
        AGENT_NOT_ALLOWED,
        /** A model is outside {@code agents.defaults.models}, or the agent's own list. */
        MODEL_NOT_ALLOWED,
        /** A mapping can't make an action of this payload. */
        MAPPING_FAILED
    }
}

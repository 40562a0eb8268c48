package dev.postern.console;

import dev.postern.model.ErrorCode;
import dev.postern.model.RequestLogEntry;
import java.util.Arrays;
import java.util.Optional;

/**
 * A reason why a request has an error response, in words for operators.
 *
 * @param check the check that the request did not pass
 * @param expected the requests that pass it, and the setting that decides
 */
record RefusalReason(String check, String expected) {

    /** The reason of {@code request}; empty if its response is no error. */
    static Optional<RefusalReason> of(RequestLogEntry request) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.status() == request.status() && code.wire().equals(request.code()))
                .findFirst()
                .map(RefusalReason::of);
    }

    private static RefusalReason of(ErrorCode code) {
        return switch (code) {
            case QUERY_TOKEN ->
                new RefusalReason("the place of the token", "The token is in a header, never in the address.");
            case INVALID_JSON ->
                new RefusalReason("the body", "The body is JSON in UTF-8. An empty body counts as {}.");
            case INVALID_PAYLOAD ->
                new RefusalReason(
                        "the fields of the action", "Each field has the type and the length that the hook takes.");
            case SESSION_KEY_DISABLED ->
                new RefusalReason(
                        "the session key",
                        "The request names no session key, or hooks.allowRequestSessionKey is true.");
            case SESSION_KEY_PREFIX ->
                new RefusalReason(
                        "the beginning of the session key",
                        "The session key begins with one of hooks.allowedSessionKeyPrefixes.");
            case AGENT_NOT_ALLOWED ->
                new RefusalReason("the agent", "The agent is one of hooks.allowedAgentIds, and of agents.list.");
            case MODEL_NOT_ALLOWED ->
                new RefusalReason("the model", "The model is one that the settings allow to hooks.");
            case MAPPING_FAILED ->
                new RefusalReason(
                        "the mapping",
                        "The payload has the fields that the mapping's template reads, with their types.");
            case SCRIPT_FAILED ->
                new RefusalReason(
                        "the mapping's script",
                        "The script returns without an error, within its budgets. The log names the file, line and column."
                                + " The command explain, with the kept payload, shows the script's message.");
            case UNAUTHORIZED -> new RefusalReason("the token", "The header has the token of hooks.token.");
            case SIGNATURE_INVALID ->
                new RefusalReason(
                        "the signature", "The body was signed with the secret of this hook, a short time ago.");
            case FORBIDDEN -> new RefusalReason("the sender's rights", "The sender may use this hook.");
            case NOT_ALLOWED ->
                new RefusalReason(
                        "the sender's scope",
                        "The hook, agent, session key, model and channel are within senders.<id> of the sender.");
            case NOT_FOUND ->
                new RefusalReason(
                        "the address and the mappings' conditions",
                        "The path is wake, agent, or that of a mapping that matches the payload.");
            case METHOD_NOT_ALLOWED -> new RefusalReason("the method", "The method is POST.");
            case BODY_TIMEOUT ->
                new RefusalReason("the time of the body", "The whole body arrives within hooks.bodyTimeoutSeconds.");
            case PAYLOAD_TOO_LARGE ->
                new RefusalReason("the size of the body", "The body has at most hooks.maxBodyBytes.");
            case UNSUPPORTED_MEDIA_TYPE ->
                new RefusalReason("the content type", "The body is JSON, neither compressed nor a form.");
            case IDEMPOTENCY_CONFLICT ->
                new RefusalReason(
                        "the idempotency key", "A key that was used before comes with the same content again.");
            case THROTTLED -> new RefusalReason("the rate", "The client waits as long as Retry-After says.");
            case RATE_LIMITED ->
                new RefusalReason("the sender's rate", "The sender waits as long as Retry-After says.");
            case BUDGET_SPENT ->
                new RefusalReason(
                        "the budgets", "Each budget with whenSpent: refuse that the turn counts against has room.");
            case INTERNAL -> new RefusalReason("none", "An error in Postern. The log has the details.");
            case OVERLOADED ->
                new RefusalReason(
                        "the pending actions",
                        "Fewer actions are pending than hooks.maxPending, or maxPending of the sender or mapping, allows.");
            case UNAVAILABLE -> new RefusalReason("the database", "The database confirms the request.");
        };
    }
}

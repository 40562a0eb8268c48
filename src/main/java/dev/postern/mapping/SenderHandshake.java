package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handshakes by which senders ask whether a hook wants their events, before they send any. */
final class SenderHandshake {

    /** In characters; longer than any text that senders want to hear back. */
    private static final int MAX_LENGTH = 1_000;

    private static final Set<String> SNS_CONFIRMATIONS = Set.of("SubscriptionConfirmation", "UnsubscribeConfirmation");

    private SenderHandshake() {}

    /** What the sender of {@code payload} wants to hear back; empty if it asks nothing that one of {@code hooks} confirms. */
    static Optional<HookResult.Handshake> of(HookRequest request, JsonNode payload, List<CompiledMapping> hooks) {
        return ofSlack(request, payload, hooks)
                .or(() -> ofEventGrid(request, payload, hooks))
                .or(() -> ofSns(request, payload, hooks));
    }

    /** Slack's challenge (api.slack.com/events/url_verification), at a hook that verifies Slack's signatures. */
    private static Optional<HookResult.Handshake> ofSlack(
            HookRequest request, JsonNode payload, List<CompiledMapping> hooks) {
        return "url_verification".equals(payload.path("type").textValue())
                        && hooks.stream().anyMatch(hook -> hook.acceptsSlackVerificationAt(request.hook()))
                ? handshake("challenge", payload.path("challenge"))
                : Optional.empty();
    }

    /**
     * The validation code of Azure Event Grid, at a hook that a mapping names.
     *
     * @see <a href="https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema">Endpoint
     *     validation with Event Grid event schema</a>
     */
    private static Optional<HookResult.Handshake> ofEventGrid(
            HookRequest request, JsonNode payload, List<CompiledMapping> hooks) {
        JsonNode event = payload.path(0);
        return "SubscriptionValidation".equals(request.headers().get("aeg-event-type"))
                        && "Microsoft.EventGrid.SubscriptionValidationEvent"
                                .equals(event.path("eventType").textValue())
                        && hooks.stream().anyMatch(hook -> hook.isAt(request.hook()))
                ? handshake("validationResponse", event.path("data").path("validationCode"))
                : Optional.empty();
    }

    /** The messages by which Amazon SNS tells that a subscription begins or has ended, signed by SNS. */
    private static Optional<HookResult.Handshake> ofSns(
            HookRequest request, JsonNode payload, List<CompiledMapping> hooks) {
        return SNS_CONFIRMATIONS.contains(payload.path("Type").asText())
                        && (request.signed() != null || request.bySignature())
                        && hooks.stream().anyMatch(hook -> hook.takesSnsAt(request.hook()))
                ? handshake("topic", payload.path("TopicArn"))
                : Optional.empty();
    }

    private static Optional<HookResult.Handshake> handshake(String field, JsonNode text) {
        @Nullable String value = text.textValue();
        return value == null || value.length() > MAX_LENGTH
                ? Optional.empty()
                : Optional.of(new HookResult.Handshake(field, value));
    }
}

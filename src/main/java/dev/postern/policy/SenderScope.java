package dev.postern.policy;

import dev.postern.config.ChannelNames;
import dev.postern.config.SenderSettings;
import dev.postern.model.AllowedAction;
import dev.postern.model.ErrorCode;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The scope of a sender: the agents, session keys, models and channels that its actions may have, whether it named them or
 * a default did.
 */
final class SenderScope {

    private SenderScope() {}

    /**
     * The first limit of {@code sender} that {@code action} breaks; null if it breaks none.
     *
     * @param action the action with all defaults filled in
     * @param isSessionGenerated whether its session key was generated. Such a session is new, so every sender may have one.
     * @param channels the names by which the sender's channels are called
     */
    static @Nullable Rejection rejection(
            SenderSettings sender, AllowedAction action, boolean isSessionGenerated, ChannelNames channels) {
        SenderSettings.Scope scope = sender.scope();
        if (action instanceof AllowedAction.DirectDelivery delivery) {
            return channelRejection(scope, delivery.recipient(), channels);
        }
        if (action instanceof AllowedAction.Wake wake) {
            return agentRejection(scope, wake.agentId());
        }
        AllowedAction.Turn turn = (AllowedAction.Turn) action;
        @Nullable Rejection ofAgent = agentRejection(scope, turn.agentId());
        if (ofAgent != null) {
            return ofAgent;
        }
        if (!isSessionGenerated
                && !begins(scope.sessionKeyPrefixes(), turn.sessionKey().value())) {
            return notAllowed("sessionKey", "may name only session keys that begin with", scope.sessionKeyPrefixes());
        }
        if (!isIn(scope.models(), turn.model())) {
            return notAllowed("model", "may use only these models", scope.models());
        }
        boolean isUsed = turn.deliver() || turn.recipient().namesChannel();
        return isUsed ? channelRejection(scope, turn.recipient(), channels) : null;
    }

    private static @Nullable Rejection agentRejection(SenderSettings.Scope scope, String agentId) {
        return isIn(scope.agents(), agentId)
                ? null
                : notAllowed("agentId", "may reach only these agents", scope.agents());
    }

    private static @Nullable Rejection channelRejection(
            SenderSettings.Scope scope, Recipient recipient, ChannelNames channels) {
        Optional<List<String>> ids =
                scope.channels().map(names -> names.stream().map(channels::id).toList());
        return isIn(ids, recipient.channel())
                ? null
                : notAllowed("channel", "may have replies sent only to these channels", scope.channels());
    }

    /**
     * {@code turn} without the fallbacks that {@code sender} may not use.
     *
     * @param all the ids of the models that are asked next while that of {@code turn} is down
     */
    static AllowedAction.Turn narrowed(SenderSettings sender, AllowedAction.Turn turn, List<String> all) {
        Optional<List<String>> models = sender.scope().models();
        if (models.isEmpty()) {
            return turn;
        }
        OperatorInstructions given = turn.operatorInstructions();
        List<String> fallbacks = all.stream().filter(models.get()::contains).toList();
        return new AllowedAction.Turn(
                turn.agentId(),
                turn.sessionKey(),
                turn.message(),
                turn.name(),
                turn.wakeMode(),
                turn.deliver(),
                turn.recipient(),
                turn.model(),
                turn.thinking(),
                turn.timeout(),
                turn.provenance(),
                /* operatorInstructions= */ new OperatorInstructions(
                        given.instructions(),
                        given.tools(),
                        given.approve(),
                        Optional.of(fallbacks),
                        given.priority(),
                        given.mappingQueue()));
    }

    private static boolean isIn(Optional<List<String>> allowed, String value) {
        return allowed.isEmpty() || allowed.get().contains(value);
    }

    private static boolean begins(Optional<List<String>> prefixes, String key) {
        return prefixes.isEmpty() || prefixes.get().stream().anyMatch(key::startsWith);
    }

    private static Rejection notAllowed(String field, String rule, Optional<List<String>> allowed) {
        return new Rejection(
                ErrorCode.NOT_ALLOWED,
                field,
                "This sender " + rule + ": " + String.join(", ", allowed.orElse(List.of())) + ".");
    }
}

package dev.postern.policy;

import dev.postern.config.AgentSettings;
import dev.postern.config.BudgetSettings;
import dev.postern.config.ChannelNames;
import dev.postern.config.HookSettings;
import dev.postern.config.SenderSettings;
import dev.postern.config.Settings;
import dev.postern.model.AllowedAction;
import dev.postern.model.ErrorCode;
import dev.postern.model.Excerpt;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.IdGenerator;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import dev.postern.model.SessionKey;
import dev.postern.policy.PolicyDecision.Allowed;
import dev.postern.policy.PolicyDecision.Denied;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of the settings: which agent, session key, model and channel a request may name, and which it gets if it
 * names none. The same action always gets the same decision, except for a generated session key. Immutable.
 */
public final class Policy {

    /** The longest turn that a request may ask for. */
    public static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private static final String SESSION_KEY = "sessionKey";
    private static final int MAX_NAME_LENGTH = 255;

    /** The rejection of an earlier request whose sender was removed from the settings. */
    private static final Rejection UNKNOWN_SENDER =
            new Rejection(ErrorCode.NOT_ALLOWED, "sender", "The sender of this request is not in senders any more.");

    /** The characters of a name that are kept. Lists and summaries repeat it. */
    private static final int MAX_NAME_CHARS = 255;

    private final IdGenerator idGenerator;
    private final Settings settings;
    private final HookSettings hooks;
    private final Map<String, SenderSettings> senders;
    private final AgentSettings agents;
    private final List<String> channels;
    private final ChannelNames channelNames;
    private final RecipientFormats recipients;

    /**
     * Creates a policy from {@code settings}.
     *
     * @param settings the limits and defaults
     * @param idGenerator generates session keys for actions that name none
     * @param recipients the formats of recipients
     */
    public Policy(Settings settings, IdGenerator idGenerator, RecipientFormats recipients) {
        this.recipients = recipients;
        this.idGenerator = idGenerator;
        this.settings = settings;
        this.hooks = settings.hooks();
        this.senders = settings.senders();
        this.agents = settings.agents();
        this.channelNames = new ChannelNames(settings.channels());
        this.channels = Stream.of(
                        Stream.of(Recipient.LAST),
                        Recipient.CHATS.stream(),
                        Stream.of(Recipient.INBOX),
                        settings.channels().keySet().stream().sorted())
                .flatMap(names -> names)
                .distinct()
                .toList();
    }

    /** Decides on {@code action}: returns the first rule that it breaks, or the action with all defaults filled in. */
    public PolicyDecision decide(HookAction action) {
        return action.match(this::judgeWake, this::judgeTurn, this::judgeDelivery);
    }

    /**
     * Decides on {@code action} as {@link #decide(HookAction)} does, and then by the scope of the sender that asks for it.
     *
     * @param sender the sender's id; null for a request that has all rights
     */
    public PolicyDecision decide(HookAction action, @Nullable String sender) {
        PolicyDecision decision = decide(action);
        if (sender == null || !(decision instanceof Allowed allowed)) {
            return decision;
        }
        @Nullable SenderSettings settings = senders.get(sender);
        if (settings == null) {
            return new Denied(UNKNOWN_SENDER);
        }
        @Nullable
        Rejection rejection =
                SenderScope.rejection(settings, allowed.action(), isSessionGenerated(action), channelNames);
        if (rejection != null) {
            return new Denied(rejection);
        }
        return allowed.action() instanceof AllowedAction.Turn turn
                ? new Allowed(SenderScope.narrowed(settings, turn, fallbacks(turn)))
                : decision;
    }

    /**
     * The reason why {@code sender} may not call {@code hook}; null if it may.
     *
     * @param sender the sender's id; null for a request that has all rights
     * @param hook the path below the hook prefix
     */
    public @Nullable Rejection hookRejection(@Nullable String sender, String hook) {
        if (sender == null) {
            return null;
        }
        @Nullable SenderSettings settings = senders.get(sender);
        if (settings == null) {
            return UNKNOWN_SENDER;
        }
        return settings.mayCall(hook) ? null : Rejection.HOOK_NOT_ALLOWED;
    }

    /** The models that are asked next while that of {@code turn} is down, in their order. */
    public List<String> fallbacks(AllowedAction.Turn turn) {
        return agents.resolve(turn.agentId())
                .fallbacks(turn.operatorInstructions().fallbacks(), turn.model());
    }

    /**
     * The ids of the budgets that {@code turn} counts against.
     *
     * @param sender the id of the sender whose own token admitted the request; null for any other credential
     */
    public List<String> budgets(AllowedAction.Turn turn, @Nullable String sender) {
        String agent = agents.resolve(turn.agentId()).id();
        return settings.budgets().values().stream()
                .filter(budget -> budget.covers(turn.provenance().hook(), sender, agent, turn.model()))
                .map(BudgetSettings::id)
                .toList();
    }

    private PolicyDecision judgeWake(HookAction.Wake wake) {
        @Nullable Rejection rejection = agentRejection(wake.agentId());
        String agent = agents.resolve(wake.agentId()).id();
        return rejection != null
                ? new Denied(rejection)
                : new Allowed(new AllowedAction.Wake(agent, wake.text(), wake.mode(), wake.provenance()));
    }

    private PolicyDecision judgeTurn(HookAction.AgentTurn turn) {
        AgentSettings.Agent agent = agents.resolve(turn.agentId());
        Optional<AgentSettings.Models> models = agent.models();
        String model = turn.model() == null ? agent.model() : resolve(turn.model(), models);
        @Nullable Rejection rejection = firstRejection(turn, model, models);
        return rejection != null ? new Denied(rejection) : new Allowed(allow(turn, agent, model));
    }

    private PolicyDecision judgeDelivery(HookAction.DirectDelivery delivery) {
        Recipient recipient = new Recipient(channelNames.id(delivery.channel()), delivery.to());
        @Nullable Rejection rejection;
        if (recipient.namesChannel()) {
            rejection = channelRejection(recipient.channel());
        } else {
            rejection = Rejection.invalid(
                    "channel", "channel must be named: a delivery without an agent follows no other.");
        }
        if (rejection == null) {
            rejection = recipientRejection(recipient);
        }
        return rejection != null
                ? new Denied(rejection)
                : new Allowed(new AllowedAction.DirectDelivery(delivery.text(), recipient, delivery.provenance()));
    }

    private AllowedAction.Turn allow(HookAction.AgentTurn turn, AgentSettings.Agent agent, String model) {
        AgentSettings.Defaults defaults = agents.defaults();
        return new AllowedAction.Turn(
                /* agentId= */ agent.id(),
                /* sessionKey= */ sessionKey(turn.sessionKey()),
                turn.message(),
                /* name= */ Excerpt.of(turn.name(), MAX_NAME_CHARS),
                turn.wakeMode(),
                turn.deliver(),
                /* recipient= */ new Recipient(channelNames.id(turn.channel()), turn.to()),
                model,
                /* thinking= */ turn.thinking() == null ? agent.thinkingOn(levels(model)) : turn.thinking(),
                /* timeout= */ turn.timeout() == null ? defaults.timeout() : turn.timeout(),
                turn.provenance(),
                turn.operatorInstructions());
    }

    private boolean isSessionGenerated(HookAction action) {
        return hooks.sessionKeys().byDefault() == null
                && action.match(wake -> false, turn -> turn.sessionKey() == null, delivery -> false);
    }

    private SessionKey sessionKey(@Nullable String explicit) {
        if (explicit != null) {
            return new SessionKey(explicit);
        }
        String fixed = hooks.sessionKeys().byDefault();
        return new SessionKey(fixed != null ? fixed : "hook:" + idGenerator.uuid());
    }

    private @Nullable Rejection firstRejection(
            HookAction.AgentTurn turn, String model, Optional<AgentSettings.Models> models) {
        @Nullable Rejection fault = sessionKeyRejection(turn.sessionKey(), turn.sessionKeySource());
        if (fault == null) {
            fault = agentRejection(turn.agentId());
        }
        if (fault == null && turn.model() != null) {
            fault = modelRejection(model, models);
        }
        if (fault == null) {
            fault = channelRejection(turn.channel());
        }
        if (fault == null && turn.to() != null) {
            fault = recipientRejection(new Recipient(channelNames.id(turn.channel()), turn.to()));
        }
        if (fault == null && turn.thinking() != null && !levels(model).contains(turn.thinking())) {
            fault = Rejection.invalid("thinking", "thinking must be one of " + String.join(", ", levels(model)) + ".");
        }
        if (fault == null && turn.timeout() != null && !isTimeout(turn.timeout())) {
            fault = Rejection.invalid("timeoutSeconds", "timeoutSeconds must be more than 0 and at most 86400.");
        }
        return fault;
    }

    private @Nullable Rejection channelRejection(String channel) {
        return channels.contains(channel)
                ? null
                : Rejection.invalid("channel", "channel must be one of " + String.join(", ", channels) + ".");
    }

    private @Nullable Rejection recipientRejection(Recipient recipient) {
        @Nullable String refusal = recipients.formatError(recipient.channel(), recipient.to());
        return refusal == null ? null : Rejection.invalid("to", refusal);
    }

    private @Nullable Rejection sessionKeyRejection(@Nullable String key, KeySource source) {
        if (key == null) {
            return null;
        }
        if (source == KeySource.REQUEST && !hooks.sessionKeys().requestsMayName()) {
            return new Rejection(
                    ErrorCode.SESSION_KEY_DISABLED,
                    SESSION_KEY,
                    "A request may not name a sessionKey here: hooks.allowRequestSessionKey is false.");
        }
        Optional<List<String>> prefixes = hooks.sessionKeys().prefixes();
        if (source == KeySource.SCRIPT && prefixes.isEmpty()) {
            return new Rejection(
                    ErrorCode.SESSION_KEY_PREFIX,
                    SESSION_KEY,
                    "A script may choose a sessionKey only where hooks.allowedSessionKeyPrefixes is set.");
        }
        if (prefixes.isPresent() && prefixes.get().stream().noneMatch(key::startsWith)) {
            return new Rejection(
                    ErrorCode.SESSION_KEY_PREFIX,
                    SESSION_KEY,
                    "sessionKey must begin with one of: " + String.join(", ", prefixes.get()) + ".");
        }
        if (SessionKey.isReserved(key)) {
            return new Rejection(
                    ErrorCode.SESSION_KEY_PREFIX,
                    SESSION_KEY,
                    "sessionKey must not be main, nor begin with main:, for those sessions are Postern's own.");
        }
        if (!SessionKey.isKey(key)) {
            return Rejection.invalid(
                    SESSION_KEY, "sessionKey must have at most 255 characters and no control characters.");
        }
        return null;
    }

    private @Nullable Rejection agentRejection(@Nullable String id) {
        if (id == null) {
            return null;
        }
        Optional<List<String>> allowed = hooks.allowedAgentIds();
        if (allowed.isPresent()
                && !allowed.get().contains("*")
                && !allowed.get().contains(id)) {
            return new Rejection(
                    ErrorCode.AGENT_NOT_ALLOWED, "agentId", "This agentId is not in hooks.allowedAgentIds.");
        }
        return isName(id) && !isPath(id)
                ? null
                : Rejection.invalid(
                        "agentId",
                        "agentId must be a name: at most 255 characters, no slash or backslash, no control characters.");
    }

    private static boolean isName(String text) {
        return text.length() <= MAX_NAME_LENGTH && text.chars().noneMatch(Character::isISOControl);
    }

    /** Whether {@code id}, used as a file's name, would lead to another place than a file of that name. */
    private static boolean isPath(String id) {
        return id.indexOf('/') >= 0 || id.indexOf('\\') >= 0 || id.equals(".") || id.equals("..");
    }

    private List<String> levels(String model) {
        return settings.thinkingLevels(model);
    }

    /** The model of an alias, or the name itself. */
    private static String resolve(String name, Optional<AgentSettings.Models> models) {
        return models.map(AgentSettings.Models::aliases)
                .map(aliases -> aliases.get(name))
                .orElse(name);
    }

    private static @Nullable Rejection modelRejection(String model, Optional<AgentSettings.Models> models) {
        if (models.isPresent() && !models.get().ids().contains(model)) {
            String names = Stream.concat(
                            models.get().ids().stream(),
                            models.get().aliases().keySet().stream().sorted())
                    .collect(Collectors.joining(", "));
            return new Rejection(ErrorCode.MODEL_NOT_ALLOWED, "model", "model must be one of: " + names + ".");
        }
        return isName(model)
                ? null
                : Rejection.invalid("model", "model must have at most 255 characters and no control characters.");
    }

    private static boolean isTimeout(Duration timeout) {
        return timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(MAX_TIMEOUT) <= 0;
    }
}

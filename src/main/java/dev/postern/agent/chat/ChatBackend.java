package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.BackendPrompt;
import dev.postern.agent.ProviderBreaker;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnResult;
import dev.postern.agent.tool.Toolbox;
import dev.postern.agent.tool.ToolboxFactory;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import dev.postern.net.LruMap;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;

/**
 * A backend for the chat models of one provider. It remembers which variant of a request for thinking each model accepted,
 * so that a variant that a model has refused is not tried in each turn.
 */
final class ChatBackend implements Backend {

    /** The most models and levels whose variants are remembered; requests may name models. */
    private static final int MOST_REMEMBERED = 100;

    private final Settings.Provider provider;
    private final HttpConnections connections;
    private final ProviderRetryRule providerRetryRule;
    private final ProviderBreaker providerBreaker;
    private final ToolboxFactory toolboxFactory;
    /** The index of the variant that the provider accepted last, by model and level. */
    private final Map<String, Integer> accepted = Collections.synchronizedMap(new LruMap<>(MOST_REMEMBERED));

    ChatBackend(
            Settings.Provider provider,
            HttpConnections connections,
            ProviderRetryRule providerRetryRule,
            ProviderBreaker providerBreaker,
            ToolboxFactory toolboxFactory) {
        this.provider = provider;
        this.connections = connections;
        this.providerRetryRule = providerRetryRule;
        this.providerBreaker = providerBreaker;
        this.toolboxFactory = toolboxFactory;
    }

    @Override
    public Optional<TurnResult.ProviderDown> admit(String model, String turn) {
        return providerBreaker.admit(turn).map(new ProviderFailureMessages(provider, model)::unasked);
    }

    @Override
    public String providerName() {
        return provider.kind().equals("gemini") ? "gcp.gemini" : provider.kind();
    }

    @Override
    public TurnResult takeTurn(BackendPrompt given, TurnCancellation turnCancellation) {
        BackendPrompt prompt = given.thinkingOn(provider.thinkingLevels());
        ProviderFailureMessages providerFailureMessages = new ProviderFailureMessages(provider, prompt.model());
        ProviderAdapter providerAdapter = ProviderAdapter.of(provider.kind());
        String name = prompt.model().substring(prompt.model().indexOf('/') + 1);
        if (!providerAdapter.isModelName(name)) {
            return providerFailureMessages.noName();
        }
        ProviderHttpClient http = new ProviderHttpClient(
                connections,
                providerRetryRule,
                providerBreaker,
                providerFailureMessages,
                turnCancellation,
                prompt,
                providerAdapter);
        ModelEndpoint modelEndpoint = new ModelEndpoint(provider, name, http);
        String asked = name + " " + prompt.thinking();
        try (Toolbox toolbox =
                toolboxFactory.open(prompt.tools(), prompt.journal(), turnCancellation, prompt.recorder())) {
            Optional<String> obstacle = toolbox.obstacle();
            if (obstacle.isPresent() && !turnCancellation.isRequested()) {
                return new TurnResult.ToolServerDown(obstacle.get());
            }
            ModelConversation conversation = new ModelConversation(
                    providerAdapter,
                    modelEndpoint,
                    providerName(),
                    accepted.getOrDefault(asked, 0),
                    providerFailureMessages,
                    toolbox,
                    prompt,
                    turnCancellation);
            TurnResult outcome = conversation.outcome();
            accepted.put(asked, conversation.accepted());
            return outcome;
        }
    }
}

package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.tool.ToolboxFactory;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import java.time.Duration;
import java.time.InstantSource;

/** A factory for the backends of chat model providers. */
public final class ChatBackendFactory {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final HttpConnections connections;
    private final ProviderRetryRule providerRetryRule;
    private final ProviderBreakerRegistry breakers;
    private final ToolboxFactory toolboxFactory;

    /**
     * Creates a factory.
     *
     * @param connections the connections to the providers, closed by their creator
     * @param toolboxFactory opens the tools of each turn
     * @param breakers has a circuit breaker for each provider
     */
    public ChatBackendFactory(
            HttpConnections connections,
            ToolboxFactory toolboxFactory,
            ProviderBreakerRegistry breakers,
            InstantSource clock) {
        this(connections, toolboxFactory, breakers, new ProviderRetryRule(clock, FIRST_PAUSE));
    }

    ChatBackendFactory(
            HttpConnections connections,
            ToolboxFactory toolboxFactory,
            ProviderBreakerRegistry breakers,
            ProviderRetryRule providerRetryRule) {
        this.connections = connections;
        this.toolboxFactory = toolboxFactory;
        this.breakers = breakers;
        this.providerRetryRule = providerRetryRule;
    }

    /** A backend for {@code provider}, whose kind is one of {@code openai anthropic ollama gemini}. */
    public Backend of(Settings.Provider provider) {
        return new ChatBackend(provider, connections, providerRetryRule, breakers.of(provider), toolboxFactory);
    }
}

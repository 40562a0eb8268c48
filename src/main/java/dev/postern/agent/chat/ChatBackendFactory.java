package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.tool.ToolboxFactory;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import java.time.Duration;
import java.time.InstantSource;

/** Makes the backends of the providers of chat models. */
public final class ChatBackendFactory {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final HttpConnections connections;
    private final ProviderRetryRule providerRetryRule;
    private final ToolboxFactory toolboxFactory;

    /**
     * @param connections on which the providers are reached; closed by whoever has made them
     * @param toolboxFactory gives the turns their tools
     */
    public ChatBackendFactory(HttpConnections connections, ToolboxFactory toolboxFactory, InstantSource clock) {
        this(connections, toolboxFactory, new ProviderRetryRule(clock, FIRST_PAUSE));
    }

    ChatBackendFactory(
            HttpConnections connections, ToolboxFactory toolboxFactory, ProviderRetryRule providerRetryRule) {
        this.connections = connections;
        this.toolboxFactory = toolboxFactory;
        this.providerRetryRule = providerRetryRule;
    }

    /** The backend of {@code provider}, whose kind is one of {@code openai anthropic ollama gemini}. */
    public Backend of(Settings.Provider provider) {
        return new ChatBackend(provider, connections, providerRetryRule, toolboxFactory);
    }
}

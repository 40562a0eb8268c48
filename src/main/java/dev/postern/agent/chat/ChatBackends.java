package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.tool.Toolboxes;
import dev.postern.config.Settings;
import dev.postern.net.Connections;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/** Makes the backends of the providers of chat models, which share their connections. */
public final class ChatBackends implements AutoCloseable {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final Connections connections;
    private final Retries retries;
    private final Toolboxes toolboxes;

    /**
     * @param executor runs what comes in from the providers; ended by whoever has made it
     * @param toolboxes gives the turns their tools
     */
    public ChatBackends(Executor executor, Toolboxes toolboxes, InstantSource clock) {
        this(executor, toolboxes, new Retries(clock, FIRST_PAUSE));
    }

    ChatBackends(Executor executor, Toolboxes toolboxes, Retries retries) {
        this.connections = new Connections(executor);
        this.toolboxes = toolboxes;
        this.retries = retries;
    }

    /** The backend of {@code provider}, whose kind is one of {@code openai anthropic ollama gemini}. */
    public Backend of(Settings.Provider provider) {
        return new ChatBackend(provider, connections, retries, toolboxes);
    }

    /** Lets go of the connections; no turn may be under way any more. */
    @Override
    public void close() {
        connections.close();
    }
}

package dev.postern.agent.chat;

import dev.postern.agent.ProviderBreakerRegistry;
import dev.postern.agent.tool.ToolServerRegistry;
import dev.postern.net.HttpConnections;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** A maker of factories for tests of other packages. */
public final class ChatBackendFactoryFixture {

    private ChatBackendFactoryFixture() {}

    /** A factory of backends without tools, whose turns repeat a failed request after milliseconds instead of seconds. */
    public static ChatBackendFactory impatient(
            HttpConnections connections, ProviderBreakerRegistry breakers, InstantSource clock) {
        return new ChatBackendFactory(
                connections,
                new ToolServerRegistry(Map.of(), Path.of("nowhere"), "test"),
                breakers,
                new ProviderRetryRule(clock, Duration.ofMillis(5)));
    }
}

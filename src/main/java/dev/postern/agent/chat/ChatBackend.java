package dev.postern.agent.chat;

import dev.postern.agent.Backend;
import dev.postern.agent.Cutoff;
import dev.postern.agent.Prompt;
import dev.postern.agent.TurnOutcome;
import dev.postern.agent.tool.Toolbox;
import dev.postern.agent.tool.Toolboxes;
import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The chat models of one provider. */
final class ChatBackend implements Backend {

    private final Settings.Provider provider;
    private final Connections connections;
    private final Retries retries;
    private final Toolboxes toolboxes;

    ChatBackend(Settings.Provider provider, Connections connections, Retries retries, Toolboxes toolboxes) {
        this.provider = provider;
        this.connections = connections;
        this.retries = retries;
        this.toolboxes = toolboxes;
    }

    @Override
    public TurnOutcome answer(Prompt prompt, Cutoff cutoff) {
        Faults faults = new Faults(provider, prompt.model());
        Dialect dialect = Dialect.of(provider.kind());
        String name = prompt.model().substring(prompt.model().indexOf('/') + 1);
        if (!dialect.canBeCalled(name)) {
            return faults.noName();
        }
        ProviderHttp http = new ProviderHttp(connections, retries, faults, cutoff, prompt.turnId(), dialect);
        Target target = new Target(baseUrl(), key(), name, http);
        Toolboxes tools = prompt.tools().isNone() ? Toolboxes.NONE : toolboxes;
        try (Toolbox toolbox = tools.open(prompt.tools(), cutoff, prompt.log())) {
            return new Conversation(
                            dialect.candidates(target, prompt.thinking()), http, faults, toolbox, prompt, cutoff)
                    .outcome();
        }
    }

    private String baseUrl() {
        return Objects.requireNonNull(provider.baseUrl(), "chat providers have an address")
                .toString();
    }

    private @Nullable String key() {
        Secret key = provider.apiKey();
        return key == null ? null : key.reveal();
    }
}

package dev.postern.agent;

import dev.postern.config.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Finds the backend of a model by the provider that the model's id begins with. */
public final class BackendRegistry {

    private static final String OFFLINE = "offline";

    private final Map<String, Backend> byProvider;

    /** The given backends, by provider id. */
    public BackendRegistry(Map<String, Backend> byProvider) {
        this.byProvider = Map.copyOf(byProvider);
    }

    /**
     * A backend for each configured provider, and {@code offline} besides.
     *
     * @param chat makes the backend of a provider of chat models
     * @param scratch where a program's message lies for the moment in which it starts; made when it isn't there
     */
    public static BackendRegistry of(
            Map<String, Settings.Provider> providers, Function<Settings.Provider, Backend> chat, Path scratch) {
        Map<String, Backend> byProvider = new HashMap<>();
        byProvider.put(OFFLINE, new OfflineBackend());
        providers.forEach((id, provider) -> byProvider.put(id, backend(provider, chat, scratch)));
        return new BackendRegistry(byProvider);
    }

    private static Backend backend(
            Settings.Provider provider, Function<Settings.Provider, Backend> chat, Path scratch) {
        return switch (provider.kind()) {
            case OFFLINE -> new OfflineBackend();
            case "command" -> new CommandBackend(provider.command(), provider.env(), scratch);
            default -> chat.apply(provider);
        };
    }

    /** The backend of {@code model}; where there is none, one that fails and says what to configure. */
    Backend of(String model) {
        int slash = model.indexOf('/');
        if (slash < 1) {
            return new Unavailable("model " + model + " names no provider: write <provider>/<model>");
        }
        String provider = model.substring(0, slash);
        return byProvider.getOrDefault(
                provider,
                new Unavailable("providers." + provider + " is not configured: add it with its kind, or choose a model"
                        + " of another provider"));
    }

    /** Stands in for a backend that isn't there, and says what to configure. */
    private record Unavailable(String sentence) implements Backend {

        @Override
        public TurnResult answer(BackendPrompt prompt, TurnCancellation turnCancellation) {
            return new TurnResult.Failed(sentence);
        }
    }

    /**
     * Answers without a model, so that everything around one can be tried.
     *
     * <ul>
     *   <li>{@code offline/ack} answers {@code HEARTBEAT_OK} to everything: a reply that is not delivered.
     *   <li>Any other, such as {@code offline/echo}, says back what came in from outside: the message, or a heartbeat's
     *       events one below the other, cut after 2,000 characters. When nothing came in, as in a heartbeat for nothing but
     *       {@code HEARTBEAT.md}, it answers {@code HEARTBEAT_OK}.
     * </ul>
     */
    private static final class OfflineBackend implements Backend {

        private static final String ACKNOWLEDGEMENT = "HEARTBEAT_OK";
        private static final int MAX_ECHO = 2_000;

        @Override
        public TurnResult answer(BackendPrompt prompt, TurnCancellation turnCancellation) {
            String heard = prompt.message().fromOutside().strip();
            if (heard.isEmpty() || prompt.model().endsWith("/ack")) {
                return new TurnResult.Replied(ACKNOWLEDGEMENT);
            }
            return new TurnResult.Replied(prompt.model() + ": " + Excerpt.of(heard, MAX_ECHO));
        }
    }
}

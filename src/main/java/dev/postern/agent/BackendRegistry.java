package dev.postern.agent;

import dev.postern.config.Settings;
import dev.postern.model.Excerpt;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A registry of backends by provider; a model's id begins with its provider's id. */
public final class BackendRegistry {

    private static final String OFFLINE = "offline";

    private final Map<String, Backend> byProvider;

    /** Creates a registry of the given backends, by provider id. */
    public BackendRegistry(Map<String, Backend> byProvider) {
        this.byProvider = Map.copyOf(byProvider);
    }

    /**
     * A registry with a backend for each configured provider, and with {@code offline}.
     *
     * @param chat creates the backend of a provider of chat models
     * @param scratch the directory that holds a program's message while the program starts; created if it does not exist
     * @param database the location of the database with the turns
     */
    public static BackendRegistry of(
            Map<String, Settings.Provider> providers,
            Function<Settings.Provider, Backend> chat,
            Path scratch,
            String database) {
        Map<String, Backend> byProvider = new HashMap<>();
        byProvider.put(OFFLINE, new OfflineBackend());
        providers.forEach((id, provider) -> byProvider.put(id, backend(provider, chat, scratch, database)));
        return new BackendRegistry(byProvider);
    }

    private static Backend backend(
            Settings.Provider provider, Function<Settings.Provider, Backend> chat, Path scratch, String database) {
        return switch (provider.kind()) {
            case OFFLINE -> new OfflineBackend();
            case "command" -> new CommandBackend(provider.command(), provider.env(), scratch, database);
            default -> chat.apply(provider);
        };
    }

    /** The backend of {@code model}; if there is none, a backend that fails and says what to configure. */
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

    /** A stand-in for a missing backend that says what to configure. */
    private record Unavailable(String sentence) implements Backend {

        @Override
        public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
            return new TurnResult.Failed(sentence);
        }
    }

    /**
     * A backend that replies without a model, so that everything around a model can be tried.
     *
     * <ul>
     *   <li>{@code offline/ack} replies {@code HEARTBEAT_OK} to everything: a reply that is not delivered.
     *   <li>Any other, such as {@code offline/echo}, repeats the content from outside: the message, or a heartbeat's events
     *       one below the other, cut after 2,000 characters. Without such content, as in a heartbeat for
     *       {@code HEARTBEAT.md} alone, it replies {@code HEARTBEAT_OK}.
     * </ul>
     */
    private static final class OfflineBackend implements Backend {

        private static final String ACKNOWLEDGEMENT = "HEARTBEAT_OK";
        private static final int MAX_ECHO = 2_000;

        @Override
        public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
            String content = prompt.message().fromOutside().strip();
            if (content.isEmpty() || prompt.model().endsWith("/ack")) {
                return new TurnResult.Replied(ACKNOWLEDGEMENT);
            }
            return new TurnResult.Replied(prompt.model() + ": " + Excerpt.of(content, MAX_ECHO));
        }
    }
}

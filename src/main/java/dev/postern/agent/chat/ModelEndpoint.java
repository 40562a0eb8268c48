package dev.postern.agent.chat;

import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of one model: the provider, the model's name and the client for its requests.
 *
 * @param model the provider's name for the model
 * @param http the client that sends the requests
 */
record ModelEndpoint(Settings.Provider provider, String model, ProviderHttpClient http) {

    /** The URL to which API paths are appended. */
    String baseUrl() {
        return Objects.requireNonNull(provider.baseUrl(), "chat providers have an address")
                .toString();
    }

    /** The API key; null for a server that needs none. */
    @Nullable
    String key() {
        Secret key = provider.apiKey();
        return key == null ? null : key.reveal();
    }
}

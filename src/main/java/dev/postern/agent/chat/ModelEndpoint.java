package dev.postern.agent.chat;

import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to ask, where, and how.
 *
 * @param model the name that the provider knows it by
 * @param http what requests go out by
 */
record ModelEndpoint(Settings.Provider provider, String model, ProviderHttpClient http) {

    /** What API paths are appended to. */
    String baseUrl() {
        return Objects.requireNonNull(provider.baseUrl(), "chat providers have an address")
                .toString();
    }

    /** Null for a server that wants none. */
    @Nullable
    String key() {
        Secret key = provider.apiKey();
        return key == null ? null : key.reveal();
    }
}

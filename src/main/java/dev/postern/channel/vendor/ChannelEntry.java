package dev.postern.channel.vendor;

import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel's entry in the configuration. */
record ChannelEntry(Settings.Channel settings) {

    /** The value of the setting called {@code name}, which is always there. */
    String option(String name) {
        return Objects.requireNonNull(settings.options().get(name), name);
    }

    /** The credential called {@code name}, in the clear; null where it is not configured. */
    @Nullable
    String secret(String name) {
        Secret secret = settings.secrets().get(name);
        return secret == null ? null : secret.reveal();
    }

    /** Likewise, for a credential that is always there. */
    String needed(String name) {
        return Objects.requireNonNull(secret(name), name);
    }

    /** The address of {@code path}, which begins with a slash, on the service. */
    String at(String path) {
        return option("baseUrl") + path;
    }

    int textLimit() {
        return Integer.parseInt(option("textLimit"));
    }

    /** The path of the setting called {@code name}, as sentences show it. */
    String setting(String name) {
        return "channels." + settings.id() + "." + name;
    }

    /** The service that knows us by {@code setting}, a {@code credential}. */
    VendorResponses service(String name, String credential, String setting) {
        return new VendorResponses(name, credential, setting(setting), setting("baseUrl"));
    }
}

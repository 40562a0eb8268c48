package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Probe;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel's entry in the configuration, with its settings and secrets. */
record ChannelEntry(Settings.Channel settings) {

    /** The value of the setting {@code name}, which always has one. */
    String option(String name) {
        return Objects.requireNonNull(settings.options().get(name), name);
    }

    /** The credential {@code name} in clear text; null if it is not configured. */
    @Nullable
    String secret(String name) {
        Secret secret = settings.secrets().get(name);
        return secret == null ? null : secret.reveal();
    }

    /** The credential {@code name} in clear text, which is always configured. */
    String requiredSecret(String name) {
        return Objects.requireNonNull(secret(name), name);
    }

    /** The URL of {@code path}, which begins with a slash, at the service. */
    String at(String path) {
        return option("baseUrl") + path;
    }

    /** The markup of comments, with mentions if the operator allows them. */
    MarkupLanguage commentMarkup() {
        return Boolean.parseBoolean(option("allowMentions"))
                ? MarkupLanguage.COMMENT_WITH_MENTIONS
                : MarkupLanguage.COMMENT;
    }

    /**
     * The verdict that the credentials are valid; it is bad if the configured account is another than theirs.
     *
     * @param name the service's name of their account; null if it gives none
     * @param account the account as the service's events name it; null if it is unknown
     */
    Probe valid(@Nullable String name, @Nullable String account) {
        String configured = settings.options().get("account");
        if (configured != null && account != null && !configured.equalsIgnoreCase(account)) {
            return new Probe.Bad(setting("account") + " is [" + configured
                    + "], but the credentials are those of the account [" + account + "]");
        }
        boolean isTold = account == null || account.equals(name);
        return new Probe.Good(isTold ? name : (name == null ? "" : name + ", ") + "account " + account);
    }

    int textLimit() {
        return Integer.parseInt(option("textLimit"));
    }

    /** The full path of the setting {@code name}, for messages to the operator. */
    String setting(String name) {
        return "channels." + settings.id() + "." + name;
    }

    /** Whether {@code address} has the scheme, host and port of the setting {@code baseUrl}, and no user. */
    boolean isAtBaseUrl(URI address) {
        URI base = URI.create(option("baseUrl"));
        return address.getRawUserInfo() == null
                && String.valueOf(address.getScheme()).equalsIgnoreCase(base.getScheme())
                && String.valueOf(address.getHost()).equalsIgnoreCase(base.getHost())
                && address.getPort() == base.getPort();
    }

    /** The interpreter for responses of the service {@code name}, whose {@code credential} is in {@code setting}. */
    VendorResponses service(String name, String credential, String setting) {
        return new VendorResponses(name, credential, setting(setting), setting("baseUrl"));
    }
}

package dev.postern.app;

import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.vendor.ChannelFactory;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import dev.postern.policy.RecipientFormats;
import java.time.InstantSource;

/** The recipient formats of the configured channels, for a command that sends nothing. */
final class ConfiguredRecipientForms {

    private ConfiguredRecipientForms() {}

    static RecipientFormats of(Settings settings) {
        return channels(settings)::refusal;
    }

    /** The configured channels, which must not be used to send. */
    static ChannelRegistry channels(Settings settings) {
        HttpConnections unused = new HttpConnections(Runnable::run);
        return ChannelFactory.of(settings.channels(), null, unused, null, InstantSource.system(), "command");
    }
}

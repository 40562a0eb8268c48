package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.ChannelRegistry;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import dev.postern.store.Store;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A factory of the configured channels. */
public final class ChannelFactory {

    private final VendorHttpClient http;
    private final @Nullable MailLogin mailboxLogin;
    private final @Nullable Store store;

    ChannelFactory(VendorHttpClient http) {
        this(http, null, null);
    }

    private ChannelFactory(VendorHttpClient http, @Nullable MailLogin mailboxLogin, @Nullable Store store) {
        this.http = http;
        this.mailboxLogin = mailboxLogin;
        this.store = store;
    }

    /**
     * Creates the channels in {@code configured}; sends nothing yet.
     *
     * @param store counts the mails to each address; null for a command, whose channels send no mails
     * @param mailboxLogin login of mail channels without a password; null if there is none
     * @param connections connections to the services; the caller closes them
     * @param version Postern's version, for the header {@code User-Agent}
     */
    public static ChannelRegistry of(
            Map<String, Settings.Channel> configured,
            @Nullable MailLogin mailboxLogin,
            HttpConnections connections,
            @Nullable Store store,
            InstantSource clock,
            String version) {
        ChannelFactory channelFactory =
                new ChannelFactory(new VendorHttpClient(connections, clock, version), mailboxLogin, store);
        Map<String, Channel> channels = new LinkedHashMap<>();
        configured.forEach((id, settings) -> channels.put(id, channelFactory.channel(new ChannelEntry(settings))));
        return new ChannelRegistry(channels);
    }

    /** Creates the channel of {@code entry}, whose kind must exist. */
    Channel channel(ChannelEntry entry) {
        return switch (entry.settings().kind()) {
            case "telegram" -> new TelegramChannel(entry, http);
            case "discord" -> new DiscordChannel(entry, http);
            case "slack" -> new SlackChannel(entry, http);
            case "mattermost" -> new MattermostChannel(entry, http);
            case "whatsapp" -> new WhatsAppChannel(entry, http);
            case "signal" -> new SignalChannel(entry, http.withTimeout(SignalChannel.TIMEOUT));
            case "imessage" -> new IMessageChannel(entry, http.withTimeout(IMessageChannel.TIMEOUT));
            case "msteams" ->
                entry.secret("webhookUrl") == null
                        ? new TeamsBotChannel(entry, http)
                        : new TeamsFlowChannel(entry, http);
            case "github" -> new GitHubChannel(entry, http);
            case "gitlab" -> new GitLabChannel(entry, http);
            case "jira" -> new JiraChannel(entry, http);
            case "linear" -> new LinearChannel(entry, http);
            case "pagerduty" -> new PagerDutyChannel(entry, http);
            case "sentry" -> new SentryChannel(entry, http);
            case "mail" ->
                new MailChannel(entry, mailboxLogin, mailLimit(entry), MailChannel.TIMEOUT, MailChannel.LAST_REPLY);
            case "webhook" -> new WebhookChannel(entry, http);
            default ->
                throw new IllegalArgumentException(
                        "no channel is of kind " + entry.settings().kind());
        };
    }

    private MailRateLimit mailLimit(ChannelEntry entry) {
        return store == null
                ? MailRateLimit.NOTHING
                : new SentMailTable(store, entry.settings().id(), Integer.parseInt(entry.option("maxPerRecipient")));
    }
}

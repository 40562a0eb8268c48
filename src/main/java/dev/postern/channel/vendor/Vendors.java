package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.ChannelRegistry;
import dev.postern.config.Settings;
import dev.postern.net.Connections;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the channels that are configured. */
public final class Vendors {

    private final VendorHttp http;

    Vendors(VendorHttp http) {
        this.http = http;
    }

    /**
     * The channels that {@code configured} asks for; nothing is sent yet.
     *
     * @param connections on which the services are reached; closed by whoever has made them
     * @param version what the services are told beside our name
     */
    public static ChannelRegistry of(
            Map<String, Settings.Channel> configured, Connections connections, InstantSource clock, String version) {
        Vendors vendors = new Vendors(new VendorHttp(connections, clock, version));
        Map<String, Channel> channels = new LinkedHashMap<>();
        configured.forEach((id, settings) -> channels.put(id, vendors.channel(new Entry(settings))));
        return new ChannelRegistry(channels);
    }

    /** The channel of {@code entry}, whose kind is one of those that there are. */
    Channel channel(Entry entry) {
        return switch (entry.settings().kind()) {
            case "telegram" -> new Telegram(entry, http);
            case "discord" -> new Discord(entry, http);
            case "slack" -> new Slack(entry, http);
            case "mattermost" -> new Mattermost(entry, http);
            case "whatsapp" -> new WhatsApp(entry, http);
            case "signal" -> new Signal(entry, http.within(Signal.TIMEOUT));
            case "imessage" -> new IMessage(entry, http.within(IMessage.TIMEOUT));
            case "msteams" ->
                entry.secret("webhookUrl") == null ? new TeamsBot(entry, http) : new TeamsFlow(entry, http);
            case "webhook" -> new Webhook(entry, http);
            default ->
                throw new IllegalArgumentException(
                        "no channel is of kind " + entry.settings().kind());
        };
    }
}

package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.Channels;
import dev.postern.config.Settings;
import dev.postern.net.Connections;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the channels that are configured. */
public final class Vendors {

    private static final Set<String> KINDS = Set.of(
            "telegram", "discord", "slack", "mattermost", "whatsapp", "signal", "imessage", "msteams", "webhook");

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
    public static Channels of(
            Map<String, Settings.Channel> configured, Connections connections, InstantSource clock, String version) {
        Vendors vendors = new Vendors(new VendorHttp(connections, clock, version));
        Map<String, Channel> usable = new HashMap<>();
        Map<String, String> unusable = new HashMap<>();
        configured.forEach((id, settings) -> {
            if (KINDS.contains(settings.kind())) {
                usable.put(id, vendors.channel(new Entry(settings)));
            } else {
                unusable.put(id, whyNot(settings));
            }
        });
        return new Channels(usable, unusable);
    }

    /** Why those of {@code configured} that can't be used can't: a sentence each. */
    public static List<String> unusable(Map<String, Settings.Channel> configured) {
        return configured.values().stream()
                .filter(settings -> !KINDS.contains(settings.kind()))
                .map(Vendors::whyNot)
                .sorted()
                .toList();
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

    private static String whyNot(Settings.Channel settings) {
        return "channels of kind " + settings.kind() + " are not available in this version: leave channels."
                + settings.id() + " out and replies go to the inbox";
    }
}

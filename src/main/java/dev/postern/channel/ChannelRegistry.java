package dev.postern.channel;

import dev.postern.model.Recipient;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The channels of this installation: those that can be used, and why the others can't. {@link Recipient#INBOX} is not
 * among them, since what is sent there is where it belongs as soon as it is a row.
 */
public final class ChannelRegistry {

    private static final String WHATSAPP = "whatsapp";

    /** What each chat product's channel can't do without. */
    private static final Map<String, String> REQUIRED = Map.ofEntries(
            Map.entry(WHATSAPP, "accessToken and phoneNumberId"),
            Map.entry("telegram", "botToken"),
            Map.entry("discord", "botToken"),
            Map.entry("slack", "botToken"),
            Map.entry("mattermost", "botToken and baseUrl"),
            Map.entry("signal", "account and baseUrl"),
            Map.entry("imessage", "password and baseUrl"),
            Map.entry("msteams", "appId, appPassword and tenantId, or webhookUrl"));

    private final Map<String, Channel> channels;

    /**
     * @param configured by id, in the order of the configuration
     */
    public ChannelRegistry(Map<String, Channel> configured) {
        this.channels = Collections.unmodifiableMap(new LinkedHashMap<>(configured));
    }

    /** Asks each channel's service whether the credentials are good, one after the other. */
    public void probe(BiConsumer<String, Channel.Probe> told) {
        channels.forEach((id, channel) -> told.accept(id, channel.probe()));
    }

    /** Why {@code to} can be no recipient on {@code channel}, as {@link Channel#refusal} says; null where nobody knows. */
    public @Nullable String refusal(String channel, String to) {
        Channel known = channels.get(channel);
        return known == null ? null : known.refusal(to);
    }

    /** Where a reply goes that follows nothing: to whatsapp where it has a recipient of its own, else to the inbox. */
    public Recipient fallback() {
        Recipient phone = byItself(WHATSAPP);
        return phone.to() == null ? new Recipient(Recipient.INBOX, null) : phone;
    }

    /** Where a reply goes for which {@code channel} alone is named, and that follows nothing. */
    public Recipient byItself(String channel) {
        Channel known = channels.get(channel);
        return new Recipient(channel, known == null ? null : known.ownRecipient());
    }

    /** Whether a reply could be sent to {@code recipient} as things are, whose channel is named. */
    public boolean takes(Recipient recipient) {
        return recipient.channel().equals(Recipient.INBOX) || whyNot(recipient.channel(), recipient.to()) == null;
    }

    /** The channel called {@code id}, or empty when it can't be used. */
    Optional<Channel> find(String id) {
        return Optional.ofNullable(channels.get(id));
    }

    /** Why nothing can be sent to {@code to} on {@code channel} as things are; null where it can. */
    @Nullable
    String whyNot(String channel, @Nullable String to) {
        Channel known = channels.get(channel);
        return known == null ? whyNot(channel) : known.refusal(to);
    }

    /** Why the channel called {@code id} can't be used, and what to configure. */
    String whyNot(String id) {
        String required = REQUIRED.get(id);
        return "channel " + id + " is not configured: "
                + (required == null
                        ? "add channels." + id + " with its kind"
                        : "set channels." + id + "." + required.replace(" and ", " and channels." + id + "."));
    }
}

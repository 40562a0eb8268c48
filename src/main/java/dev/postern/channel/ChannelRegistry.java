package dev.postern.channel;

import dev.postern.model.Recipient;
import dev.postern.model.ReportedEventType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A registry of this installation's channels, which also explains why other channels can't be used. It does not hold
 * {@link Recipient#INBOX}, since a reply to the inbox is delivered as soon as it is stored.
 */
public final class ChannelRegistry {

    private static final String WHATSAPP = "whatsapp";
    private static final String NO_RECIPIENT = "to is missing, and no earlier reply names a recipient on this channel";

    private static final String TOO_LONG = "to must be at most " + Recipient.MAX_TO_BYTES + " bytes of UTF-8.";

    /** The required settings of each chat product's channel. */
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
    private final Map<ReportedEventType, List<String>> subscribers = new EnumMap<>(ReportedEventType.class);

    /**
     * @param configured the channels by id, in the order of the configuration
     */
    public ChannelRegistry(Map<String, Channel> configured) {
        this.channels = Collections.unmodifiableMap(new LinkedHashMap<>(configured));
        for (ReportedEventType type : ReportedEventType.values()) {
            subscribers.put(
                    type,
                    configured.entrySet().stream()
                            .filter(channel -> channel.getValue().events().contains(type.wire()))
                            .map(Map.Entry::getKey)
                            .toList());
        }
    }

    /** Asks each channel's service whether the credentials are valid, one after the other. */
    public void probe(BiConsumer<String, Channel.Probe> told) {
        channels.forEach((id, channel) -> told.accept(id, channel.probe()));
    }

    /**
     * The reason why {@code channel} rejects the recipient {@code to} ({@link Channel#refusal}); null if none is known.
     *
     * @param to null for the channel's own recipient, if it has one
     */
    public @Nullable String refusal(String channel, @Nullable String to) {
        Channel known = channels.get(channel);
        if (known == null) {
            return Recipient.isTooLong(to) ? TOO_LONG : null;
        }
        return refusal(known, to == null ? known.ownRecipient() : to);
    }

    private static @Nullable String refusal(Channel channel, @Nullable String to) {
        if (Recipient.isTooLong(to)) {
            return TOO_LONG;
        }
        @Nullable String refusal = channel.refusal(to);
        if (refusal == null || to != null) {
            return refusal;
        }
        // What to write follows the colon, if the channel says it.
        int colon = refusal.indexOf(": ");
        return NO_RECIPIENT + (colon < 0 ? "" : refusal.substring(colon));
    }

    /** The recipient of a reply that follows no earlier one: whatsapp if it has a recipient of its own, else the inbox. */
    public Recipient fallback() {
        Recipient phone = defaultRecipient(WHATSAPP);
        return phone.to() == null ? new Recipient(Recipient.INBOX, null) : phone;
    }

    /** The recipient of a reply that names {@code channel} alone and follows no earlier reply there. */
    public Recipient defaultRecipient(String channel) {
        Channel known = channels.get(channel);
        return new Recipient(channel, known == null ? null : known.ownRecipient());
    }

    /** The ids of the channels that subscribe to events of {@code type}. */
    List<String> subscribers(ReportedEventType type) {
        return Objects.requireNonNull(subscribers.get(type));
    }

    /** Whether a reply could now be sent to {@code recipient}, which names its channel. */
    public boolean takes(Recipient recipient) {
        return recipient.channel().equals(Recipient.INBOX) || whyNot(recipient.channel(), recipient.to()) == null;
    }

    /** The channel {@code id}; empty if it can't be used. */
    Optional<Channel> find(String id) {
        return Optional.ofNullable(channels.get(id));
    }

    /** The reason why a reply can't be sent to {@code to} on {@code channel} now; null if it can. */
    @Nullable
    String whyNot(String channel, @Nullable String to) {
        Channel known = channels.get(channel);
        return known == null ? whyNot(channel) : refusal(known, to);
    }

    /** The reason why the channel {@code id} can't be used, and the settings to configure. */
    String whyNot(String id) {
        String required = REQUIRED.get(id);
        return "channel " + id + " is not configured: "
                + (required == null
                        ? "add channels." + id + " with its kind"
                        : "set channels." + id + "." + required.replace(" and ", " and channels." + id + "."));
    }
}

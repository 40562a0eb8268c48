package dev.postern.channel;

import dev.postern.model.Recipient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The channels of this installation: those that can be used, and why the others can't. {@link Recipient#INBOX} is not
 * among them, since what is sent there is where it belongs as soon as it is a row.
 */
public final class Channels {

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

    private final Map<String, Channel> usable;
    private final Map<String, String> unusable;
    private final String fallback;

    /**
     * @param usable the channels that there are, by id
     * @param unusable why those that are configured but can't be used can't, by id
     */
    public Channels(Map<String, Channel> usable, Map<String, String> unusable) {
        this.usable = Map.copyOf(usable);
        this.unusable = Map.copyOf(unusable);
        TreeSet<String> configured = new TreeSet<>(usable.keySet());
        configured.addAll(unusable.keySet());
        if (configured.isEmpty()) {
            this.fallback = Recipient.INBOX;
        } else {
            this.fallback = configured.contains(WHATSAPP) ? WHATSAPP : configured.first();
        }
    }

    /** Why those that are configured but can't be used can't: a sentence each. */
    public List<String> unusable() {
        return unusable.values().stream().sorted().toList();
    }

    /** Asks the service of each channel that can be used whether its credentials are good, one after the other by id. */
    public void probe(BiConsumer<String, Channel.Probe> told) {
        new TreeMap<>(usable).forEach((id, channel) -> told.accept(id, channel.probe()));
    }

    /** Why {@code to} can be no recipient on {@code channel}, as {@link Channel#refusal} says; null where nobody knows. */
    public @Nullable String refusal(String channel, String to) {
        Channel known = usable.get(channel);
        return known == null ? null : known.refusal(to);
    }

    /** Where {@link Recipient#LAST} leads at first: to whatsapp, else the first channel by id, else the inbox. */
    String fallback() {
        return fallback;
    }

    /** The channel called {@code id}, or empty when it can't be used. */
    Optional<Channel> find(String id) {
        return Optional.ofNullable(usable.get(id));
    }

    /** Why the channel called {@code id} can't be used, and what to configure. */
    String whyNot(String id) {
        String reason = unusable.get(id);
        if (reason != null) {
            return reason;
        }
        String required = REQUIRED.get(id);
        return "channel " + id + " is not configured: "
                + (required == null
                        ? "add channels." + id + " with its kind"
                        : "set channels." + id + "." + required.replace(" and ", " and channels." + id + "."));
    }
}

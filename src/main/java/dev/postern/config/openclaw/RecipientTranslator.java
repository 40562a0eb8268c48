package dev.postern.config.openclaw;

import java.util.Map;
import java.util.regex.Pattern;

/** A translator of recipients. OpenClaw writes the kind of a recipient before it, and a topic behind it. */
final class RecipientTranslator {

    /** What OpenClaw writes before recipients, by channel. */
    private static final Map<String, Pattern> PREFIXES = Map.of(
            "slack", Pattern.compile("^(slack:)?(channel:|user:)?"),
            "discord", Pattern.compile("^(discord:)?(channel:)?"),
            "mattermost", Pattern.compile("^(mattermost:)?(channel:)?"),
            "telegram", Pattern.compile("^(telegram:|tg:)?(group:)?"),
            "whatsapp", Pattern.compile("^(whatsapp:)?"),
            "signal", Pattern.compile("^(signal:)?(uuid:)?"),
            "imessage", Pattern.compile("^(imessage:)?(chat_guid:)?"),
            "msteams", Pattern.compile("^(msteams:)?(conversation:)?"));

    private static final Pattern TOPIC = Pattern.compile("^(-?\\d+):topic:(\\d+)$");

    private RecipientTranslator() {}

    /**
     * The recipient as Postern writes it.
     *
     * @param channel the kind of the channel; any other text than a kind for an unknown one
     */
    static String translate(String channel, String to) {
        Pattern prefix = PREFIXES.get(channel);
        if (prefix == null) {
            return to;
        }
        String bare = prefix.matcher(to).replaceFirst("");
        return channel.equals("telegram") ? TOPIC.matcher(bare).replaceFirst("$1/$2") : bare;
    }
}

package dev.postern.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a reply goes.
 *
 * @param channel {@link #LAST} or a channel's id
 * @param to a phone number, chat id or the like, as the channel wants it; null for the channel's own default
 */
public record Recipient(String channel, @Nullable String to) {

    /** Where the session's last reply went whose channel was named, or its agent's main session's. */
    public static final String LAST = "last";

    /** The channel that is always there and keeps what is sent to it in the database. */
    public static final String INBOX = "inbox";

    /** The chat products that a recipient can be on, whether they are configured here or not. */
    public static final List<String> CHATS =
            List.of("whatsapp", "telegram", "discord", "slack", "mattermost", "signal", "imessage", "msteams");

    /** Whether the channel is named, and not left open. */
    public boolean namesChannel() {
        return !channel.equals(LAST);
    }

    /** {@link #LAST}, whatever it is when the delivery is made. */
    public static Recipient last() {
        return new Recipient(LAST, null);
    }
}

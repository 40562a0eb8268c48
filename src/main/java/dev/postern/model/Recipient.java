package dev.postern.model;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recipient of a reply.
 *
 * @param channel {@link #LAST} or the id of a channel
 * @param to a phone number, chat id or similar, as the channel requires it; null for the channel's default
 */
public record Recipient(String channel, @Nullable String to) {

    /** The recipient of the session's last reply with a named channel, else of such a reply in its agent's main session. */
    public static final String LAST = "last";

    /** The built-in channel, which always exists and keeps its messages in the database. */
    public static final String INBOX = "inbox";

    /** The chat products that a recipient can be on, whether configured here or not. */
    public static final List<String> CHATS =
            List.of("whatsapp", "telegram", "discord", "slack", "mattermost", "signal", "imessage", "msteams");

    /** The longest {@code to} that a delivery may have, in bytes of UTF-8. An entry of a PostgreSQL index has room for it. */
    public static final int MAX_TO_BYTES = 2_400;

    /** Whether {@code to} is longer than {@link #MAX_TO_BYTES}. */
    public static boolean isTooLong(@Nullable String to) {
        return to != null && to.getBytes(StandardCharsets.UTF_8).length > MAX_TO_BYTES;
    }

    /** Whether the channel is named, not {@link #LAST}. */
    public boolean namesChannel() {
        return !channel.equals(LAST);
    }

    /** The recipient {@link #LAST}, which is resolved when the delivery is made. */
    public static Recipient last() {
        return new Recipient(LAST, null);
    }
}

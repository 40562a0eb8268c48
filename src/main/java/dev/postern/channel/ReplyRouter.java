package dev.postern.channel;

import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A router that completes a reply's recipient: {@link Recipient#LAST} leaves the channel open, and null leaves {@code to}
 * open. It tries, in this order: the session's route, the route of its agent's main session, whatsapp if that has a
 * recipient of its own, and the inbox.
 *
 * <p>A session's route is the recipient of its last reply that named a channel and has not failed. Other sessions do not
 * change it, so a reply to one sender does not redirect the replies to others.
 */
final class ReplyRouter {

    private static final String LATEST =
            """
            SELECT channel, recipient FROM delivery
            WHERE session = ? AND named = 1 AND state IN ('pending', 'delivered') AND channel = COALESCE(?, channel)
            ORDER BY seq DESC LIMIT 1""";

    private final ChannelRegistry channelRegistry;
    private final Function<String, Optional<Recipient>> heartbeats;

    /**
     * @param heartbeats the configured recipient of an agent's heartbeats, which may leave the channel open; empty if there
     *     is none
     */
    ReplyRouter(ChannelRegistry channelRegistry, Function<String, Optional<Recipient>> heartbeats) {
        this.channelRegistry = channelRegistry;
        this.heartbeats = heartbeats;
    }

    /** The recipient for a reply of {@code session} whose recipient is given as {@code asked}. */
    Recipient resolve(SqlTransaction sql, SessionId session, Recipient asked) throws SQLException {
        if (asked.namesChannel() && (asked.to() != null || asked.channel().equals(Recipient.INBOX))) {
            return asked;
        }
        @Nullable String channel = asked.namesChannel() ? asked.channel() : null;
        Optional<Recipient> known = usable(sql, session, channel);
        if (known.isEmpty()) {
            known = ofMain(sql, SessionId.mainOf(session.agentId()), channel);
        }
        Recipient route = known.orElseGet(
                () -> channel == null ? channelRegistry.fallback() : channelRegistry.defaultRecipient(channel));
        return asked.to() == null ? route : new Recipient(route.channel(), asked.to());
    }

    /** The route of a main session: the configured recipient of its agent's heartbeats, else that of its own replies. */
    private Optional<Recipient> ofMain(SqlTransaction sql, SessionId main, @Nullable String channel)
            throws SQLException {
        Optional<Recipient> configured = heartbeats
                .apply(main.agentId())
                .filter(Recipient::namesChannel)
                .filter(target -> channel == null || target.channel().equals(channel));
        if (configured.isPresent() && configured.get().to() == null) {
            String named = configured.get().channel();
            configured = Optional.of(latest(sql, main, named).orElseGet(() -> channelRegistry.defaultRecipient(named)));
        }
        configured = configured.filter(channelRegistry::takes);
        return configured.isPresent() ? configured : usable(sql, main, channel);
    }

    /**
     * The recipient of the latest reply of {@code session}. Where no channel is asked for, one that the settings have no longer
     * is none.
     */
    private Optional<Recipient> usable(SqlTransaction sql, SessionId session, @Nullable String channel)
            throws SQLException {
        Optional<Recipient> latest = latest(sql, session, channel);
        return channel == null ? latest.filter(channelRegistry::takes) : latest;
    }

    private static Optional<Recipient> latest(SqlTransaction sql, SessionId session, @Nullable String channel)
            throws SQLException {
        return sql.first(
                LATEST,
                row -> new Recipient(row.text("channel"), row.textOrNull("recipient")),
                session.value(),
                channel);
    }
}

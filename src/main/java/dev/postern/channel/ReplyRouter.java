package dev.postern.channel;

import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A resolver of what a reply's recipient leaves open: the channel by {@link Recipient#LAST}, and whom on it by null. Asked one after
 * the other are the session's route, its agent's main session's, whatsapp where it has a recipient of its own, and the inbox.
 * A session's route is where the last of its replies went whose channel was named; one that has failed went nowhere. No other
 * session moves it, so that who gets a reply in one place draws nobody else's there.
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
     * @param heartbeats where an agent's heartbeats are to go, whose channel may be left open; empty where nowhere
     */
    ReplyRouter(ChannelRegistry channelRegistry, Function<String, Optional<Recipient>> heartbeats) {
        this.channelRegistry = channelRegistry;
        this.heartbeats = heartbeats;
    }

    /** Where a reply of {@code session} goes that is asked to go to {@code asked}. */
    Recipient resolve(SqlTransaction sql, SessionId session, Recipient asked) throws SQLException {
        if (asked.namesChannel() && (asked.to() != null || asked.channel().equals(Recipient.INBOX))) {
            return asked;
        }
        @Nullable String channel = asked.namesChannel() ? asked.channel() : null;
        Optional<Recipient> known = latest(sql, session, channel);
        if (known.isEmpty()) {
            known = ofMain(sql, SessionId.mainOf(session.agentId()), channel);
        }
        Recipient route =
                known.orElseGet(() -> channel == null ? channelRegistry.fallback() : channelRegistry.byItself(channel));
        return asked.to() == null ? route : new Recipient(route.channel(), asked.to());
    }

    /** The route of a main session: where its agent's heartbeats are configured to go, else where they went by name. */
    private Optional<Recipient> ofMain(SqlTransaction sql, SessionId main, @Nullable String channel)
            throws SQLException {
        Optional<Recipient> configured = heartbeats
                .apply(main.agentId())
                .filter(Recipient::namesChannel)
                .filter(target -> channel == null || target.channel().equals(channel));
        if (configured.isPresent() && configured.get().to() == null) {
            String named = configured.get().channel();
            configured = Optional.of(latest(sql, main, named).orElseGet(() -> channelRegistry.byItself(named)));
        }
        configured = configured.filter(channelRegistry::takes);
        return configured.isPresent() ? configured : latest(sql, main, channel);
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

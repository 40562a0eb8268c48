package dev.postern.console;

import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.SessionQueries.Line;
import dev.postern.acceptance.SessionQueries.Waiting;
import dev.postern.agent.TranscriptQueries;
import dev.postern.dispatch.Dispatcher;
import dev.postern.dispatch.NextHeartbeatForecast;
import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One session: what waits in it, what was said in it, and of a main session its heartbeat.
 *
 * <p>Where the query names no agent, a main session is its own agent's, and any other the default agent's.
 *
 * <p>The session is named by the query and not by the path: a key may be any text, and servers refuse paths with some of
 * what it may hold, encoded or not.
 */
@RequiresUser
public final class SessionResource {

    /** With what was said, so much that a page of ordinary text stays below 100 KB with all that belongs to it. */
    private static final int MOST_EVENTS = 8;

    private static final int LONGEST_EVENT = 2_000;
    private static final TranscriptQueries.Bounds SAID = new TranscriptQueries.Bounds(20, 6_000, 12_000);

    private final SessionQueries book;
    private final TranscriptQueries transcripts;
    private final Dispatcher dispatcher;
    private final NextHeartbeatForecast outlook;

    SessionResource(SessionQueries book, TranscriptQueries transcripts, Dispatcher dispatcher) {
        this.book = book;
        this.transcripts = transcripts;
        this.dispatcher = dispatcher;
        this.outlook = dispatcher.outlook();
    }

    /**
     * What is shown.
     *
     * @param heart null where it is no main session
     * @param last where a reply to the channel {@code last} would go now
     * @param events the first that wait, or those after the ones that were shown
     * @param later the number after which more events wait; null where none do
     */
    record Shown(
            Line session,
            @Nullable Heart heart,
            Recipient last,
            List<Waiting> events,
            @Nullable Long later,
            TranscriptQueries.Part transcript) {}

    /**
     * What a main session has beside others.
     *
     * @param last as that of {@link Shown}
     */
    record Heart(String agent, NextHeartbeatForecast.Outlook heartbeat, Recipient last) {}

    /**
     * The session called {@code key}.
     *
     * @param agent whose it is
     * @param after the number of the event after which the waiting ones are shown; null from the first on
     * @param before the number of the line before which what was said is shown; null to the last
     */
    @GET
    @PageTemplate("session")
    public Shown one(
            @QueryParam("key") @Nullable SessionKey key,
            @QueryParam("agent") @Nullable String agent,
            @QueryParam("after") @Nullable Long after,
            @QueryParam("before") @Nullable Long before)
            throws StoreException {
        if (key == null) {
            throw new ParameterException("key is missing: the session's.");
        }
        SessionId id = SessionId.of(agent == null ? key.mainAgent().orElseGet(outlook::defaultAgent) : agent, key);
        Line found = find(id).orElseThrow(NotFoundException::new);
        ResultPage<Waiting> events =
                ResultPage.of(book.events(id, after == null ? 0 : after, MOST_EVENTS + 1, LONGEST_EVENT), MOST_EVENTS);
        Recipient last = dispatcher.lastTarget(id);
        return new Shown(
                found,
                heart(found, last),
                last,
                events.lines(),
                events.after(Waiting::number),
                transcripts.latest(id, before, SAID));
    }

    /** The main session of an agent that is configured is there before anything was. */
    private Optional<Line> find(SessionId id) throws StoreException {
        return id.isMain() && outlook.agents().contains(id.agentId())
                ? book.mains(List.of(id.agentId())).stream().findFirst()
                : book.find(id);
    }

    private @Nullable Heart heart(Line session, Recipient last) {
        return session.beat() == null
                ? null
                : new Heart(
                        session.agentId(), outlook.of(session.agentId(), session.beat(), session.oldestEvent()), last);
    }
}

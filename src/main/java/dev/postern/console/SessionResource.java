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
 * A resource that shows one session with its waiting events and its transcript, and a main session with its heartbeat.
 *
 * <p>If the query names no agent, a main session belongs to its own agent, and any other to the default agent.
 *
 * <p>The query names the session and not the path: a session key may be any text, and servers reject paths that contain some
 * characters, encoded or not.
 */
@RequiresUser
public final class SessionResource {

    /** A bound that, with the transcript's, keeps a page of ordinary text and its assets below 100 KB. */
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
        this.outlook = dispatcher.heartbeatForecast();
    }

    /**
     * A session.
     *
     * @param heart the heartbeat; null where it is no main session
     * @param last the recipient that a reply to the channel {@code last} would go to now
     * @param events the first events that wait, or those after the ones that were shown
     * @param later the event number after which more events wait; null where none do
     * @param transcript the part of the transcript that is shown
     */
    record Shown(
            Line session,
            @Nullable MainSessionStatus heart,
            Recipient last,
            List<Waiting> events,
            @Nullable Long later,
            TranscriptQueries.TranscriptPage transcript) {}

    /**
     * The additional status of a main session.
     *
     * @param last the same as in {@link Shown}
     */
    record MainSessionStatus(String agent, NextHeartbeatForecast.Outlook heartbeat, Recipient last) {}

    /**
     * The session with the key {@code key}.
     *
     * @param agent the agent that the session belongs to
     * @param after the event number after which waiting events are shown; null to show them from the first on
     * @param before the line number before which the transcript is shown; null to show it to its end
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
            throw new ParameterException("key is missing: it is the session key.");
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

    /** Finds a session. The main session of a configured agent exists even before its first event or run. */
    private Optional<Line> find(SessionId id) throws StoreException {
        return id.isMain() && outlook.agents().contains(id.agentId())
                ? book.mains(List.of(id.agentId())).stream().findFirst()
                : book.find(id);
    }

    private @Nullable MainSessionStatus heart(Line session, Recipient last) {
        return session.beat() == null
                ? null
                : new MainSessionStatus(
                        session.agentId(), outlook.of(session.agentId(), session.beat(), session.oldestEvent()), last);
    }
}

package dev.postern.console;

import dev.postern.acceptance.SessionBook;
import dev.postern.acceptance.SessionBook.Line;
import dev.postern.acceptance.SessionBook.Waiting;
import dev.postern.agent.TranscriptBook;
import dev.postern.dispatch.BeatOutlook;
import dev.postern.dispatch.Dispatcher;
import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.StoreException;
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
final class OneSessionView implements View {

    /** With what was said, so much that a page of ordinary text stays below 100 KB with all that belongs to it. */
    private static final int MOST_EVENTS = 8;

    private static final int LONGEST_EVENT = 2_000;
    private static final TranscriptBook.Bounds SAID = new TranscriptBook.Bounds(20, 6_000, 12_000);

    private final SessionBook book;
    private final TranscriptBook transcripts;
    private final Dispatcher dispatcher;
    private final BeatOutlook outlook;

    OneSessionView(SessionBook book, TranscriptBook transcripts, Dispatcher dispatcher) {
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
            TranscriptBook.Part transcript) {}

    /**
     * What a main session has beside others.
     *
     * @param last as that of {@link Shown}
     */
    record Heart(String agent, BeatOutlook.Outlook heartbeat, Recipient last) {}

    @Override
    public String template() {
        return "session";
    }

    @Override
    public Optional<Shown> show(Question question) throws StoreException, UnfitException {
        @Nullable SessionKey key = question.session("key");
        if (key == null) {
            throw new UnfitException("key is missing: the session's.");
        }
        @Nullable Long after = question.number("after");
        @Nullable Long before = question.number("before");
        @Nullable String agent = question.parameter("agent");
        SessionId id = SessionId.of(agent == null ? key.mainAgent().orElseGet(outlook::defaultAgent) : agent, key);
        Optional<Line> found = find(id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Cut<Waiting> events =
                Cut.of(book.events(id, after == null ? 0 : after, MOST_EVENTS + 1, LONGEST_EVENT), MOST_EVENTS);
        Recipient last = dispatcher.lastTarget(id);
        return Optional.of(new Shown(
                found.get(),
                heart(found.get(), last),
                last,
                events.lines(),
                events.after(Waiting::number),
                transcripts.latest(id, before, SAID)));
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

package dev.postern.console;

import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.SessionQueries.Line;
import dev.postern.dispatch.NextHeartbeatForecast;
import dev.postern.model.SessionId;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A resource that lists sessions, a page at a time: first the main sessions of the configured agents, then the others by
 * their last use.
 */
@RequiresUser
public final class SessionsResource {

    private static final int MOST = 50;

    private final SessionQueries book;
    private final NextHeartbeatForecast outlook;

    SessionsResource(SessionQueries book, NextHeartbeatForecast outlook) {
        this.book = book;
        this.outlook = outlook;
    }

    /**
     * A page of sessions.
     *
     * @param agent the agent to which the page is limited; null for all
     * @param mains the main sessions, on the first page only
     * @param older the place after which the next page begins; null on the last page
     */
    record Shown(@Nullable String agent, List<Main> mains, List<Line> others, SessionQueries.@Nullable Place older) {}

    /** An agent's main session with its next heartbeat. */
    record Main(Line session, NextHeartbeatForecast.Outlook heartbeat) {}

    /**
     * The sessions that follow a place in the list.
     *
     * @param before the last use of the session at that place, in milliseconds since 1970; null for the first page
     * @param key the id of the session at that place
     */
    @GET
    @PageTemplate("sessions")
    public Shown latest(
            @QueryParam("agent") @Nullable String agent,
            @QueryParam("before") @Nullable Long before,
            @QueryParam("key") @Nullable SessionId key)
            throws StoreException {
        SessionQueries.@Nullable Place place =
                before == null ? null : new SessionQueries.Place(before, key == null ? "" : key.value());
        List<String> agents = outlook.agents();
        Set<SessionId> mains = agents.stream().map(SessionId::mainOf).collect(Collectors.toSet());
        ResultPage<Line> page =
                ResultPage.of(book.latest(new SessionQueries.Filter(agent, mains, place), MOST + 1), MOST);
        return new Shown(
                agent, place == null ? mains(agents, agent) : List.of(), page.lines(), page.after(Line::place));
    }

    private List<Main> mains(List<String> agents, @Nullable String only) throws StoreException {
        List<String> asked = agents.stream()
                .filter(agent -> only == null || only.equals(agent))
                .toList();
        return book.mains(asked).stream()
                .map(line -> new Main(
                        line, outlook.of(line.agentId(), Objects.requireNonNull(line.beat()), line.oldestEvent())))
                .toList();
    }
}

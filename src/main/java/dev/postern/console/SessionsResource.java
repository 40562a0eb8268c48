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

/** The sessions: the main ones of the agents that are configured, then the others by their last use, a page at a time. */
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
     * What is shown.
     *
     * @param agent only its sessions; null for all
     * @param mains on the first page alone
     * @param older where the next page begins; null on the last
     */
    record Shown(@Nullable String agent, List<Main> mains, List<Line> others, SessionQueries.@Nullable Place older) {}

    /** The main session of an agent, and when its heart beats. */
    record Main(Line session, NextHeartbeatForecast.Outlook heartbeat) {}

    /**
     * The sessions that follow a place.
     *
     * @param before when a session was used last, milliseconds since 1970, with {@code key} the place; null for the first page
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

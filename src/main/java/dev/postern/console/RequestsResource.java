package dev.postern.console;

import dev.postern.observe.RequestLog;
import dev.postern.observe.RequestLog.Entry;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A resource that lists the latest requests of this node with their responses. */
@RequiresUser
public final class RequestsResource {

    private static final int MOST = 100;

    private final RequestLog log;

    RequestsResource(RequestLog log) {
        this.log = log;
    }

    /**
     * A list of requests.
     *
     * @param hook the hook to which the list is limited; empty for all
     * @param code the HTTP status or error code to which the list is limited; empty for all
     * @param text a text that one of a request's columns contains; empty for all
     */
    record Shown(String hook, String code, String text, List<Entry> requests) {}

    /** The requests of a hook, with a code, and with a text in a column; a missing parameter does not filter. */
    @GET
    @PageTemplate("requests")
    public Shown latest(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("code") @Nullable String code,
            @QueryParam("text") @Nullable String text) {
        Shown asked = new Shown(or(hook), or(code).toLowerCase(Locale.ROOT), or(text), List.of());
        return new Shown(asked.hook(), asked.code(), asked.text(), log.latest(entry -> isAskedFor(entry, asked), MOST));
    }

    private static boolean isAskedFor(Entry entry, Shown asked) {
        return (asked.hook().isEmpty() || entry.hook().equals(asked.hook()))
                && (asked.code().isEmpty()
                        || entry.code().equals(asked.code())
                        || asked.code().equals("" + entry.status()))
                && (asked.text().isEmpty() || holds(entry, asked.text()));
    }

    private static boolean holds(Entry entry, String text) {
        return entry.hook().contains(text)
                || entry.mapping().contains(text)
                || entry.client().contains(text)
                || entry.code().contains(text)
                || entry.detail().contains(text)
                || entry.became().contains(text);
    }

    private static String or(@Nullable String value) {
        return value == null ? "" : value;
    }
}

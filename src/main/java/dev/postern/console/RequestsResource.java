package dev.postern.console;

import dev.postern.model.RequestLogEntry;
import dev.postern.observe.RequestLog;
import dev.postern.requests.RequestQueries;
import dev.postern.requests.RequestQueries.Filter;
import dev.postern.requests.RequestQueries.Found;
import dev.postern.requests.RequestQueries.Page;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A resource that lists requests with their responses, the latest first, a page at a time, and shows each of them. */
@RequiresUser
public final class RequestsResource {

    private static final int MOST = 50;

    private final RequestLog log;
    private final RequestQueries queries;

    RequestsResource(RequestLog log, RequestQueries queries) {
        this.log = log;
        this.queries = queries;
    }

    /**
     * A page of requests.
     *
     * @param hook the hook to which the page is limited; empty for all
     * @param code the HTTP status or code to which the page is limited; empty for all
     * @param text a text that one of a request's columns contains; empty for all
     * @param requests the admitted requests of all nodes
     * @param unadmitted the latest sampled requests to this node that were not admitted; empty on further pages
     * @param older the request before which the next page begins; null on the last page
     */
    record Shown(
            String hook,
            String code,
            String text,
            List<RequestLogEntry> requests,
            List<RequestLogEntry> unadmitted,
            @Nullable String older) {}

    /** The requests of a hook, with a code, and with a text in a column; a missing parameter does not filter. */
    @GET
    @PageTemplate("requests")
    public Shown latest(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("code") @Nullable String code,
            @QueryParam("text") @Nullable String text,
            @QueryParam("before") @Nullable String before)
            throws StoreException {
        @Nullable String lowerCode = code == null ? null : code.toLowerCase(Locale.ROOT);
        Filter filter = new Filter(hook, lowerCode, text, false, null, before);
        Page page = queries.latest(filter, MOST);
        return new Shown(
                or(hook),
                or(lowerCode),
                or(text),
                page.requests(),
                before == null ? log.latest(entry -> matches(entry, filter), MOST) : List.of(),
                page.older());
    }

    /** The admitted request with the id {@code id}. */
    @GET
    @Path("{id}")
    @PageTemplate("request")
    public Found one(@PathParam("id") String id) throws StoreException {
        return queries.find(id).orElseThrow(NotFoundException::new);
    }

    private static boolean matches(RequestLogEntry entry, Filter filter) {
        return (filter.hook() == null || entry.hook().equals(filter.hook()))
                && (filter.code() == null
                        || entry.code().equals(filter.code())
                        || filter.code().equals("" + entry.status()))
                && (filter.text() == null
                        || (entry.hook() + " " + entry.client() + " " + entry.detail())
                                .toLowerCase(Locale.ROOT)
                                .contains(filter.text().toLowerCase(Locale.ROOT)));
    }

    private static String or(@Nullable String value) {
        return value == null ? "" : value;
    }
}

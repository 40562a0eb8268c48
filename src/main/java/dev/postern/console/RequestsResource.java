package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.ingress.ExplanationJson;
import dev.postern.model.RequestLogEntry;
import dev.postern.observe.RequestLog;
import dev.postern.requests.KeptPayload;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.PayloadQueries.PayloadResult;
import dev.postern.requests.RequestQueries;
import dev.postern.requests.RequestQueries.Filter;
import dev.postern.requests.RequestQueries.Found;
import dev.postern.requests.RequestQueries.Page;
import dev.postern.requests.RequestReplay;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A resource that lists requests with their responses, the latest first, a page at a time, and shows each of them. */
@RequiresUser
public final class RequestsResource {

    private static final int MOST = 50;

    private final RequestLog log;
    private final RequestQueries queries;
    private final PayloadQueries payloadQueries;
    private final RequestReplay requestReplay;
    private final AuditedActions auditedActions;
    private final InstantSource clock;

    RequestsResource(Console.Services services, AuditedActions auditedActions) {
        this.log = services.requests();
        this.queries = services.requestQueries();
        this.payloadQueries = services.payloadQueries();
        this.requestReplay = services.requestReplay();
        this.auditedActions = auditedActions;
        this.clock = services.store().clock();
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

    /**
     * The payload of a request.
     *
     * @param body the body as text; bytes that are not UTF-8 are replaced
     * @param problem why the payload can't be shown; null if it is
     */
    record Payload(
            String requestId,
            String hook,
            Map<String, String> headers,
            Map<String, String> query,
            String body,
            @Nullable String problem) {}

    /** The payload of the request with the id {@code id}, if it is kept. */
    @GET
    @Path("{id}/payload")
    @ForOperators
    @PageTemplate("payload")
    public Payload payload(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        PayloadResult result = payloadQueries.find(id);
        if (result instanceof PayloadResult.NotKept) {
            throw new NotFoundException();
        }
        auditedActions.recordLook("requests/payload", id, request);
        if (result instanceof PayloadResult.Undecipherable other) {
            return new Payload(id, "", Map.of(), Map.of(), "", other.sentence());
        }
        KeptPayload kept = ((PayloadResult.Found) result).payload();
        return new Payload(
                id,
                kept.hook(),
                new TreeMap<>(kept.headers()),
                new TreeMap<>(kept.query()),
                new String(kept.body(), StandardCharsets.UTF_8),
                null);
    }

    /**
     * The failed requests that can be replayed together.
     *
     * @param since the earliest arrival; a day ago unless it is given
     * @param until the end of the time of arrival; now unless it is given
     */
    record FailedRequests(String hook, Instant since, Instant until, List<FailedRequest> requests) {}

    /**
     * A failed request with what a replay would lead to.
     *
     * @param status the status that a replay's response would have
     * @param mapping the id of the mapping that would take it; empty if none does
     * @param error why the replay would fail; empty if it would not
     */
    record FailedRequest(RequestLogEntry request, int status, String mapping, String error) {}

    /** The failed requests whose payloads are kept and of which no replay was accepted. */
    @GET
    @Path("failed")
    @ForOperators
    @PageTemplate("failed")
    public FailedRequests failed(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("since") @Nullable Instant since,
            @QueryParam("until") @Nullable Instant until)
            throws StoreException {
        Instant end =
                until == null ? clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1) : until;
        Instant start = since == null ? end.minus(Duration.ofDays(1)) : since;
        List<FailedRequest> failed = requestReplay.failed(hook, start, end).stream()
                .map(each -> {
                    JsonNode told = ExplanationJson.of(each.explanation());
                    return new FailedRequest(
                            each.request(),
                            told.path("status").asInt(),
                            told.path("mapping").asText(),
                            told.path("error").asText());
                })
                .toList();
        return new FailedRequests(or(hook), start, end, failed);
    }

    /** Replays the failed requests of a hook, or of all, at most {@link RequestReplay#AT_ONCE} of them. */
    @POST
    @Path("replay")
    public Performed replayFailed(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("since") @Nullable Instant since,
            @QueryParam("until") @Nullable Instant until,
            @Context HttpServletRequest request)
            throws StoreException {
        if (since == null || until == null) {
            throw new ParameterException("since and until are required: the time of the requests' arrival.");
        }
        return auditedActions.perform(
                "requests/replay",
                hook == null ? "all hooks" : hook,
                "requests/failed",
                name -> requestReplay.replayFailed(hook, since, until),
                request);
    }

    /**
     * Replays a request as a form asks.
     *
     * @param attempt the form's own number, so that a form that is sent twice replays the request once
     */
    @POST
    @Path("{id}/replay")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed replay(
            @PathParam("id") String id,
            @FormParam("attempt") @Nullable String attempt,
            @Context HttpServletRequest request)
            throws StoreException {
        return replayed(id, attempt, request);
    }

    /** Replays a request as a program asks. Its JSON object may have an {@code attempt} too. */
    @POST
    @Path("{id}/replay")
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed replay(
            @PathParam("id") String id, @Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        @Nullable JsonNode attempt = json == null ? null : json.get("attempt");
        return replayed(id, attempt == null ? null : attempt.asText(), request);
    }

    private Performed replayed(String id, @Nullable String attempt, HttpServletRequest request) throws StoreException {
        if (attempt != null && !attempt.matches("[0-9]{1,20}")) {
            throw new ParameterException("attempt must be 1 to 20 digits.");
        }
        String own = attempt == null ? UUID.randomUUID().toString() : attempt;
        return auditedActions.perform(
                "requests/replay", id, "requests/" + id, each -> requestReplay.replay(each, own), request);
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

package dev.postern.console;

import dev.postern.acceptance.RunQueries;
import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.SessionQueries.EventTimes;
import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.model.IdGenerator;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RunId;
import dev.postern.observe.RequestLog;
import dev.postern.requests.KeptPayload;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.PayloadQueries.PayloadResult;
import dev.postern.requests.RequestQueries;
import dev.postern.requests.RequestQueries.Filter;
import dev.postern.requests.RequestQueries.Found;
import dev.postern.requests.RequestQueries.Page;
import dev.postern.requests.RequestReplay;
import dev.postern.requests.ResponseKind;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A resource that lists requests with their responses, the latest first, a page at a time, and shows each of them. */
@RequiresUser
public final class RequestsResource {

    private static final int MOST = 50;

    /** The most runs and events whose steps a request's time line has, and the most deliveries of each run. */
    private static final int MOST_STEPS = 20;

    private static final long NANOS_PER_MICRO = 1_000;

    private final RequestLog log;
    private final RequestQueries queries;
    private final PayloadQueries payloadQueries;
    private final RequestReplay requestReplay;
    private final RunQueries runQueries;
    private final SessionQueries sessionQueries;
    private final DeliveryQueries deliveryQueries;
    private final AuditedActions auditedActions;
    private final FailedRequestsResource failed;
    private final RequestSelectionResource selection;
    private final RepeatableActResource replay;

    RequestsResource(
            Console.Services services,
            RunQueries runQueries,
            SessionQueries sessionQueries,
            DeliveryQueries deliveryQueries,
            AuditedActions auditedActions) {
        this.log = services.requests();
        this.queries = services.requestQueries();
        this.payloadQueries = services.payloadQueries();
        this.requestReplay = services.requestReplay();
        this.runQueries = runQueries;
        this.sessionQueries = sessionQueries;
        this.deliveryQueries = deliveryQueries;
        this.auditedActions = auditedActions;
        this.failed = new FailedRequestsResource(requestReplay, services.store().clock());
        this.selection = new RequestSelectionResource(auditedActions, requestReplay);
        this.replay = new RepeatableActResource(
                auditedActions, "requests/replay", id -> "requests/" + id, requestReplay::replay);
    }

    /**
     * A page of requests.
     *
     * @param outcomes all outcomes that a request can have
     * @param hook the hook to which the page is limited; empty for all
     * @param mapping the id of the mapping to which the page is limited; null for all
     * @param sender the id of the sender to which the page is limited; null for all
     * @param code the HTTP status or code to which the page is limited; empty for all
     * @param text a text that one of a request's columns contains; empty for all
     * @param outcome the outcome to which the page is limited; null for all
     * @param id the id of the one request that is wanted; null for all
     * @param since the earliest arrival; null for any
     * @param until the end of the time of arrival; null for any
     * @param requests the admitted requests of all nodes
     * @param payloadsKept the ids of those that can be replayed, since their payloads are kept
     * @param unadmitted the latest sampled requests to this node that were not admitted; empty on further pages
     * @param older the request before which the next page begins; null on the last page
     */
    record Shown(
            List<ResponseKind> outcomes,
            String hook,
            @Nullable String mapping,
            @Nullable String sender,
            String code,
            String text,
            @Nullable ResponseKind outcome,
            @Nullable String id,
            @Nullable Instant since,
            @Nullable Instant until,
            List<RequestLogEntry> requests,
            List<String> payloadsKept,
            List<RequestLogEntry> unadmitted,
            @Nullable String older) {}

    /** The requests that match all parameters; a missing parameter does not filter. */
    @GET
    @PageTemplate("requests")
    public Shown latest(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("mapping") @Nullable String mapping,
            @QueryParam("sender") @Nullable String sender,
            @QueryParam("code") @Nullable String code,
            @QueryParam("text") @Nullable String text,
            @QueryParam("outcome") @Nullable ResponseKind outcome,
            @QueryParam("id") @Nullable String id,
            @QueryParam("since") @Nullable Instant since,
            @QueryParam("until") @Nullable Instant until,
            @QueryParam("before") @Nullable String before)
            throws StoreException {
        @Nullable String lowerCode = code == null ? null : code.toLowerCase(Locale.ROOT);
        Filter filter = new Filter(
                hook,
                mapping,
                sender,
                lowerCode,
                text,
                outcome,
                id,
                since,
                until,
                ParameterConverterProvider.idBefore("req", before));
        Page page = queries.latest(filter, MOST);
        return new Shown(
                /* outcomes= */ List.of(ResponseKind.values()),
                /* hook= */ or(hook),
                mapping,
                sender,
                /* code= */ or(lowerCode),
                /* text= */ or(text),
                outcome,
                id,
                since,
                until,
                page.requests(),
                page.payloadsKept(),
                /* unadmitted= */ before == null ? log.latest(entry -> matches(entry, filter), MOST) : List.of(),
                page.older());
    }

    /**
     * A request with what became of it.
     *
     * @param node the name of the cluster node that took it
     * @param payloadKept whether its payload is kept
     * @param replayOf the id of the request that this one replays; null if it came from a sender
     * @param replays the ids of its latest replays, the latest first
     * @param reason why its response is an error; null if it is none
     * @param runs its runs, as far as they are kept, at most {@link #MOST_STEPS}
     * @param deliveries its deliveries without an agent, as far as they are kept, at most {@link #MOST_STEPS}
     * @param steps its time line, from its first byte to the last delivery
     */
    record OneRequest(
            RequestLogEntry request,
            String node,
            boolean payloadKept,
            @Nullable String replayOf,
            List<String> replays,
            @Nullable RefusalReason reason,
            List<RunQueries.Line> runs,
            List<DeliveryQueries.Line> deliveries,
            List<Timeline.Step> steps) {}

    /** The admitted request with the id {@code id}. */
    @GET
    @Path("{id}")
    @PageTemplate("request")
    public OneRequest one(@PathParam("id") String requestId) throws StoreException {
        Found found = queries.find(requestId).orElseThrow(NotFoundException::new);
        RequestLogEntry request = found.request();
        List<String> became =
                request.became().stream().distinct().limit(MOST_STEPS).toList();
        Timeline timeline = new Timeline();
        timeline.add("first byte received", request.at());
        timeline.add(
                (request.mapping().isEmpty() ? "" : "mapped by " + request.mapping() + ", ") + "answered "
                        + request.status() + " " + request.code(),
                request.at().plusNanos(request.micros() * NANOS_PER_MICRO));
        List<RunQueries.Line> runs =
                runQueries.lines(became.stream().map(RunId::new).toList());
        for (RunQueries.Line run : runs) {
            String name = runs.size() == 1 ? "run" : "run " + (runs.indexOf(run) + 1);
            timeline.addRun(name, run);
            timeline.addDeliveries(deliveryQueries.ofRun(run.id(), MOST_STEPS));
        }
        List<DeliveryQueries.Line> deliveries = new ArrayList<>();
        for (String id : became) {
            if (id.startsWith(IdGenerator.DELIVERY)) {
                deliveryQueries.find(id).ifPresent(deliveries::add);
            }
        }
        timeline.addDeliveries(deliveries);
        for (String event : became) {
            Optional<EventTimes> times = sessionQueries.event(event);
            if (times.isPresent()) {
                timeline.add("event queued", times.get().createdAt());
                String end = times.get().discarded() ? "event discarded by an operator" : "event taken by a heartbeat";
                timeline.add(end, times.get().endedAt());
            }
        }
        return new OneRequest(
                request,
                found.node(),
                found.payloadKept(),
                found.replayOf(),
                found.replays(),
                RefusalReason.of(request).orElse(null),
                runs,
                deliveries,
                timeline.steps());
    }

    /**
     * The payload of a request.
     *
     * @param body the body as text; bytes that are not UTF-8 are replaced
     * @param problem why the payload can't be shown; null if it is
     * @param trialProblem why the payload can't be tried in the console; null if it can
     */
    record Payload(
            String requestId,
            String hook,
            Map<String, String> headers,
            Map<String, String> query,
            String body,
            @Nullable String problem,
            @Nullable String trialProblem) {}

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
            return new Payload(id, "", Map.of(), Map.of(), "", other.sentence(), null);
        }
        KeptPayload kept = ((PayloadResult.Found) result).payload();
        String body = new String(kept.body(), StandardCharsets.UTF_8);
        return new Payload(
                id,
                kept.hook(),
                new TreeMap<>(kept.headers()),
                new TreeMap<>(kept.query()),
                body,
                null,
                TryResource.problem(body));
    }

    /** The resource of the failed requests. */
    @Path("failed")
    public FailedRequestsResource failed() {
        return failed;
    }

    /** The resource of chosen requests. */
    @Path("selection")
    public RequestSelectionResource selection() {
        return selection;
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

    /** The resource of replays of one request. */
    @Path("{id}/replay")
    public RepeatableActResource replay() {
        return replay;
    }

    private static boolean matches(RequestLogEntry entry, Filter filter) {
        return filter.mapping() == null
                && filter.sender() == null
                && filter.id() == null
                && (filter.outcome() == null || filter.outcome() == ResponseKind.REFUSED)
                && (filter.since() == null || !entry.at().isBefore(filter.since()))
                && (filter.until() == null || entry.at().isBefore(filter.until()))
                && (filter.hook() == null || entry.hook().equals(filter.hook()))
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

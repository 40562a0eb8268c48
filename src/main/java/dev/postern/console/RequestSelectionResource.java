package dev.postern.console;

import dev.postern.console.FailedRequestsResource.Forecast;
import dev.postern.ingress.Explanation;
import dev.postern.model.RequestLogEntry;
import dev.postern.requests.RequestReplay;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that shows what a replay of chosen requests would lead to, and replays them, the earliest first. */
@RequiresUser
public final class RequestSelectionResource extends SelectionActResource {

    private final RequestReplay requestReplay;

    RequestSelectionResource(AuditedActions auditedActions, RequestReplay requestReplay) {
        super(
                auditedActions,
                new Selection("requests/replay", RequestReplay.AT_ONCE, "requests", true),
                requestReplay::replay);
        this.requestReplay = requestReplay;
    }

    /**
     * The chosen requests that would be replayed together.
     *
     * @param requests in the order in which they would be replayed: the earliest first
     * @param replayable the number of those that can be replayed
     */
    record Preview(List<SelectedRequest> requests, long replayable) {}

    /**
     * A chosen request with what a replay would lead to.
     *
     * @param request null if there is no such request
     * @param now null if it can't be replayed
     * @param problem why it can't be replayed; empty if it can
     */
    record SelectedRequest(
            String requestId, @Nullable RequestLogEntry request, @Nullable Forecast now, String problem) {}

    /** The preview of a replay of the requests with the ids {@code id}, at most {@link RequestReplay#AT_ONCE}. */
    @GET
    @ForOperators
    @PageTemplate("selection")
    public Preview preview(@QueryParam("id") @Nullable List<@Nullable String> id) throws StoreException {
        List<SelectedRequest> requests = new ArrayList<>();
        for (RequestReplay.Preview each : requestReplay.preview(SelectedIds.of("id", id, RequestReplay.AT_ONCE))) {
            @Nullable Explanation explanation = each.explanation();
            requests.add(new SelectedRequest(
                    each.requestId(),
                    each.request(),
                    explanation == null ? null : Forecast.of(explanation),
                    each.problem()));
        }
        return new Preview(
                requests, requests.stream().filter(each -> each.now() != null).count());
    }
}

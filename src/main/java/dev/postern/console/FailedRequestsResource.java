package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.ExplanationJson;
import dev.postern.model.RequestLogEntry;
import dev.postern.requests.RequestReplay;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A resource that lists failed requests with what a replay of each would lead to. */
@RequiresUser
public final class FailedRequestsResource {

    private final RequestReplay requestReplay;
    private final InstantSource clock;

    FailedRequestsResource(RequestReplay requestReplay, InstantSource clock) {
        this.requestReplay = requestReplay;
        this.clock = clock;
    }

    /**
     * The failed requests that can be replayed together, the earliest first.
     *
     * @param since the earliest arrival; a day ago unless it is given
     * @param until the end of the time of arrival; now unless it is given
     * @param unreadable the number of further requests whose payloads can't be read
     * @param problem why they can't; null where there are none
     * @param nextSince the {@code since} of the next list; null where this one has all
     */
    record FailedRequests(
            String hook,
            Instant since,
            Instant until,
            List<FailedRequest> requests,
            int unreadable,
            @Nullable String problem,
            @Nullable Instant nextSince) {}

    /**
     * What a replay of a request would lead to.
     *
     * @param status the status that a replay's response would have
     * @param mapping the id of the mapping that would take it; empty if none does
     * @param error why the replay would fail; empty if it would not
     * @param actions the number of actions that it would lead to; none if it would fail
     */
    record Forecast(int status, String mapping, String error, int actions) {

        static Forecast of(Explanation explanation) {
            JsonNode told = ExplanationJson.of(explanation);
            int status = told.path("status").asInt();
            boolean fails = status >= 400;
            return new Forecast(
                    status,
                    told.path("mapping").asText(),
                    fails ? error(told) : "",
                    fails ? 0 : told.path("actions").size());
        }

        /** The error of the mapping; else the first one of policy, which decides on each action. */
        private static String error(JsonNode told) {
            return Stream.concat(Stream.of(told), told.path("policy").valueStream())
                    .map(each -> each.path("error").asText())
                    .filter(error -> !error.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }

    /** A failed request with what a replay would lead to. */
    record FailedRequest(RequestLogEntry request, @JsonUnwrapped Forecast now) {}

    /** The failed requests whose payloads are kept and of which no replay was accepted. */
    @GET
    @ForOperators
    @PageTemplate("failed")
    public FailedRequests list(
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("since") @Nullable Instant since,
            @QueryParam("until") @Nullable Instant until)
            throws StoreException {
        Instant end =
                until == null ? clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1) : until;
        Instant start = since == null ? end.minus(Duration.ofDays(1)) : since;
        RequestReplay.FailedPage page = requestReplay.failed(hook, start, end);
        List<FailedRequest> failed = page.requests().stream()
                .map(each -> new FailedRequest(each.request(), Forecast.of(each.explanation())))
                .toList();
        return new FailedRequests(
                hook == null ? "" : hook,
                start,
                end,
                failed,
                page.unreadable(),
                page.problem().isEmpty() ? null : page.problem(),
                page.nextSince());
    }
}

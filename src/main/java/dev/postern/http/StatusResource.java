package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.observe.ErrorIds;
import dev.postern.observe.HealthCheck;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.Readiness;
import dev.postern.observe.StartFailureReport;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JAX-RS resource of the addresses for monitoring: liveness, readiness and metrics. */
@Path("")
@Singleton
public final class StatusResource implements ExceptionMapper<Throwable> {

    private static final System.Logger LOG = System.getLogger(StatusResource.class.getName());

    private final ErrorIds ids = new ErrorIds();
    private final HealthChecks full;
    private final HealthChecks outline;
    private final @Nullable MetricsText metricsText;

    /**
     * @param full the health checks for local requests
     * @param outline the health checks for all other requests
     * @param metricsText the metrics; null if there are none
     */
    private StatusResource(HealthChecks full, HealthChecks outline, @Nullable MetricsText metricsText) {
        this.full = full;
        this.outline = outline;
        this.metricsText = metricsText;
    }

    /** The status of a running Postern. Everyone may read it, except for the metrics. */
    public static StatusResource of(HealthChecks health, MetricsText metricsText) {
        return new StatusResource(health, health, metricsText);
    }

    /**
     * The status of a Postern that has not started: all of {@code report} for local requests, its outline for others.
     */
    public static StatusResource of(StartFailureReport report) {
        return new StatusResource(
                HealthChecks.notStarted(report.problems()), HealthChecks.notStarted(List.of(report.outline())), null);
    }

    private record Live(String status) {}

    private record Ready(String status, List<Part> parts) {

        static Ready of(Readiness ready) {
            return new Ready(
                    ready.ready() ? "up" : "down",
                    ready.findings().stream().map(Part::of).toList());
        }
    }

    private record Part(String part, String status, String why) {

        static Part of(Readiness.Finding finding) {
            HealthCheck check = finding.check();
            if (check instanceof HealthCheck.Down down) {
                return new Part(finding.part(), "down", down.reason());
            }
            return check instanceof HealthCheck.Impaired impaired
                    ? new Part(finding.part(), "impaired", impaired.reason())
                    : new Part(finding.part(), "up", ((HealthCheck.Up) check).how());
        }
    }

    /** Returns whether this Postern is alive: 200, or 503 if it must be restarted. */
    @GET
    @Path("health/live")
    public Response live(@Context HttpServletRequest request) {
        boolean live = health(request).live();
        return json(live, new Live(live ? "up" : "down"));
    }

    /** Returns whether this Postern can take requests, and the state of each part: 200, or 503. */
    @GET
    @Path("health/ready")
    public Response ready(@Context HttpServletRequest request) {
        Readiness ready = health(request).ready();
        return json(ready.ready(), Ready.of(ready));
    }

    /**
     * Returns the metrics in Prometheus' text format, to those whom the setting {@code metrics} allows to read them.
     */
    @GET
    @Path("metrics")
    public Response metrics(@Context HttpServletRequest request) {
        return metricsText == null ? FixedErrorResponse.NOT_FOUND.response() : metricsText.response(request);
    }

    private HealthChecks health(HttpServletRequest request) {
        return full == outline || LocalRequestRule.covers(request) ? full : outline;
    }

    private static Response json(boolean isUp, Object body) {
        return Response.status(isUp ? 200 : 503)
                .entity(body)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    @Override
    public Response toResponse(Throwable failure) {
        if (failure instanceof WebApplicationException web && web.getResponse().getStatus() < 500) {
            return FixedErrorResponse.NOT_FOUND.response();
        }
        return ErrorBody.internal(ids.log(LOG, "Health or metrics request failed", failure))
                .response(500);
    }

    /** A filter for read-only addresses: it answers 405 to every method but GET and HEAD. */
    @PreMatching
    public static final class ReadOnlyFilter implements ContainerRequestFilter, ContainerResponseFilter {

        @Override
        public void filter(ContainerRequestContext request) {
            String method = request.getMethod();
            if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
                request.abortWith(FixedErrorResponse.ONLY_GET_OR_HEAD.response());
            }
        }

        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            PageSender.SECURITY_HEADERS.forEach(
                    (name, value) -> response.getHeaders().putSingle(name, value));
        }
    }
}

package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.config.ConfigurationResult;
import dev.postern.console.BacktestRunner.BacktestResult;
import dev.postern.console.BacktestRunner.Busy;
import dev.postern.console.BacktestRunner.Compared;
import dev.postern.console.BacktestRunner.Unusable;
import dev.postern.model.DurationText;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource that puts kept payloads through a changed configuration, shows what would change, and performs no action. */
@RequiresUser
public final class BacktestResource {

    private static final String DEFAULT_SINCE = "24h";
    private static final int LONGEST_TEXT = 262_144;
    private static final int LONGEST_NAME = 200;
    private static final int UNPROCESSABLE = 422;

    private final BacktestRunner runner;
    private final ConfigurationChecker checker;
    private final AuditedActions auditedActions;
    private final InstantSource clock;

    BacktestResource(
            BacktestRunner runner, ConfigurationChecker checker, AuditedActions auditedActions, InstantSource clock) {
        this.runner = runner;
        this.checker = checker;
        this.auditedActions = auditedActions;
        this.clock = clock;
    }

    /**
     * The form of a backtest and its result.
     *
     * @param since the age of the earliest request, or the time of its arrival
     * @param mapping the id of the mapping that takes a request on either side; null for all
     * @param configuration the content of the changed main file; null to compare with the request log
     * @param problems why the backtest could not be run; empty if it was
     * @param result the result; null where nothing was run
     */
    record Shown(
            String since,
            @Nullable String mapping,
            @Nullable String configuration,
            List<String> problems,
            @Nullable Compared result) {}

    /** The form. */
    @GET
    @ForOperators
    @PageTemplate("backtest")
    public Shown form() {
        return new Shown(DEFAULT_SINCE, null, null, List.of(), null);
    }

    /** Runs the backtest of a form. */
    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @PageTemplate("backtest")
    public Response sent(MultivaluedMap<String, String> form, @Context HttpServletRequest request)
            throws StoreException {
        return run(form.getFirst("since"), form.getFirst("mapping"), form.getFirst("configuration"), request);
    }

    /** Runs the backtest of a JSON object with the same members. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response sent(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        Map<String, JsonNode> members = json == null ? Map.of() : json;
        return run(text(members, "since"), text(members, "mapping"), text(members, "configuration"), request);
    }

    private static @Nullable String text(Map<String, JsonNode> members, String name) {
        @Nullable JsonNode value = members.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw new ParameterException(name + " is not a string.");
        }
        return value.textValue();
    }

    private Response run(
            @Nullable String since,
            @Nullable String mapping,
            @Nullable String configuration,
            HttpServletRequest request)
            throws StoreException {
        @Nullable String start = ParameterConverterProvider.text("since", since, LONGEST_NAME);
        @Nullable String id = ParameterConverterProvider.text("mapping", mapping, LONGEST_NAME);
        @Nullable String text = ParameterConverterProvider.text("configuration", configuration, LONGEST_TEXT);
        String told = start == null ? DEFAULT_SINCE : start.strip();
        Instant earliest = instant(told);
        @Nullable ConfigurationResult changed = text == null ? null : checker.with(text);
        auditedActions.recordLook("requests/backtest", id == null ? "" : id, request);
        BacktestResult result = runner.run(earliest, id, changed);
        if (result instanceof Busy) {
            return new ConsoleError(
                            409, "conflict", "Not possible now", "Another backtest is running. Try again in a moment.")
                    .response()
                    .build();
        }
        List<String> problems = result instanceof Unusable unusable ? unusable.problems() : List.of();
        return Response.status(problems.isEmpty() ? Response.Status.OK.getStatusCode() : UNPROCESSABLE)
                .entity(new Shown(told, id, text, problems, result instanceof Compared compared ? compared : null))
                .build();
    }

    private Instant instant(String since) {
        try {
            Optional<Duration> age = DurationText.read(since);
            return age.isPresent() ? clock.instant().minus(age.get()) : Instant.parse(since);
        } catch (DateTimeException | ArithmeticException e) {
            throw new ParameterException(
                    "since is neither a duration such as 24h or 7d, nor a time such as 2026-01-31T14:05:00Z.");
        }
    }
}

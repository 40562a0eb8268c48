package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunFilter;
import dev.postern.acceptance.RunQueries;
import dev.postern.approval.ApprovalQueries;
import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.dispatch.OperatorCommands;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
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
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A resource that lists runs, the latest first, a page at a time, and shows each of them. */
@RequiresUser
public final class RunsResource {

    private static final int MOST = 50;

    /** The most runs that one action is performed on. */
    private static final int AT_ONCE = 200;

    /** The most deliveries shown for a run, whose reply goes to one recipient or to a few. */
    private static final int MOST_DELIVERIES = 20;

    /** The most approvals shown for a run. */
    private static final int MOST_APPROVALS = 200;

    private final RunQueries book;
    private final DeliveryQueries deliveries;
    private final ApprovalQueries approvals;
    private final Intake intake;
    private final OperatorCommands operatorCommands;
    private final AuditedActions auditedActions;

    RunsResource(
            RunQueries book,
            DeliveryQueries deliveries,
            ApprovalQueries approvals,
            Intake intake,
            OperatorCommands operatorCommands,
            AuditedActions auditedActions) {
        this.book = book;
        this.deliveries = deliveries;
        this.approvals = approvals;
        this.intake = intake;
        this.operatorCommands = operatorCommands;
        this.auditedActions = auditedActions;
    }

    /**
     * A page of runs.
     *
     * @param statuses all states that a run can be in
     * @param status the states to which the page is limited, with commas between them; null for all
     * @param endedAfter the time after which the runs of the page have ended; null for all
     * @param hook the hook to which the page is limited; null for all
     * @param agent the agent to which the page is limited; null for all
     * @param session the session to which the page is limited; null for all
     * @param model the model to which the page is limited; null for all
     * @param sender the id of the sender to which the page is limited; null for all
     * @param error a text that the error of each run contains; null for all
     * @param since the earliest acceptance; null for any
     * @param until the end of the time of acceptance; null for any
     * @param orders all orders that the page can have
     * @param sort the order of the page
     * @param older the run after which the next page begins; null on the last page
     */
    record Runs(
            List<RunState> statuses,
            @Nullable String status,
            @Nullable Instant endedAfter,
            @Nullable String hook,
            @Nullable String agent,
            @Nullable String session,
            @Nullable String model,
            @Nullable String sender,
            @Nullable String error,
            @Nullable Instant since,
            @Nullable Instant until,
            List<RunFilter.Order> orders,
            RunFilter.Order sort,
            List<RunQueries.Line> runs,
            @Nullable RunId older) {}

    /** A run with its request, all requests that became it, its tool calls that need approval, and its steps. */
    record OneRun(
            RunView run,
            RunQueries.Asked asked,
            List<RunQueries.Item> items,
            List<ApprovalQueries.Line> approvals,
            List<Timeline.Step> steps) {}

    /** The runs that match all parameters; a missing parameter does not filter. */
    @GET
    @PageTemplate("runs")
    public Runs latest(
            @QueryParam("status") @Nullable String status,
            @QueryParam("endedAfter") @Nullable Instant endedAfter,
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("agent") @Nullable String agent,
            @QueryParam("session") @Nullable SessionKey session,
            @QueryParam("model") @Nullable String model,
            @QueryParam("sender") @Nullable String sender,
            @QueryParam("error") @Nullable String error,
            @QueryParam("since") @Nullable Instant since,
            @QueryParam("until") @Nullable Instant until,
            @QueryParam("sort") RunFilter.@Nullable Order sort,
            @QueryParam("before") @Nullable String before)
            throws StoreException {
        RunFilter filter = new RunFilter(
                states(status),
                endedAfter,
                hook,
                agent,
                session == null ? null : session.value(),
                model,
                sender,
                error,
                since,
                until,
                sort == null ? RunFilter.Order.NEWEST : sort,
                before == null ? null : new RunId(before));
        RunQueries.Page page = book.search(filter, MOST);
        return new Runs(
                List.of(RunState.values()),
                status,
                endedAfter,
                filter.hook(),
                filter.agent(),
                filter.session(),
                model,
                sender,
                error,
                since,
                until,
                List.of(RunFilter.Order.values()),
                filter.order(),
                page.runs(),
                page.next());
    }

    private static Set<RunState> states(@Nullable String status) {
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        if (status != null) {
            for (String each : status.split(",", -1)) {
                states.add(ParameterConverterProvider.choice("status", each, RunState.values(), RunState::wire));
            }
        }
        return states;
    }

    /** The run with the id {@code id}. */
    @GET
    @Path("{id}")
    @PageTemplate("run")
    public OneRun one(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        RunId run = new RunId(id);
        RunQueries.Entry entry = book.find(run).orElseThrow(NotFoundException::new);
        return new OneRun(
                entry.run(),
                entry.asked(),
                entry.items(),
                ApprovalsResource.shownTo(request, approvals.ofRun(run, MOST_APPROVALS)),
                steps(entry.run(), deliveries.ofRun(run, MOST_DELIVERIES)));
    }

    /**
     * Accepts a run that has ended again, as a new run.
     *
     * @param attempt the form's own number, so that a form that is sent twice repeats the run once
     */
    @POST
    @Path("{id}/again")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed again(
            @PathParam("id") String id,
            @FormParam("attempt") @Nullable String attempt,
            @Context HttpServletRequest request)
            throws StoreException {
        return rerun(id, attempt, request);
    }

    /** Accepts a run again as a program asks. Its JSON object may have an {@code attempt} too. */
    @POST
    @Path("{id}/again")
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed again(
            @PathParam("id") String id, @Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return rerun(id, SelectedIds.attempt(json), request);
    }

    private Performed rerun(String id, @Nullable String attempt, HttpServletRequest request) throws StoreException {
        String own = SelectedIds.attempt(attempt);
        return auditedActions.perform("runs/again", id, "runs", run -> intake.rerun(new RunId(run), own), request);
    }

    /** Cancels a run that has not ended. */
    @POST
    @Path("{id}/cancel")
    public Performed cancel(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform(
                "runs/cancel", id, "runs", run -> operatorCommands.cancel(new RunId(run)), request);
    }

    /**
     * Accepts chosen runs that have ended again, as a form asks.
     *
     * @param attempt the form's own number, so that a form that is sent twice repeats each run once
     */
    @POST
    @Path("again")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed againEach(
            @FormParam("id") @Nullable List<@Nullable String> id,
            @FormParam("attempt") @Nullable String attempt,
            @Context HttpServletRequest request)
            throws StoreException {
        return againOf(SelectedIds.of("id", id, AT_ONCE), attempt, request);
    }

    /** Accepts chosen runs again, as a program asks: its JSON object has their {@code ids}, and may have an {@code attempt}. */
    @POST
    @Path("again")
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed againEach(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return againOf(SelectedIds.of(json, AT_ONCE), SelectedIds.attempt(json), request);
    }

    private Performed againOf(List<String> ids, @Nullable String attempt, HttpServletRequest request)
            throws StoreException {
        String own = SelectedIds.attempt(attempt);
        return auditedActions.performEach(
                "runs/again", ids, "runs", false, run -> intake.rerun(new RunId(run), own), request);
    }

    /** Cancels chosen runs that have not ended, as a form asks. */
    @POST
    @Path("cancel")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed cancelEach(
            @FormParam("id") @Nullable List<@Nullable String> id, @Context HttpServletRequest request)
            throws StoreException {
        return cancelOf(SelectedIds.of("id", id, AT_ONCE), request);
    }

    /** Cancels chosen runs, as a program asks: its JSON object has their {@code ids}. */
    @POST
    @Path("cancel")
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed cancelEach(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return cancelOf(SelectedIds.of(json, AT_ONCE), request);
    }

    private Performed cancelOf(List<String> ids, HttpServletRequest request) throws StoreException {
        return auditedActions.performEach(
                "runs/cancel", ids, "runs", false, run -> operatorCommands.cancel(new RunId(run)), request);
    }

    private static List<Timeline.Step> steps(RunView run, List<DeliveryQueries.Line> sent) {
        Timeline timeline = new Timeline();
        timeline.add("accepted", run.acceptedAt());
        timeline.add(run.attempts() > 1 ? "started, attempt " + run.attempts() : "started", run.startedAt());
        timeline.add("collecting until", run.collectingUntil());
        timeline.add("next try", run.retryAt());
        timeline.add(run.state().wire(), run.finishedAt());
        timeline.addDeliveries(sent);
        return timeline.steps();
    }
}

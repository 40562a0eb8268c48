package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunFilter;
import dev.postern.acceptance.RunQueries;
import dev.postern.approval.ApprovalQueries;
import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.console.RepeatableActResource.RepeatableAct;
import dev.postern.console.SelectionActResource.Selection;
import dev.postern.dispatch.OperatorCommands;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
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
    private final OperatorCommands operatorCommands;
    private final AuditedActions auditedActions;
    private final RepeatableActResource again;
    private final SelectionActResource againEach;
    private final SelectionActResource cancelEach;

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
        this.operatorCommands = operatorCommands;
        this.auditedActions = auditedActions;
        RepeatableAct rerun = (id, attempt) -> intake.rerun(new RunId(id), attempt);
        this.again = new RepeatableActResource(auditedActions, "runs/again", id -> "runs", rerun);
        this.againEach =
                new SelectionActResource(auditedActions, new Selection("runs/again", AT_ONCE, "runs", false), rerun);
        this.cancelEach = new SelectionActResource(
                auditedActions, new Selection("runs/cancel", AT_ONCE, "runs", false), (id, attempt) -> cancelled(id));
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
        @Nullable String place = ParameterConverterProvider.idBefore("run", before);
        RunFilter filter = new RunFilter(
                /* states= */ states(status),
                endedAfter,
                hook,
                agent,
                /* session= */ session == null ? null : session.value(),
                model,
                sender,
                error,
                since,
                until,
                /* order= */ sort == null ? RunFilter.Order.NEWEST : sort,
                /* after= */ place == null ? null : new RunId(place));
        RunQueries.Page page = book.search(filter, MOST);
        return new Runs(
                /* statuses= */ List.of(RunState.values()),
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
                /* orders= */ List.of(RunFilter.Order.values()),
                /* sort= */ filter.order(),
                page.runs(),
                /* older= */ page.next());
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

    /** The resource that accepts a run that has ended again, as a new run. */
    @Path("{id}/again")
    public RepeatableActResource again() {
        return again;
    }

    /** Cancels a run that has not ended. */
    @POST
    @Path("{id}/cancel")
    public Performed cancel(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform("runs/cancel", id, "runs", this::cancelled, request);
    }

    private OperatorResult cancelled(String id) throws StoreException {
        return operatorCommands.cancel(new RunId(id));
    }

    /** The resource that accepts chosen runs that have ended again. */
    @Path("again")
    public SelectionActResource againEach() {
        return againEach;
    }

    /** The resource that cancels chosen runs that have not ended. */
    @Path("cancel")
    public SelectionActResource cancelEach() {
        return cancelEach;
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

package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunQueries;
import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.dispatch.OperatorCommands;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A resource that lists runs, the latest first, a page at a time, and shows each of them. */
@RequiresUser
public final class RunsResource {

    private static final int MOST = 50;

    /** The most deliveries shown for a run, whose reply goes to one recipient or to a few. */
    private static final int MOST_DELIVERIES = 20;

    private final RunQueries book;
    private final DeliveryQueries deliveries;
    private final Intake intake;
    private final OperatorCommands operatorCommands;
    private final AuditedActions auditedActions;

    RunsResource(
            RunQueries book,
            DeliveryQueries deliveries,
            Intake intake,
            OperatorCommands operatorCommands,
            AuditedActions auditedActions) {
        this.book = book;
        this.deliveries = deliveries;
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
     * @param older the run after which the next page begins; null on the last page
     */
    record Runs(
            List<RunState> statuses,
            @Nullable String status,
            @Nullable Instant endedAfter,
            @Nullable String hook,
            @Nullable String agent,
            @Nullable String session,
            List<RunQueries.Line> runs,
            @Nullable RunId older) {}

    /** A run with its request, its state, its reply and its deliveries. */
    record OneRun(RunView run, RunQueries.Asked asked, List<Step> steps) {}

    /**
     * A step in the life of a run, past or planned.
     *
     * @param what the step, in a few words
     * @param after the time since the step before; null for the first
     */
    record Step(String what, Instant at, @Nullable Duration after) {}

    /** The runs of some states, a hook, an agent and a session; a missing parameter does not filter. */
    @GET
    @PageTemplate("runs")
    public Runs latest(
            @QueryParam("status") @Nullable String status,
            @QueryParam("endedAfter") @Nullable Instant endedAfter,
            @QueryParam("hook") @Nullable String hook,
            @QueryParam("agent") @Nullable String agent,
            @QueryParam("session") @Nullable SessionKey session,
            @QueryParam("before") @Nullable String before)
            throws StoreException {
        RunQueries.Filter filter = new RunQueries.Filter(
                states(status),
                endedAfter,
                hook,
                agent,
                session == null ? null : session.value(),
                before == null ? null : new RunId(before));
        ResultPage<RunQueries.Line> page = ResultPage.of(book.latest(filter, MOST + 1), MOST);
        return new Runs(
                List.of(RunState.values()),
                status,
                endedAfter,
                filter.hook(),
                filter.agent(),
                filter.session(),
                page.lines(),
                page.after(RunQueries.Line::id));
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
    public OneRun one(@PathParam("id") String id) throws StoreException {
        RunId run = new RunId(id);
        RunQueries.Entry entry = book.find(run).orElseThrow(NotFoundException::new);
        return new OneRun(entry.run(), entry.asked(), steps(entry.run(), deliveries.ofRun(run, MOST_DELIVERIES)));
    }

    /** Accepts a run that has ended again, as a new run. */
    @POST
    @Path("{id}/again")
    public Performed again(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform("runs/again", id, "runs", run -> intake.rerun(new RunId(run)), request);
    }

    /** Cancels a run that has not ended. */
    @POST
    @Path("{id}/cancel")
    public Performed cancel(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return auditedActions.perform(
                "runs/cancel", id, "runs", run -> operatorCommands.cancel(new RunId(run)), request);
    }

    private static List<Step> steps(RunView run, List<DeliveryQueries.Line> sent) {
        List<TimelineEntry> all = new ArrayList<>();
        add(all, "accepted", run.acceptedAt());
        add(all, "started", run.startedAt());
        add(all, run.state().wire(), run.finishedAt());
        for (DeliveryQueries.Line each : sent) {
            add(all, "delivery (" + each.channel() + ") " + each.state().wire(), each.finishedAt());
            add(all, "next attempt of the delivery (" + each.channel() + ")", each.nextAt());
        }
        List<Step> steps = new ArrayList<>();
        @Nullable Instant before = null;
        for (TimelineEntry each :
                all.stream().sorted(Comparator.comparing(TimelineEntry::at)).toList()) {
            steps.add(new Step(each.what(), each.at(), before == null ? null : Duration.between(before, each.at())));
            before = each.at();
        }
        return steps;
    }

    private record TimelineEntry(String what, Instant at) {}

    private static void add(List<TimelineEntry> all, String what, @Nullable Instant at) {
        if (at != null) {
            all.add(new TimelineEntry(what, at));
        }
    }
}

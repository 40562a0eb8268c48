package dev.postern.console;

import dev.postern.approval.ApprovalQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.dispatch.OperatorCommands;
import dev.postern.model.ApprovalDecision;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource that lists the tool calls that need an operator's approval, the latest first, a page at a time. Only operators
 * see the arguments of a call, which come from a sender's payload.
 */
@RequiresUser
public final class ApprovalsResource {

    private static final int MOST = 50;

    private final ApprovalQueries book;
    private final OperatorCommands operatorCommands;
    private final AuditedActions auditedActions;

    ApprovalsResource(ApprovalQueries book, OperatorCommands operatorCommands, AuditedActions auditedActions) {
        this.book = book;
        this.operatorCommands = operatorCommands;
        this.auditedActions = auditedActions;
    }

    /**
     * A page of approvals.
     *
     * @param undecided whether the page has only those that wait for a decision
     * @param older the id after which the next page begins; null on the last page
     */
    record Shown(boolean undecided, List<ApprovalQueries.Line> approvals, @Nullable String older) {}

    /** The approvals that follow {@code before}; those that are decided too unless {@code undecided} is true. */
    @GET
    @PageTemplate("approvals")
    public Shown latest(
            @QueryParam("undecided") @Nullable Boolean undecided,
            @QueryParam("before") @Nullable String before,
            @Context HttpServletRequest request)
            throws StoreException {
        boolean only = Boolean.TRUE.equals(undecided);
        @Nullable String place = ParameterConverterProvider.idBefore("apr", before);
        ResultPage<ApprovalQueries.Line> page = ResultPage.of(book.latest(only, place, MOST + 1), MOST);
        return new Shown(only, shownTo(request, page.lines()), page.after(ApprovalQueries.Line::id));
    }

    /** The lines that the user of {@code request} may see of {@code lines}. */
    static List<ApprovalQueries.Line> shownTo(HttpServletRequest request, List<ApprovalQueries.Line> lines) {
        return ConsoleUser.of(request).isOperator()
                ? lines
                : lines.stream().map(ApprovalQueries.Line::withoutArguments).toList();
    }

    /** Approves a call, so that its turn makes it. */
    @POST
    @Path("{id}/approve")
    public Performed approve(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return decide("approvals/approve", id, ApprovalDecision.APPROVED, request);
    }

    /** Refuses a call, so that its turn goes on without it. */
    @POST
    @Path("{id}/refuse")
    public Performed refuse(@PathParam("id") String id, @Context HttpServletRequest request) throws StoreException {
        return decide("approvals/refuse", id, ApprovalDecision.REFUSED, request);
    }

    private Performed decide(String name, String id, ApprovalDecision decision, HttpServletRequest request)
            throws StoreException {
        String operator = ConsoleUser.of(request).name();
        return auditedActions.perform(
                name, id, "approvals", call -> operatorCommands.decide(call, decision, operator), request);
    }
}

package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.model.OperatorResult;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A resource that performs an act on the subject whose id the path has, as a form or a program asks. */
@RequiresUser
public final class RepeatableActResource {

    private final AuditedActions auditedActions;
    private final String name;
    private final UnaryOperator<String> see;
    private final RepeatableAct act;

    /**
     * @param name the action's name in the audit log, such as {@code runs/again}
     * @param see the path below the console that shows the outcome, for an id
     */
    RepeatableActResource(AuditedActions auditedActions, String name, UnaryOperator<String> see, RepeatableAct act) {
        this.auditedActions = auditedActions;
        this.name = name;
        this.see = see;
        this.act = act;
    }

    /** An act that can be performed on a subject again and again, once an attempt. */
    interface RepeatableAct {

        /**
         * Performs the action.
         *
         * @param id the subject's id
         * @param attempt a name of the attempt; the action happens once for it, however often it is asked for
         */
        OperatorResult on(String id, String attempt) throws StoreException;
    }

    /**
     * Performs the action as a form asks.
     *
     * @param attempt the form's own number, so that a form that is sent twice performs it once
     */
    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed byForm(
            @PathParam("id") String id,
            @FormParam("attempt") @Nullable String attempt,
            @Context HttpServletRequest request)
            throws StoreException {
        String own = SelectedIds.attempt(attempt);
        return auditedActions.perform(name, id, see.apply(id), each -> act.on(each, own), request);
    }

    /** Performs the action as a program asks. Its JSON object may have an {@code attempt} too. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed byProgram(
            @PathParam("id") String id, @Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return byForm(id, SelectedIds.attempt(json), request);
    }
}

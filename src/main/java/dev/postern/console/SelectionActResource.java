package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.console.RepeatableActResource.RepeatableAct;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A resource that performs an act on each subject that a user chose on a list, as a form or a program asks. */
@RequiresUser
public class SelectionActResource {

    private final AuditedActions auditedActions;
    private final Selection selection;
    private final RepeatableAct act;

    SelectionActResource(AuditedActions auditedActions, Selection selection, RepeatableAct act) {
        this.auditedActions = auditedActions;
        this.selection = selection;
        this.act = act;
    }

    /**
     * What is chosen from a list, and for what.
     *
     * @param name the action's name in the audit log, such as {@code runs/cancel}
     * @param most the most ids that may be chosen
     * @param list the list's path below the console
     * @param isShown whether an operator is led to the list; else he returns to the page from which he acted
     */
    record Selection(String name, int most, String list, boolean isShown) {}

    /**
     * Performs the action on each chosen subject, as a form asks.
     *
     * @param attempt the form's own number, so that a form that is sent twice performs it once on each
     */
    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed byForm(
            @FormParam("id") @Nullable List<@Nullable String> id,
            @FormParam("attempt") @Nullable String attempt,
            @Context HttpServletRequest request)
            throws StoreException {
        return perform(SelectedIds.of("id", id, selection.most()), attempt, request);
    }

    /**
     * Performs the action on each chosen subject, as a program asks: its JSON object has their {@code ids}, and may have an
     * {@code attempt}.
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed byProgram(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return perform(SelectedIds.of(json, selection.most()), SelectedIds.attempt(json), request);
    }

    private Performed perform(List<String> ids, @Nullable String attempt, HttpServletRequest request)
            throws StoreException {
        String own = SelectedIds.attempt(attempt);
        return auditedActions.performEach(
                selection.name(), ids, selection.list(), selection.isShown(), id -> act.on(id, own), request);
    }
}

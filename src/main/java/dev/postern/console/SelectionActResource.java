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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A resource that performs an act on each subject that a user chose on a list, as a form or a program asks. */
@RequiresUser
public class SelectionActResource {

    /** The filter in a list's address, as a browser writes it. */
    private static final Pattern FILTER = Pattern.compile("\\?[!-~]{0,1900}");

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
     * @param from the list's address with the filter by which the subjects were chosen; null if that is not known
     */
    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Performed byForm(
            @FormParam("id") @Nullable List<@Nullable String> id,
            @FormParam("attempt") @Nullable String attempt,
            @FormParam("from") @Nullable String from,
            @Context HttpServletRequest request)
            throws StoreException {
        return perform(SelectedIds.of("id", id, selection.most()), attempt, list(from), request);
    }

    /**
     * Performs the action on each chosen subject, as a program asks: its JSON object has their {@code ids}, and may have an
     * {@code attempt}.
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Performed byProgram(@Nullable Map<String, JsonNode> json, @Context HttpServletRequest request)
            throws StoreException {
        return perform(SelectedIds.of(json, selection.most()), SelectedIds.attempt(json), selection.list(), request);
    }

    /** The list's address with the filter of {@code from}, if it is one. */
    private String list(@Nullable String from) {
        if (from == null || !from.startsWith(selection.list())) {
            return selection.list();
        }
        String filter = from.substring(selection.list().length());
        return FILTER.matcher(filter).matches() ? from : selection.list();
    }

    private Performed perform(List<String> ids, @Nullable String attempt, String list, HttpServletRequest request)
            throws StoreException {
        String own = SelectedIds.attempt(attempt);
        return auditedActions.performEach(
                selection.name(), ids, list, selection.isShown(), id -> act.on(id, own), request);
    }
}

package dev.postern.console;

import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The operators' actions, each of which is recorded in the audit log with its user and its outcome. */
final class AuditedActions {

    private static final int LONGEST_ID = 200;

    private final AuditLog audit;

    AuditedActions(AuditLog audit) {
        this.audit = audit;
    }

    /** An action on one run, delivery, agent or client. */
    interface Act {

        /**
         * Performs the action.
         *
         * @param id the subject's id, as the path has it
         */
        OperatorResult on(String id) throws StoreException;
    }

    /**
     * A result of an action that was performed, or could not be.
     *
     * @param see the path below the console that shows the subject
     * @param isShown whether an operator is led there; else he returns to the page from which he acted
     */
    record Performed(OperatorResult result, String see, boolean isShown) {}

    /**
     * Records that a user looks at something that few may see, before it is shown.
     *
     * @param name the look's name in the audit log, such as {@code requests/payload}
     */
    void recordLook(String name, String id, HttpServletRequest request) throws StoreException {
        String entry = audit.begin(ConsoleUser.of(request).name(), request.getRemoteAddr(), name, id);
        audit.end(entry, "shown");
    }

    /**
     * Performs {@code act} on the subject with the id {@code id}.
     *
     * @param name the action's name in the audit log, such as {@code runs/cancel}
     * @param see the path below the console that shows the outcome of an action that is about no run
     */
    Performed perform(String name, String id, String see, Act act, HttpServletRequest request) throws StoreException {
        if (id.length() > LONGEST_ID) {
            return new Performed(new OperatorResult.NotFound(), see, false);
        }
        String entry = audit.begin(ConsoleUser.of(request).name(), request.getRemoteAddr(), name, id);
        OperatorResult result = act.on(id);
        audit.end(entry, result.sentence());
        @Nullable RunId run = result instanceof OperatorResult.Done done ? done.run() : null;
        return run == null ? new Performed(result, see, false) : new Performed(result, "runs/" + run.value(), true);
    }
}

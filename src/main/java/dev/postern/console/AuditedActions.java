package dev.postern.console;

import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The way that everything goes which an operator has done: it is noted who had it done, and what came of it. */
final class AuditedActions {

    private static final int LONGEST_ID = 200;

    private final AuditLog audit;

    AuditedActions(AuditLog audit) {
        this.audit = audit;
    }

    /** Something that is done to one thing. */
    interface Act {

        /**
         * Does it.
         *
         * @param id of the thing, as the path has it
         */
        OperatorResult on(String id) throws StoreException;
    }

    /**
     * Something that was done, or could not be.
     *
     * @param see the path below the console that shows it
     */
    record Performed(OperatorResult result, String see) {}

    /**
     * Does {@code act} to the thing called {@code id}.
     *
     * @param name what the audit log calls it, such as {@code runs/cancel}
     * @param see the path below the console that shows what was done, where it is about no run
     */
    Performed perform(String name, String id, String see, Act act, HttpServletRequest request) throws StoreException {
        if (id.length() > LONGEST_ID) {
            return new Performed(new OperatorResult.NotFound(), see);
        }
        String entry = audit.begin(ConsoleUser.of(request).name(), request.getRemoteAddr(), name, id);
        OperatorResult result = act.on(id);
        audit.end(entry, result.sentence());
        @Nullable RunId run = result instanceof OperatorResult.Done done ? done.run() : null;
        return new Performed(result, run == null ? see : "runs/" + run.value());
    }
}

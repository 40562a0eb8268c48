package dev.postern.console;

import dev.postern.access.ClientAddress;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The operators' actions, each of which is recorded in the audit log with its user and its outcome. */
final class AuditedActions {

    private static final int LONGEST_ID = 200;

    /** The most different results that are told of one selection. */
    private static final int MOST_SENTENCES = 5;

    /** What follows the first sentence of a result, which tells of this subject alone. */
    private static final Pattern FURTHER = Pattern.compile("\\. .*", Pattern.DOTALL);

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
        String entry = audit.begin(ConsoleUser.of(request).name(), ClientAddress.of(request), name, id);
        audit.end(entry, "shown");
    }

    /**
     * Performs {@code act} on each subject, one after the other, until one can't be done now. Each is an entry of the audit log.
     *
     * @param ids the ids of the subjects; one that is given twice counts once
     * @param see the path below the console that shows the outcome
     * @param isShown whether an operator is led there; else he returns to the page from which he acted
     */
    Performed performEach(
            String name, List<String> ids, String see, boolean isShown, Act act, HttpServletRequest request)
            throws StoreException {
        Map<String, Integer> counts = new LinkedHashMap<>();
        int done = 0;
        for (String id : new LinkedHashSet<>(ids)) {
            OperatorResult result = perform(name, id, see, act, request).result();
            counts.merge(FURTHER.matcher(result.sentence()).replaceFirst("."), 1, Integer::sum);
            if (result instanceof OperatorResult.Unavailable) {
                return new Performed(new OperatorResult.Unavailable(told(counts)), see, isShown);
            }
            done += result instanceof OperatorResult.Done ? 1 : 0;
        }
        String told = told(counts);
        OperatorResult all = done == 0 ? new OperatorResult.Conflict(told) : new OperatorResult.Done(told);
        return new Performed(all, see, isShown);
    }

    private static String told(Map<String, Integer> counts) {
        String all = counts.entrySet().stream()
                .limit(MOST_SENTENCES)
                .map(each -> each.getValue() + " × " + each.getKey())
                .collect(Collectors.joining(" "));
        return counts.size() > MOST_SENTENCES ? all + " The audit log has the others." : all;
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
        String entry = audit.begin(ConsoleUser.of(request).name(), ClientAddress.of(request), name, id);
        OperatorResult result = act.on(id);
        audit.end(entry, result.sentence());
        @Nullable RunId run = result instanceof OperatorResult.Done done ? done.run() : null;
        return run == null ? new Performed(result, see, false) : new Performed(result, "runs/" + run.value(), true);
    }
}

package dev.postern.console;

import dev.postern.console.Act.Outcome;
import dev.postern.store.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operators may have done, by its place below {@code /console/}: {@code runs/run_1/cancel}. Each is audited. */
final class Acts {

    private static final int LONGEST = 200;

    private final Map<String, Act> byName;
    private final AuditLog audit;

    /**
     * @param byName the acts by the kind of thing and the verb, such as {@code runs/cancel}
     */
    Acts(Map<String, Act> byName, AuditLog audit) {
        this.byName = Map.copyOf(byName);
        this.audit = audit;
    }

    /**
     * An act that was found.
     *
     * @param name such as {@code runs/cancel}
     * @param id of what it is to be done to
     */
    record Found(String name, Act act, String id) {}

    /** The act at {@code place}; null where there is none. */
    @Nullable
    Found at(String place) {
        int first = place.indexOf('/');
        int last = place.lastIndexOf('/');
        if (first < 0 || last - first < 2 || last - first > LONGEST) {
            return null;
        }
        String name = place.substring(0, first) + place.substring(last);
        @Nullable Act act = byName.get(name);
        return act == null ? null : new Found(name, act, place.substring(first + 1, last));
    }

    /** Does what was found, and notes who had it done. */
    Outcome perform(Found found, Visitor by, String client) throws StoreException {
        String entry = audit.begin(by.name(), client, found.name(), found.id());
        Outcome outcome = found.act().on(found.id());
        audit.end(entry, words(outcome));
        return outcome;
    }

    private static String words(Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            return done.sentence();
        }
        if (outcome instanceof Outcome.Later later) {
            return later.sentence();
        }
        return outcome instanceof Outcome.Refused refused ? refused.sentence() : "There is no such thing.";
    }
}

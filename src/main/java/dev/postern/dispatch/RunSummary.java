package dev.postern.dispatch;

import dev.postern.model.Excerpt;
import dev.postern.model.RunId;
import dev.postern.model.RunState;

/**
 * The summary line that a finished run leaves in its agent's main session: {@code Hook <name>: <summary>}. It has the
 * state after the name unless the run succeeded. A name that begins with {@code Hook} gets no second one. It ends with the run's id, and the attempt if there was more than one.
 */
final class RunSummary {

    private static final String HOOK = "Hook";
    private static final int MAX_NAME = 100;
    private static final int MAX_SAID = 500;

    private RunSummary() {}

    /**
     * @param name the hook's name
     * @param said the reply, or the reason why there is none
     */
    static String of(String name, RunId run, int attempts, RunState state, String said) {
        String status = state == RunState.SUCCEEDED ? "" : " (" + state.wire() + ")";
        String again = attempts > 1 ? ", attempt " + attempts + " after an interruption" : "";
        String line = Excerpt.of(oneLine(said), MAX_SAID);
        String cut = Excerpt.of(oneLine(name), MAX_NAME);
        String named = cut.equals(HOOK) || cut.startsWith(HOOK + " ") ? cut : HOOK + " " + cut;
        return named + status + ": " + (line.isEmpty() ? "(no reply)" : line) + " [" + run + again + "]";
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }
}

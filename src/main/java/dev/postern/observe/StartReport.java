package dev.postern.observe;

import java.util.List;

/**
 * A report that says why a Postern has not started: in full to its operator, and in outline to everybody else, since the full
 * words name files of the machine.
 *
 * @param problems one or more, a sentence each, without secrets: what has to be mended, or what is waited for
 * @param outline the same in one sentence without its full stop, which names no file, no setting and no address
 */
public record StartReport(List<String> problems, String outline) {

    public StartReport {
        problems = List.copyOf(problems);
    }

    /** Says of settings that can't work what is wrong with them. */
    public static StartReport ofSettings(List<String> problems) {
        return new StartReport(problems, "its settings can't work");
    }

    /**
     * A sentence that says what is waited for, the one problem.
     *
     * @param inFull false for everybody but its operator
     */
    public String waiting(boolean inFull) {
        return "Postern has not started yet, and will by itself: " + (inFull ? problems.get(0) : outline)
                + ". Nothing was accepted.";
    }

    /**
     * A sentence that names the first of the problems; {@code /health/ready} has them all.
     *
     * @param inFull false for everybody but its operator
     */
    public String failure(boolean inFull) {
        if (!inFull) {
            return "Postern could not start here: " + outline + ". Its log says what to mend.";
        }
        String which = problems.size() == 1 ? "" : " (the first of " + problems.size() + ", see /health/ready)";
        return "Postern could not start here. What to mend before it is deployed again" + which + ": "
                + problems.get(0);
    }

    /** Says one thing to everybody. */
    public static StartReport of(String sentence) {
        return new StartReport(List.of(sentence), sentence);
    }
}

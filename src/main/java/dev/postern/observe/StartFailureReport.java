package dev.postern.observe;

import java.util.List;

/**
 * A report on why Postern has not started: in full for its operator, in outline for everyone else, because the full text
 * names files of the machine.
 *
 * @param problems one or more, a sentence each, without secrets: what to fix, or what Postern waits for
 * @param outline a summary in one sentence without its full stop, which names no file, no setting and no address
 */
public record StartFailureReport(List<String> problems, String outline) {

    public StartFailureReport {
        problems = List.copyOf(problems);
    }

    /** A report of problems with the settings. */
    public static StartFailureReport ofSettings(List<String> problems) {
        return new StartFailureReport(problems, "its settings can't work");
    }

    /**
     * A sentence about the one problem that Postern waits for.
     *
     * @param inFull false for everyone but the operator
     */
    public String waiting(boolean inFull) {
        return "Postern has not started yet, and will by itself: " + (inFull ? problems.get(0) : outline)
                + ". Nothing was accepted.";
    }

    /**
     * A sentence that names the first of the problems; {@code /health/ready} lists all.
     *
     * @param inFull false for everyone but the operator
     */
    public String failure(boolean inFull) {
        if (!inFull) {
            return "Postern could not start here: " + outline + ". Its log says what to mend.";
        }
        String which = problems.size() == 1 ? "" : " (the first of " + problems.size() + ", see /health/ready)";
        return "Postern could not start here. What to mend before it is deployed again" + which + ": "
                + problems.get(0);
    }

    /** A report with the same sentence for everyone. */
    public static StartFailureReport of(String sentence) {
        return new StartFailureReport(List.of(sentence), sentence);
    }
}

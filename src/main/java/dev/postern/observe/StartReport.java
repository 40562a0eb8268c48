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

    /** Says one thing to everybody. */
    public static StartReport of(String sentence) {
        return new StartReport(List.of(sentence), sentence);
    }
}

package dev.postern.mapping.script;

/**
 * Ends a script. An error, not an exception, so that no script can catch it; what a {@code finally} does about it ends at the
 * next look at the meter.
 */
public final class ScriptTerminated extends Error {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    ScriptTerminated(Reason reason) {
        super(reason.sentence);
        this.reason = reason;
    }

    /** Which budget was used up. */
    public Reason reason() {
        return reason;
    }

    /** The budgets. */
    public enum Reason {
        CPU("ran past its CPU time"),
        WALL("ran past its time"),
        MEMORY("used more memory than it may"),
        RECURSION("called itself too deeply"),
        CLOSING("was ended, for Postern is stopping");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }

        /** What happened, to stand after the module's name. */
        public String sentence() {
            return sentence;
        }
    }
}

package dev.postern.mapping.script;

/**
 * An error that ends a script. It is an {@code Error}, so that no script can catch it. A {@code finally} that discards it
 * ends at the next check of the meter.
 */
public final class ScriptTerminated extends Error {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    ScriptTerminated(Reason reason) {
        super(reason.sentence);
        this.reason = reason;
    }

    /** The reason why the script was ended. */
    public Reason reason() {
        return reason;
    }

    /** A reason to end a script: the budget that was used up, or a stop. */
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

        /** The reason in words, to follow the module's name. */
        public String sentence() {
            return sentence;
        }
    }
}

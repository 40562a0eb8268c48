package dev.postern.console;

import dev.postern.console.Entrance.Attempt;

/**
 * Why somebody is not let in.
 *
 * @param code a word for a program
 * @param sentence for a person
 */
record Denial(int status, String code, String sentence) {

    /** What to answer to an attempt that did not work. */
    static Denial of(Attempt attempt) {
        if (attempt instanceof Attempt.Later later) {
            return new Denial(
                    429,
                    "throttled",
                    "Too many have failed. Try again in " + later.seconds()
                            + (later.seconds() == 1 ? " second." : " seconds."));
        }
        return attempt instanceof Attempt.NoRole
                ? new Denial(403, "forbidden", "This user has neither role: postern-viewer, postern-operator.")
                : new Denial(401, "unauthorized", "The name or the password is wrong.");
    }
}

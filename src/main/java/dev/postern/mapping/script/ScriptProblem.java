package dev.postern.mapping.script;

/**
 * A problem of a transform that shows before it has run.
 *
 * @param file relative to the transforms root
 * @param line from 1, in the file as written; 0 if the problem is the whole file
 * @param column from 1; 0 if the problem is the whole file
 * @param sentence the problem and what to do about it
 */
public record ScriptProblem(String file, int line, int column, String sentence) {

    /** The text {@code file:line:column: sentence}, without the parts that are unknown. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + sentence : file + ":" + line + ":" + column + ": " + sentence;
    }
}

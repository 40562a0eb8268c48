package dev.postern.mapping.script;

/**
 * What is wrong with a transform before it has run.
 *
 * @param file relative to the transforms root
 * @param line from 1, in the file as written; 0 where the problem is the file as a whole
 * @param column from 1, as {@code line}
 * @param sentence what is wrong and what to do about it
 */
public record ScriptProblem(String file, int line, int column, String sentence) {

    /** {@code file:line:column: sentence}, without what is not known. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + sentence : file + ":" + line + ":" + column + ": " + sentence;
    }
}

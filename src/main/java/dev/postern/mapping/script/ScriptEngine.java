package dev.postern.mapping.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the classes that touch Rhino do for the rest. Its methods are called on threads that {@link ScriptMeter} can count. */
public interface ScriptEngine {

    /** Uses once what transforms commonly use, so that the first of them does not pay for the loading of classes. */
    void rehearse();

    /** Makes a file's code runnable; a problem where Rhino does not take it. */
    Compiled compile(String file, Translated translated);

    /** Runs the program's top level and looks for its function: what is wrong with it, or nothing. */
    List<ScriptProblem> load(Program program, @Nullable String export, ScriptBudget budget);

    /** Runs a program's top level, calls its function with {@code input}, and waits for a promise's jobs. */
    Ran run(
            Program program,
            @Nullable String export,
            ObjectNode input,
            ScriptBudget budget,
            long nowMillis,
            Consumer<String> console);

    /**
     * Turns a module as written into what Rhino understands. To make one loads the TypeScript compiler: a second or two, and
     * some 50 MB for as long as it is held.
     */
    interface Translator {

        /** Never fails: what does not parse comes back as problems. */
        Translated translate(String file, String source);
    }

    /**
     * A module for Rhino.
     *
     * @param code CommonJS in ES5
     * @param imports as written, each once
     * @param problems where it could not be translated
     */
    record Translated(String code, SourceLineMap lines, List<Import> imports, List<ScriptProblem> problems) {}

    /**
     * An import that is left in the code.
     *
     * @param line as written, from 1
     * @param column as written, from 1
     */
    record Import(String specifier, int line, int column) {}

    /** Runnable code, or what is wrong; one of the two. */
    record Compiled(@Nullable Object script, @Nullable ScriptProblem problem) {}

    /**
     * One file of a program.
     *
     * @param script as {@link ScriptEngine#compile} made it; shared by all runs
     * @param imports the file for each specifier
     */
    record Unit(String file, Object script, SourceLineMap lines, Map<String, String> imports) {}

    /**
     * A module and all it imports.
     *
     * @param entry the module's file
     * @param units by file
     */
    record Program(String entry, Map<String, Unit> units) {}

    /**
     * A run's end.
     *
     * @param killed whether it was ended for using too much
     */
    record Ran(ScriptResult result, boolean killed) {}
}

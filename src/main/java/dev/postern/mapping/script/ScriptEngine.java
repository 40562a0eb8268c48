package dev.postern.mapping.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine for scripts: the interface to the classes that touch Rhino. Its methods are called on threads that
 * {@link ScriptMeter} can count.
 */
public interface ScriptEngine {

    /** Uses once the features that transforms commonly use, so that the first transform does not pay for class loading. */
    void rehearse();

    /** Compiles a file's code; gives a problem if Rhino rejects it. */
    Compiled compile(String file, Translated translated);

    /** Runs the program's top level and looks for its function. Returns the problems; empty if there are none. */
    List<ScriptProblem> load(Program program, @Nullable String export, ScriptBudget budget);

    /** Runs a program's top level, calls its function with {@code input}, and waits for a promise's jobs. */
    CallResult run(
            Program program,
            @Nullable String export,
            ObjectNode input,
            ScriptBudget budget,
            long nowMillis,
            Consumer<String> console);

    /**
     * A translator of modules as written into code that Rhino understands. Making one loads the TypeScript compiler. That
     * takes a second or two, and some 50 MB for as long as it is held.
     */
    interface Translator {

        /** Translates a module. It never fails: a module that does not parse comes back with problems. */
        Translated translate(String file, String source);
    }

    /**
     * A module that is translated for Rhino.
     *
     * @param code CommonJS in ES5
     * @param imports as written, each once
     * @param problems why it could not be translated; empty if it could
     */
    record Translated(String code, SourceLineMap lines, List<Import> imports, List<ScriptProblem> problems) {}

    /**
     * An import that is left in the code.
     *
     * @param line as written, from 1
     * @param column as written, from 1
     */
    record Import(String specifier, int line, int column) {}

    /** A result of compiling: runnable code, or a problem; never both. */
    record Compiled(@Nullable Object script, @Nullable ScriptProblem problem) {}

    /**
     * A file of a program.
     *
     * @param script as {@link ScriptEngine#compile} made it; shared by all calls
     * @param imports the file for each specifier
     */
    record ProgramFile(String file, Object script, SourceLineMap lines, Map<String, String> imports) {}

    /**
     * A program: a module and all that it imports.
     *
     * @param entry the module's file
     * @param units by file
     */
    record Program(String entry, Map<String, ProgramFile> units) {}

    /**
     * A result of one script call.
     *
     * @param killed whether it was ended for using too much
     */
    record CallResult(ScriptResult result, boolean killed) {}
}

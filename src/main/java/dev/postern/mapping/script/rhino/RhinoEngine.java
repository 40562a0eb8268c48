package dev.postern.mapping.script.rhino;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.script.ScriptBudget;
import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptMeter;
import dev.postern.mapping.script.ScriptProblem;
import dev.postern.mapping.script.ScriptResult;
import dev.postern.mapping.script.ScriptTerminated;
import dev.postern.mapping.script.SourceLineMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;

/** The script engine that runs Rhino in a sandbox. It is made by reflection, because it has its own class loader. */
public final class RhinoEngine implements ScriptEngine {

    private static final long NO_MOMENT = 0;

    private final SandboxContextFactory sandbox = new SandboxContextFactory();

    /** Makes the engine, once for all programs. */
    public RhinoEngine() {}

    @Override
    public void rehearse() {
        String file = "rehearsal.js";
        Translated code = new Translated(BundledScript.read(file), SourceLineMap.same(), List.of(), List.of());
        Compiled compiled = compile(file, code);
        Object script = Objects.requireNonNull(compiled.script(), () -> "the rehearsal: " + compiled.problem());
        Program program = new Program(file, Map.of(file, new ProgramFile(file, script, code.lines(), Map.of())));
        List<ScriptProblem> problems = load(program, null, ScriptBudget.TRANSLATION);
        if (!problems.isEmpty()) {
            throw new IllegalStateException("the rehearsal: " + problems.get(0));
        }
    }

    @Override
    public Compiled compile(String file, Translated translated) {
        ScriptMeter meter = ScriptMeter.start(ScriptBudget.TRANSLATION, NO_MOMENT);
        try {
            return compileOrPlace(file, translated);
        } catch (RuntimeException | ScriptTerminated | VirtualMachineError e) {
            // Rhino wraps an error in a script's regular expression.
            if (meter.killed() != null && meter.killed().reason() == ScriptTerminated.Reason.CLOSING) {
                throw meter.killed();
            }
            return new Compiled(null, new ScriptProblem(file, 0, 0, "it is too much, or nested too deeply; split it"));
        } finally {
            meter.stop();
        }
    }

    private Compiled compileOrPlace(String file, Translated translated) {
        // The wrapper begins on the first line, so that line numbers stay the same.
        String code = "(function (exports, require, module) {" + translated.code() + "\n})";
        try {
            Object script =
                    sandbox.compiling(false, () -> Context.getCurrentContext().compileString(code, file, 1, null));
            return new Compiled(script, null);
        } catch (RhinoException e) {
            int line = e.lineNumber() > 0
                    ? e.lineNumber()
                    : sandbox.compiling(false, () -> RefusedRegExp.line(Context.getCurrentContext(), code, file));
            SourceLineMap.Place place = line < 1 ? null : translated.lines().written(line);
            return new Compiled(
                    null,
                    place == null
                            ? new ScriptProblem(file, 0, 0, e.details())
                            : new ScriptProblem(file, place.line(), place.column(), e.details()));
        }
    }

    @Override
    public List<ScriptProblem> load(Program program, @Nullable String export, ScriptBudget budget) {
        ProgramResult<Function> programResult = ProgramResult.make(
                sandbox, program, budget, NO_MOMENT, line -> {}, execution -> execution.function(export));
        ScriptErrorMessages.ScriptError scriptError = programResult.error();
        return scriptError == null ? List.of() : List.of(scriptError.problem());
    }

    @Override
    public CallResult run(
            Program program,
            @Nullable String export,
            ObjectNode input,
            ScriptBudget budget,
            long nowMillis,
            Consumer<String> console) {
        ProgramResult<ScriptResult> programResult = ProgramResult.make(
                sandbox, program, budget, nowMillis, console, execution -> execution.call(export, input));
        ScriptErrorMessages.ScriptError scriptError = programResult.error();
        return scriptError == null
                ? new CallResult(Objects.requireNonNull(programResult.value()), false)
                : new CallResult(
                        new ScriptResult.Failed(scriptError.sentence(program.entry()), scriptError.detail()),
                        programResult.killed());
    }
}

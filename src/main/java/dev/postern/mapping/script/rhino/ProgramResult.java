package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.ScriptBudget;
import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptMeter;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.RhinoException;

/**
 * A result of metered work on a program. Nothing that is thrown gets past {@link #make}.
 *
 * @param value null if there is an error
 * @param error the error; null if there was none
 * @param killed whether the error is that it used too much
 */
record ProgramResult<T>(@Nullable T value, ScriptErrorMessages.@Nullable ScriptError error, boolean killed) {

    static <T> ProgramResult<T> make(
            SandboxContextFactory sandbox,
            ScriptEngine.Program program,
            ScriptBudget budget,
            long nowMillis,
            Consumer<String> console,
            Function<ProgramExecution, T> what) {
        ScriptErrorMessages scriptErrorMessages = new ScriptErrorMessages(program);
        Context context = sandbox.enterContext();
        ScriptMeter meter = ScriptMeter.start(budget, nowMillis);
        try {
            ProgramResult<T> programResult =
                    scripted(scriptErrorMessages, () -> what.apply(new ProgramExecution(context, program, console)));
            // A script may have gone on for a step or two after it was ended, and returned.
            return meter.killed() == null ? programResult : ended(scriptErrorMessages, meter.killed());
        } catch (RuntimeException | Error e) {
            meter.stop();
            return ended(scriptErrorMessages, meter.killed() == null ? e : meter.killed());
        } finally {
            meter.stop();
            Context.exit();
        }
    }

    private static <T> ProgramResult<T> ended(ScriptErrorMessages scriptErrorMessages, Throwable cause) {
        return new ProgramResult<>(null, scriptErrorMessages.ended(cause), cause instanceof Error);
    }

    /**
     * Runs {@code what}, and reads what a script throws while it is still metered, because reading its properties may run
     * the script.
     */
    private static <T> ProgramResult<T> scripted(ScriptErrorMessages scriptErrorMessages, Supplier<T> what) {
        try {
            return new ProgramResult<>(what.get(), null, false);
        } catch (RhinoException | ConversionException e) {
            return new ProgramResult<>(null, scriptErrorMessages.thrown(e), false);
        }
    }
}

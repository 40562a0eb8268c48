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
 * What became of something that was done with a program, under a meter. This is the edge that nothing thrown goes past.
 *
 * @param value null where there is a fault
 * @param killed whether the fault is that it used too much
 */
record Attempt<T>(@Nullable T value, Faults.@Nullable Fault fault, boolean killed) {

    static <T> Attempt<T> make(
            Sandbox sandbox,
            ScriptEngine.Program program,
            ScriptBudget budget,
            long nowMillis,
            Consumer<String> console,
            Function<Execution, T> what) {
        Faults faults = new Faults(program);
        Context context = sandbox.enterContext();
        ScriptMeter meter = ScriptMeter.start(budget, nowMillis);
        try {
            Attempt<T> attempt = scripted(faults, () -> what.apply(new Execution(context, program, console)));
            // A script may have gone on for a step or two after its end, and returned.
            return meter.killed() == null ? attempt : ended(faults, meter.killed());
        } catch (RuntimeException | Error e) {
            meter.stop();
            return ended(faults, meter.killed() == null ? e : meter.killed());
        } finally {
            meter.stop();
            Context.exit();
        }
    }

    private static <T> Attempt<T> ended(Faults faults, Throwable cause) {
        return new Attempt<>(null, faults.ended(cause), cause instanceof Error);
    }

    /** What a script throws is looked at while it is still metered, for to read its properties may run it. */
    private static <T> Attempt<T> scripted(Faults faults, Supplier<T> what) {
        try {
            return new Attempt<>(what.get(), null, false);
        } catch (RhinoException | Unfit e) {
            return new Attempt<>(null, faults.thrown(e), false);
        }
    }
}

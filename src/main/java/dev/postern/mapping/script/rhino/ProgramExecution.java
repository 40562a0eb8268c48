package dev.postern.mapping.script.rhino;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptResult;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** An execution of a program for one script call, within a context. */
final class ProgramExecution {

    private final Context context;
    private final ScriptEngine.Program program;
    private final Scriptable scope;
    private final ScriptErrorMessages scriptErrorMessages;

    ProgramExecution(Context context, ScriptEngine.Program program, Consumer<String> console) {
        this.context = context;
        this.program = program;
        this.scope = ScriptGlobals.fresh(context, console);
        this.scriptErrorMessages = new ScriptErrorMessages(program);
    }

    /** Runs the program's top level, and returns its function. */
    Function function(@Nullable String export) {
        Function function = new CommonJsModules(program, context, scope).function(export);
        if (function == null) {
            throw new ConversionException(
                    export == null
                            ? "exports no function [default] and none of the name [transform];"
                                    + " write export default function (context) { … }"
                            : "exports no function [" + export + "];" + " write export function " + export
                                    + "(context) { … }");
        }
        return function;
    }

    ScriptResult call(@Nullable String export, ObjectNode input) {
        Function function = function(export);
        Object argument = new JsonToScript(scope).value(input);
        Object value = function.call(context, scope, Undefined.SCRIPTABLE_UNDEFINED, new Object[] {argument});
        context.processMicrotasks();
        @Nullable Object settled = value;
        // A promise may settle with another one that is no native promise. The meter ends a chain without an end.
        while (settled instanceof Scriptable promise
                && ScriptableObject.getProperty(promise, "then") instanceof Callable then) {
            Settlement settlement = new Settlement();
            Object[] reactions = {settlement.taking(scope, false), settlement.taking(scope, true)};
            then.call(context, scope, promise, reactions);
            context.processMicrotasks();
            if (!settlement.settled) {
                throw new ConversionException(
                        "returned a promise that nothing settles; there is nothing here to wait for");
            }
            if (settlement.rejected) {
                return failed(settlement.value);
            }
            settled = settlement.value;
        }
        return result(settled);
    }

    private ScriptResult failed(@Nullable Object value) {
        ScriptErrorMessages.ScriptError scriptError = scriptErrorMessages.rejected(value);
        return new ScriptResult.Failed(scriptError.sentence(program.entry()), scriptError.detail());
    }

    private ScriptResult result(@Nullable Object value) {
        if (value == null) {
            return new ScriptResult.Nothing();
        }
        if (Undefined.isUndefined(value)) {
            return new ScriptResult.Unchanged();
        }
        if (value instanceof Scriptable object
                && !(value instanceof Callable)
                && object.getClassName().equals("Object")) {
            return new ScriptResult.Returned(new ScriptToJson(context, scope).object(object));
        }
        throw new ConversionException("returned " + ValueKindNames.of(value) + "; return an object, undefined or null");
    }

    /** A settlement of a promise; only the first call counts. */
    private static final class Settlement {

        private boolean settled;
        private boolean rejected;
        private @Nullable Object value;

        LambdaFunction taking(Scriptable scope, boolean rejection) {
            return new LambdaFunction(scope, "settle", 1, (context, within, self, args) -> {
                if (!settled) {
                    settled = true;
                    rejected = rejection;
                    value = args.length == 0 ? Undefined.instance : args[0];
                }
                return Undefined.instance;
            });
        }
    }
}

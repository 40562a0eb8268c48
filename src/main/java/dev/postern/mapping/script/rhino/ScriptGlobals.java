package dev.postern.mapping.script.rhino;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/**
 * The globals that a script sees: the language, made again for each call, because nothing shared can be protected from
 * changes. Rhino's own extensions are removed. So are objects that do their work inside the JDK, where no meter checks: big
 * integers and binary data. {@code Proxy} and {@code Reflect}, which stand between a script and its objects, are removed
 * for the same reason.
 */
final class ScriptGlobals {

    private static final List<String> REMOVED = List.of(
            "Continuation",
            "Script",
            "With",
            "Call",
            "uneval",
            "BigInt",
            "Proxy",
            "Reflect",
            "ArrayBuffer",
            "SharedArrayBuffer",
            "Atomics",
            "DataView",
            "Int8Array",
            "Uint8Array",
            "Uint8ClampedArray",
            "Int16Array",
            "Uint16Array",
            "Int32Array",
            "Uint32Array",
            "Float32Array",
            "Float64Array",
            "BigInt64Array",
            "BigUint64Array");

    private static final int HIDDEN = ScriptableObject.DONTENUM;

    /** The function by which translated code checks what it is about to iterate over. */
    private static final String ITERABLE = "__iterable";

    private ScriptGlobals() {}

    static ScriptableObject fresh(Context context, Consumer<String> console) {
        TopLevel scope = new ReducedTopLevel();
        context.initSafeStandardObjects(scope, false);
        if (scope.get("Symbol", scope) instanceof ScriptableObject symbol) {
            SymbolRegistry.complete(symbol, scope);
        }
        scope.defineProperty("console", ConsoleObject.make(scope, console), HIDDEN);
        SuperclassCalls.define(scope);
        scope.defineProperty(ITERABLE, iterableCheck(scope), HIDDEN);
        Base64Functions.define(scope);
        NumberFormatting.define(scope);
        LocaleOptionsCheck.define(scope);
        return scope;
    }

    /** A function that returns its argument. Rhino's own message for {@code undefined} tells of a symbol that is no string. */
    private static LambdaFunction iterableCheck(Scriptable scope) {
        return new LambdaFunction(scope, ITERABLE, 1, (context, within, self, args) -> {
            Object value = args.length == 0 ? Undefined.instance : args[0];
            if (value == null || Undefined.isUndefined(value)) {
                throw ScriptRuntime.constructError("TypeError", ValueKindNames.of(value) + " is not iterable");
            }
            return value;
        });
    }

    /**
     * A top-level scope without the removed globals, which makes rarely used built-ins only on demand. Rhino would make
     * each built-in at once, to have its constructor at hand. That would take a third of a script call.
     */
    private static final class ReducedTopLevel extends TopLevel {

        private static final long serialVersionUID = 1L;
        private static final Set<String> RARE = Set.of("Promise", "RegExp");

        private boolean caching;

        @Override
        public void cacheBuiltins(Scriptable scope, boolean sealed) {
            REMOVED.forEach(this::delete);
            caching = true;
            super.cacheBuiltins(scope, sealed);
            caching = false;
        }

        @Override
        public Object get(String name, Scriptable start) {
            return caching && RARE.contains(name) ? NOT_FOUND : super.get(name, start);
        }
    }
}
